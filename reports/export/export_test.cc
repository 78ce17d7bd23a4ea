// Exported snippets: what stands beside their calls.

#include "reports/export/export.h"

#include <fmt/format.h>
#include <unistd.h>

#include <map>
#include <variant>

#include "differential/testcase/case_reader.h"
#include "isa/memory_map.h"
#include "reports/export/snippet.h"
#include "reports/export/testing/corpus.h"

namespace lanediff::exports::test {
namespace {

const Case& CaseCalled(std::string_view id) {
  for (const Case& c : Corpus()) {
    if (c.id == id) return c;
  }
  ADD_FAILURE() << "no case " << id;
  return Corpus().front();
}

/// A case in which UB has `bytes` bytes that are neither run nor ramp.
Case WithNoise(std::size_t bytes) {
  Case c = CaseCalled("min/count-129-halves-accepted");
  std::vector<std::uint8_t> noise(bytes);
  std::uint32_t state = 1;
  for (std::uint8_t& byte : noise) {
    state = state * 1664525 + 1013904223;
    byte = static_cast<std::uint8_t>(state >> 24);
  }
  auto& ub = c.memory[static_cast<std::size_t>(isa::Memory::kUb)];
  ub->regions = {{.at = 4096, .dtype = std::nullopt, .bytes = noise}};
  return c;
}

TEST(Export, EveryCaseOfTheCorpusInItsOwnApiOrForAReason) {
  std::map<Api, int> exported;
  int mixed = 0;
  for (const Case& c : Corpus()) {
    const auto api = ApiOf(c);
    if (!api) {
      ++mixed;
      const bool of_kernel = FormatOf(c) == kKernelCaseFormat;
      EXPECT_TRUE(Has(api.error(),
                      of_kernel ? "of a kernel: the kernel's own source has it"
                                : "no API has both"))
          << api.error();
      EXPECT_FALSE(ExportCase(c, diff::ExpectedResultOf(c), ""));
      continue;
    }
    ++exported[*api];
    const std::string text = Export(c, "snippet").text;
    EXPECT_EQ(text, Export(c, "snippet").text) << c.id;
    EXPECT_TRUE(Has(text, "Expected by the documents:")) << c.id;
  }
  EXPECT_GT(exported[Api::kAscendc], 450);
  EXPECT_GT(exported[Api::kPto], 110);
  EXPECT_GT(exported[Api::kTik], 90);
  EXPECT_GT(mixed, 5);
  fmt::print("{} Ascend C, {} PTO, {} TIK, {} mixed\n", exported[Api::kAscendc],
             exported[Api::kPto], exported[Api::kTik], mixed);
}

/// Rewrites the golden files where LANEDIFF_WRITE_GOLDEN is set.
TEST(Export, GoldenFiles) {
  const std::pair<const char*, const char*> golden[] = {
      {"ascendc.txt", "repeat_reduce_sum/worked-saturates-at-65504-a2"},
      {"pto.txt", "trowprod/worked-16x16-float"},
      {"tik.txt", "vec_trans/worked-one-block"}};
  for (const auto& [file, id] : golden) {
    const fs::path path =
        fs::path(LANEDIFF_SOURCE_DIR "/reports/export/testing/golden") / file;
    const std::string text = Export(CaseCalled(id)).text;
    if (std::getenv("LANEDIFF_WRITE_GOLDEN") != nullptr) {
      std::ofstream(path, std::ios::binary) << text;
    }
    EXPECT_EQ(text, Slurp(path)) << file;
  }
}

TEST(Export, ARejectedStepNamesItsRulesAndTheirSections) {
  const std::string text =
      Export(CaseCalled("repeat_reduce_sum/repeat-256-rejected")).text;
  EXPECT_TRUE(Has(text, "// Illegal; it breaks")) << text;
  EXPECT_TRUE(Has(text, "RRS-REPEAT: ")) << text;
  EXPECT_TRUE(Has(text, "[RepeatReduceSum · ")) << text;
  EXPECT_TRUE(Has(text, "const int32_t repeat = 256;")) << text;
}

TEST(Export, ValueOutsideTheTypeHasARemark) {
  const Literal big = ToLiteral(256, kUint8);
  EXPECT_EQ(big.text, "static_cast<uint8_t>(256)");
  EXPECT_EQ(big.remark, "the case has 256; uint8_t makes 0 of it");
  EXPECT_EQ(ToLiteral(-1, kUint8).remark,
            "the case has -1; uint8_t makes 255 of it");
  EXPECT_EQ(ToLiteral(INT64_C(2147483648), kInt32).remark,
            "the case has 2147483648; int32_t makes -2147483648 of it");
  EXPECT_EQ(ToLiteral(INT64_MIN, kUint64).text,
            "static_cast<uint64_t>((-9223372036854775807LL - 1))");
  EXPECT_EQ(ToLiteral(255, kUint8).text, "255");
  EXPECT_EQ(ToLiteral(255, kUint8).remark, "");
}

TEST(Export, NoSizeIsTooLargeToBeAddedTo) {
  Case c = CaseCalled("min/mask-0-int8-only-dtype-rejected");
  isa::Operand& src0 = std::get<isa::Call>(c.program[0]).src(0);
  src0.at = 255;
  for (const auto& [bytes, text] :
       std::vector<std::pair<std::int64_t, const char*>>{
           {INT64_MAX,
            "224, static_cast<uint32_t>(9223372036854775807LL) + 31)[31]"},
           {INT64_MAX - 31,
            "224, static_cast<uint32_t>(9223372036854775807LL))[31]"},
           {64, "224, 95)[31]"}}) {
    src0.bytes = bytes;
    EXPECT_TRUE(Has(Export(c).text, text)) << Export(c).text;
  }
}

TEST(Export, TextOfTheCaseStaysInItsComment) {
  Case c = CaseCalled("repeat_reduce_sum/worked-saturates-at-65504-a2");
  c.note =
      "a */ #error one\n#error two\r#error three \\\n#error four ?"
      "?/\n"
      "#error five\u2028#error six \"\"\" \u202e siht \u0085 end \\   ";
  c.origin = Origin{};
  c.origin->signature = "x\n#error seven\n";
  const Folder folder("hostile");
  folder.Write("one.cc", Export(c).text);
  EXPECT_TRUE(folder.Shell(kCompile +
                           "-trigraphs -Wall -Wextra -Werror "
                           "-Wno-unused-function -fsyntax-only one.cc"))
      << folder.Read("err") << Export(c).text;
  for (const std::string& line : Lines(Export(c).text)) {
    EXPECT_TRUE(!Has(line, "#error") || line.starts_with("// ")) << line;
    EXPECT_FALSE(line.ends_with('\\')) << line;
  }
  const std::string safe = CommentSafe(c.note);
  for (const char* part : {"*/",
                           "?"
                           "?",
                           "\"\"\"", "\r", "\u2028", "\u202e"}) {
    EXPECT_FALSE(Has(safe, part)) << part;
  }
  EXPECT_TRUE(Has(safe, "<U+202E>"));
}

TEST(Export, ALongNoteIsCutBetweenCharacters) {
  Case c = CaseCalled("vec_trans/worked-one-block");
  c.note = "x";
  while (c.note.size() < 10000) c.note += "数";
  const std::string text = Export(c).text;
  EXPECT_TRUE(Has(text, "数\n# [cut]"));
  EXPECT_LT(text.size(), 20000U);
}

TEST(Export, MuchDataGoesToFilesBesideTheText) {
  const Case small = WithNoise(kMostListedBytes);
  EXPECT_TRUE(Export(small).files.empty());
  const Case c = WithNoise(kMostListedBytes + 1);
  const auto without = ExportCase(c, diff::ExpectedResultOf(c), "");
  ASSERT_FALSE(without);
  EXPECT_TRUE(Has(without.error(), "-o FILE")) << without.error();
  const Snippet snippet = Export(c, "a\"b.cc");
  ASSERT_EQ(snippet.files.size(), 1U);
  EXPECT_EQ(snippet.files[0].name, "a\"b.cc.UB.4096.bin");
  EXPECT_EQ(
      snippet.files[0].bytes,
      c.memory[static_cast<std::size_t>(isa::Memory::kUb)]->regions[0].bytes);
  EXPECT_TRUE(Has(snippet.text,
                  "Load(bytes + 4096, \"a\\\"b.cc.UB.4096.bin\", 16385);"))
      << snippet.text.substr(0, 4000);
}

std::string TypeName(isa::DType dtype) {
  if (dtype == isa::DType::kHalf) return "float16";
  if (dtype == isa::DType::kFloat) return "float32";
  if (dtype == isa::DType::kDouble) return "float64";
  return std::string(isa::Name(dtype));
}

/// How the stand-in shows an operand; of other scopes only what it counts from.
std::string Tensor(const isa::Operand& o, isa::DType dtype) {
  const char* scope = o.position == isa::Position::kUb   ? "ubuf"
                      : o.position == isa::Position::kGm ? "gm"
                                                         : "cbuf";
  return fmt::format("{}:{}:{}", scope, o.at,
                     TypeName(o.dtype.value_or(dtype)));
}

void ExpectCalls(const Case& c, const std::vector<std::string>& output) {
  const std::string text = Export(c).text;
  if (Has(text, "Does not run")) {
    ASSERT_EQ(output.size(), 2U) << c.id;
    EXPECT_TRUE(output[1].starts_with("refused")) << c.id << ": " << output[1];
    return;
  }
  std::vector<std::string> expected;
  for (const isa::Step& step : c.program) {
    const auto* s = std::get_if<isa::Call>(&step);
    if (s == nullptr) continue;
    expected.push_back(
        fmt::format("vec_trans {} {} {} {} {}", Tensor(s->dst(), s->dtype),
                    Tensor(s->src(0), s->dtype), (*s)[isa::Param::kRepeatTimes],
                    s->RepStride(0), s->RepStride(1)));
  }
  std::vector<std::string> calls;
  for (const std::string& line : output) {
    if (line.starts_with("vec_trans")) calls.push_back(line);
  }
  const auto outcome = diff::ExpectedResultOf(c).outcome;
  if (outcome.status == Outcome::Status::kExecuted) {
    EXPECT_EQ(calls, expected) << c.id;
  } else {
    ASSERT_FALSE(calls.empty()) << c.id;
    ASSERT_LE(calls.size(), expected.size()) << c.id;
    expected.resize(calls.size());
    EXPECT_EQ(calls, expected) << c.id;
  }
}

/// A time of its own for every byte is much in Python: a few cases at a time.
std::vector<const Case*> Cases() {
  const bool all = std::getenv("LANEDIFF_ALL_EXPORTS") != nullptr;
  std::vector<const Case*> cases;
  std::size_t n = 0;
  for (const Case& c : Corpus()) {
    if (ApiOf(c) == Api::kTik && (all || n++ % 4 == 0)) cases.push_back(&c);
  }
  return cases;
}

TEST(ExportedTik, SnippetsMakeTheCallsOfTheCase) {
  const Folder folder("tik");
  if (!folder.Shell("python3 -c 'import struct'")) {
    GTEST_SKIP() << "no python3 here";
  }
  const auto cases = Cases();
  ASSERT_FALSE(cases.empty());
  std::string files;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    folder.Write(fmt::format("c{}.py", i), Export(*cases[i]).text);
    files += fmt::format(" c{}.py", i);
  }
  ASSERT_TRUE(folder.Shell("python3 -m py_compile" + files))
      << folder.Read("err");
  ASSERT_TRUE(folder.Shell("PYTHONDONTWRITEBYTECODE=1 PYTHONPATH='" + kTesting +
                           "tik' python3 '" + kTesting + "run_snippets.py'" +
                           files))
      << folder.Read("err");
  auto output = OutputByCase(folder.Read("out"));
  ASSERT_EQ(output.size(), cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Case& c = *cases[i];
    const diff::MemorySet memory(c);
    const auto& ub = memory[isa::Memory::kUb];
    ASSERT_FALSE(output[i].empty()) << c.id;
    EXPECT_EQ(output[i][0], ub.empty() ? "no UB" : fmt::format("{:x}", Fnv(ub)))
        << c.id;
    ExpectCalls(c, output[i]);
  }
}

}  // namespace

}  // namespace lanediff::exports::test
