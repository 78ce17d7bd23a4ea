// Compiles exported Ascend C and PTO snippets against stand-ins for the
// vendor's headers, runs them, and compares what they call, and what memory
// they fill, with the case.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <map>
#include <variant>

#include "isa/fields.h"
#include "isa/memory_map.h"
#include "reports/export/snippet.h"
#include "reports/export/testing/corpus.h"

namespace lanediff::exports::test {
namespace {

using isa::Memory;
using isa::Position;

std::uint32_t U32(std::int64_t n) { return static_cast<std::uint32_t>(n); }

/// How the stand-ins show a tensor.
std::string Tensor(const Case& c, const isa::Operand& o,
                   isa::DType step_dtype) {
  const isa::DType dtype = o.dtype.value_or(step_dtype);
  const std::int64_t size = isa::SizeBytes(dtype);
  if (o.position == Position::kGm) {
    return fmt::format("GM:{}:{}:{}", o.at, U32(o.bytes / size),
                       isa::Name(dtype));
  }
  const Memory memory = isa::MemoryAt(c.product, o.position);
  const bool pipe = c.product == isa::Product::kAtlasTraining ||
                    c.product == isa::Product::kAtlas200i500A2;
  if (pipe && memory != Memory::kGm) {
    const std::map<Memory, std::string> positions = {
        {Memory::kUb, "VECCALC"},
        {Memory::kL1, "A1"},
        {Memory::kL0c, "CO1"},
        {Memory::kBt, "C2"},
        {Memory::kFb, "C2PIPE2GM"}};
    const std::int64_t whole = (SizeOf(c, memory) + 31) / 32 * 32;
    return fmt::format("{}:{}:{}:{}", positions.at(memory), U32(o.at),
                       U32(whole - o.at) / size, isa::Name(dtype));
  }
  const bool cut = o.at >= 0 && o.at <= UINT32_MAX && o.at % 32 != 0;
  const auto elements = cut ? U32(o.bytes) / size : U32(o.bytes / size);
  return fmt::format("{}:{}:{}:{}", isa::Name(o.position), U32(o.at), elements,
                     isa::Name(dtype));
}

unsigned U8(std::int64_t n) { return static_cast<std::uint8_t>(n); }
unsigned U16(std::int64_t n) { return static_cast<std::uint16_t>(n); }
std::int32_t I32(std::int64_t n) { return static_cast<std::int32_t>(n); }

/// The line that the stand-in writes down for a step, made of the case alone.
class CallOf {
 public:
  explicit CallOf(const Case& c) : c_(c) {}

  std::string operator()(const isa::Carried&) const { return ""; }
  std::string operator()(const isa::Resource&) const { return ""; }
  std::string operator()(const isa::Call& s) const {
    using isa::Param;
    const isa::Signature& row = *s.signature;
    std::string text(row.op);
    if (s.IsMasked() && !row.forms.empty()) {
      text += s.Has(Param::kMaskWords) ? "Bits" : "Mask";
    }
    if (s.Has(Param::kIsSetMask)) text += fmt::format(" {:d}", s.is_set_mask);
    for (std::size_t i = 0; i < s.used_operands().size(); ++i) {
      const bool is_packed = row.operands[i].is_packed;
      text +=
          " " + Tensor(c_, s.operands[i], is_packed ? s.TypeOf(i) : s.dtype);
    }
    for (const isa::Tile& one : s.used_tiles()) {
      text += " " + Tile(one, s.dtype);
    }
    for (const isa::ParamSpec& spec : row.params) {
      if (s.Has(spec.param)) text += Value(s, spec.param);
    }
    return text;
  }
  std::string operator()(const isa::SetVectorMask& s) const {
    return fmt::format("SetVectorMask {} {}", s.high, s.low);
  }
  std::string operator()(const isa::SetSaturation& s) const {
    return s.enabled ? "set_ctrl clear 48" : "set_ctrl set 48";
  }
  std::string operator()(const isa::PipeBarrier& s) const {
    return fmt::format("PipeBarrier {}", isa::Name(s.pipe));
  }
  std::string operator()(const isa::SetFlag& s) const {
    return fmt::format("SetFlag {} {}", isa::Name(s.event), I32(s.id));
  }
  std::string operator()(const isa::WaitFlag& s) const {
    return fmt::format("WaitFlag {} {}", isa::Name(s.event), I32(s.id));
  }
  template <class Tag>
  std::string operator()(const isa::BareStep<Tag>& s) const {
    return std::string(s.kOp);
  }
  std::string operator()(const isa::GetValue& s) const {
    return fmt::format("GetValue {} {}", Tensor(c_, s.src, s.dtype),
                       U32(s.index));
  }
  std::string operator()(const isa::SetValue& s) const {
    return fmt::format("SetValue {} {} {}", Tensor(c_, s.dst, s.dtype),
                       U32(s.index), s.value);
  }

 private:
  static std::string Value(const isa::Call& s, isa::Param param) {
    using isa::Param;
    if (param == Param::kIsSetMask || param == Param::kOrder) return "";
    if (param == Param::kScalar) return fmt::format(" {}", s.scalar);
    if (param == Param::kIsPad) return fmt::format(" {:d}", s.is_pad);
    if (param == Param::kRoundEn) return fmt::format(" {:d}", s.round_en);
    if (param == Param::kMaskWords) {
      return fmt::format(" {} {}", s.mask_words[0], s.mask_words[1]);
    }
    if (param == Param::kRoundMode) {
      return fmt::format(" {}", isa::Name(s.round_mode));
    }
    if (param == Param::kCmpMode) {
      return fmt::format(" {}", isa::Name(s.cmp_mode));
    }
    if (param == Param::kSelMode) {
      return fmt::format(" {}", isa::Name(s.sel_mode));
    }
    if (param == Param::kReduceOrder) {
      return fmt::format(" {}", isa::Name(s.reduce_order));
    }
    const std::int64_t n = s[param];
    if (param == Param::kCount &&
        (s.signature->Converts() || s.signature->NumbersLanes() ||
         s.signature->PacksBits() || s.signature->Has(Param::kSelMode))) {
      return fmt::format(" {}", U32(n));
    }
    if (s.Is(isa::Family::kCopy)) {
      if (param == Param::kCount) return fmt::format(" {}", U32(n));
      if (param == Param::kBlockCount) return fmt::format(" {}", U16(n));
      if (param == Param::kLeftPadding || param == Param::kRightPadding) {
        return fmt::format(" {}", U8(n));
      }
      return fmt::format(",{}",
                         s.signature->Has(Param::kIsPad) ? U32(n) : U16(n));
    }
    if (s.Is(isa::Family::kReduction) || param == Param::kCount) {
      return fmt::format(" {}", I32(n));
    }
    if (param == Param::kMask) {
      return fmt::format(" {}", static_cast<std::uint64_t>(n));
    }
    const bool wide =
        (isa::IsBlkStride(param) && s.signature->sources() < 2) ||
        (isa::IsRepStride(param) && !s.signature->Has(Param::kCount));
    return fmt::format(" {}", wide ? U16(n) : U8(n));
  }
  static std::string Tile(const isa::Tile& t, isa::DType dtype) {
    const std::map<Position, int> types = {
        {Position::kUb, 0},       {Position::kA1, 1}, {Position::kB1, 1},
        {Position::kTscm, 1},     {Position::kC1, 1}, {Position::kC2, 5},
        {Position::kC2pipe2gm, 6}};
    return fmt::format("{}:{}:{}:{}:{}:{}:{}:{}", types.at(t.position),
                       U32(t.at), I32(t.rows), I32(t.cols), I32(t.valid_row),
                       I32(t.valid_col), isa::Name(t.layout),
                       isa::Name(t.dtype.value_or(dtype)));
  }

  const Case& c_;
};

/// Whether the frame of the kernel may call this between the steps: what keeps
/// their order, and what sets the state that a case starts from.
bool IsFrame(const std::string& call) {
  return call.starts_with("SetFlag") || call.starts_with("WaitFlag") ||
         call == "PipeBarrier V" || call == "PipeBarrier ALL" ||
         call == "SetMaskNorm" || call == "set_ctrl clear 48" ||
         call == "SetVectorMask 18446744073709551615 18446744073709551615";
}

/// Compares what a kernel called with the steps that it must call.
void ExpectCalls(const Case& c, std::vector<std::string> calls) {
  const auto is_all = [](const std::string& call) {
    return call == "PipeBarrier ALL";
  };
  const auto first = std::ranges::find_if(calls, is_all);
  const auto last = std::find_if(calls.rbegin(), calls.rend(), is_all).base();
  ASSERT_LT(first + 1, last) << c.id;
  std::vector<std::string> body(first + 1, last - 1);
  for (std::string& call : body) {
    // The type of the mask is a choice of the exporter's.
    for (const char* type : {"half ", "bfloat16 ", "float ", "int16 ",
                             "uint16 ", "int32 ", "uint32 ", "int64 "}) {
      const std::string head = "SetVectorMask ";
      if (call.starts_with(head + type)) {
        call.erase(head.size(), std::string(type).size());
      }
    }
  }
  std::size_t at = 0;
  for (std::size_t i = 0; i < StepsWritten(c, diff::ExpectedResultOf(c)); ++i) {
    const auto* mode = std::get_if<isa::SetSaturation>(&c.program[i]);
    const bool has_mode = c.product == isa::Product::kAtlasA2 ||
                          c.product == isa::Product::kAtlasA3;
    if (mode != nullptr && mode->enabled && !has_mode) continue;
    const std::string expected = std::visit(CallOf(c), c.program[i]);
    while (at < body.size() && body[at] != expected && IsFrame(body[at])) ++at;
    ASSERT_LT(at, body.size()) << c.id << " lacks " << expected;
    EXPECT_EQ(body[at], expected) << c.id << " step " << i;
    ++at;
  }
  for (; at < body.size(); ++at) {
    EXPECT_TRUE(IsFrame(body[at])) << c.id << ": " << body[at];
  }
}

bool IsLoaded(Memory memory) {
  return memory == Memory::kGm || memory == Memory::kUb ||
         memory == Memory::kL1;
}

/// Calls of the fill functions and the kernel of case number `i`.
std::string RunOne(const Case& c, std::size_t i) {
  const auto exists = MemoriesOf(c);
  std::string fills;
  std::string buffers;
  std::string arguments;
  const bool pto = ApiOf(c) == Api::kPto;
  for (const Memory memory : diff::kAllMemories) {
    if (!exists[static_cast<std::size_t>(memory)]) continue;
    const std::string word = MemoryWord(memory);
    buffers += fmt::format("    std::vector<uint8_t> {0}(c{1}::k{0}Bytes);\n",
                           word, i);
    fills += fmt::format("    c{1}::Fill{0}({0}.data());\n    Sum({0}, {2});\n",
                         word, i, SizeOf(c, memory));
    if (memory == Memory::kGm) fills += "    record::Gm() = Gm.data();\n";
    if (pto ? memory != Memory::kUb : !IsLoaded(memory)) continue;
    arguments += (arguments.empty() ? "" : ", ") + word + ".data()";
  }
  if (pto && arguments.empty()) arguments = "nullptr";
  return fmt::format(
      "  {{\n    std::puts(\"case {0}\");\n{1}{2}    c{0}::{3}({4});\n"
      "    End();\n  }}\n",
      i, buffers, fills, KernelName(c), arguments);
}

constexpr std::string_view kDriver = R"(
static void Sum(const std::vector<uint8_t>& bytes, size_t size) {
  unsigned long long hash = 0xcbf29ce484222325ull;
  for (size_t i = 0; i < size; ++i) hash = (hash ^ bytes[i]) * 0x100000001b3ull;
  std::printf("%llx\n", hash);
}
static void End() {
  std::fputs(record::Calls().c_str(), stdout);
  record::Calls().clear();
}
)";

/// Compiles and runs `cases` in one program and checks its output.
void RunAll(const std::vector<const Case*>& cases, const std::string& header,
            const std::string& name) {
  const Folder folder(name);
  std::string program =
      "#include <cmath>\n#include <cstddef>\n#include <cstdint>\n#include "
      "<cstdio>\n#include <cstdlib>\n"
      "#include <cstring>\n#include <vector>\n#include <" +
      header + ">\n";
  std::string main = "int main() {\n";
  for (std::size_t i = 0; i < cases.size(); ++i) {
    folder.Write(fmt::format("c{}.inc", i), Export(*cases[i]).text);
    program += fmt::format("namespace c{0} {{\n#include \"c{0}.inc\"\n}}\n", i);
    main += RunOne(*cases[i], i);
  }
  program += kDriver;
  folder.Write("all.cc", program + main + "}\n");
  ASSERT_TRUE(folder.Shell(kCompile +
                           "-Wall -Wextra -Werror -Wcomment "
                           "-Wno-unused-function -Wno-subobject-linkage all.cc "
                           "-o all && ./all"))
      << folder.Read("err").substr(0, 4000);
  auto output = OutputByCase(folder.Read("out"));
  ASSERT_EQ(output.size(), cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Case& c = *cases[i];
    const diff::MemorySet memory(c);
    const auto exists = MemoriesOf(c);
    std::size_t line = 0;
    for (const Memory m : diff::kAllMemories) {
      if (!exists[static_cast<std::size_t>(m)]) continue;
      ASSERT_LT(line, output[i].size()) << c.id;
      EXPECT_EQ(output[i][line++], fmt::format("{:x}", Fnv(memory[m])))
          << c.id << ": " << isa::Name(m) << " is filled otherwise";
    }
    output[i].erase(output[i].begin(),
                    output[i].begin() + static_cast<std::ptrdiff_t>(line));
    if (Has(Export(c).text, "(void)ub;")) continue;  // no UB, no frame
    ExpectCalls(c, output[i]);
  }
}

/// The cases of one API, those that a compiler must refuse on their own.
struct Split {
  std::vector<const Case*> compile;
  std::vector<const Case*> refused;
};
Split CasesOf(Api api) {
  Split split;
  for (const Case& c : Corpus()) {
    if (ApiOf(c) != api) continue;
    const bool refused = Has(Export(c).text, "Does not compile");
    (refused ? split.refused : split.compile).push_back(&c);
  }
  return split;
}

/// Every n-th of `cases`, or all with LANEDIFF_ALL_EXPORTS set.
std::vector<const Case*> Sample(const std::vector<const Case*>& all,
                                std::size_t n) {
  if (std::getenv("LANEDIFF_ALL_EXPORTS") != nullptr) return all;
  std::vector<const Case*> some;
  for (std::size_t i = 0; i < all.size(); i += n) some.push_back(all[i]);
  return some;
}

TEST(ExportedCpp, AscendCSnippetsMakeTheCallsOfTheCase) {
  const Split split = CasesOf(Api::kAscendc);
  EXPECT_GT(split.compile.size(), 400U);
  RunAll(Sample(split.compile, 4), "kernel_operator.h", "ascendc");
}

TEST(ExportedCpp, PtoSnippetsMakeTheCallsOfTheCase) {
  const Split split = CasesOf(Api::kPto);
  EXPECT_GT(split.compile.size(), 100U);
  RunAll(Sample(split.compile, 2), "pto/pto-inst.hpp", "pto");
}

TEST(ExportedCpp, SnippetsMarkedAsNotCompilingDoNot) {
  const Folder folder("refused");
  for (const Api api : {Api::kAscendc, Api::kPto}) {
    const auto refused = CasesOf(api).refused;
    ASSERT_FALSE(refused.empty()) << isa::Name(api);
    for (const Case* c : Sample(refused, 6)) {
      EXPECT_TRUE(diff::ExpectedResultOf(*c).outcome.status ==
                  Outcome::Status::kRejected)
          << c->id;
      folder.Write("one.cc", Export(*c).text);
      EXPECT_FALSE(folder.Shell(kCompile + "-fsyntax-only one.cc")) << c->id;
    }
  }
}

}  // namespace
}  // namespace lanediff::exports::test
