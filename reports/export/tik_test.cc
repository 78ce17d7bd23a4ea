// Builds exported TIK snippets with Python on a stand-in for tbe.tik, and
// compares what they call, and what they fill UB with, with the case.

#include <fmt/format.h>
#include <unistd.h>

#include <variant>

#include "isa/memory_map.h"
#include "reports/export/testing/corpus.h"

namespace lanediff::exports::test {
namespace {

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
    const auto* s = std::get_if<isa::VecTrans>(&step);
    if (s == nullptr) continue;
    expected.push_back(fmt::format("vec_trans {} {} {} {} {}",
                                   Tensor(s->dst, s->dtype),
                                   Tensor(s->src, s->dtype), s->repeat_times,
                                   s->dst_rep_stride, s->src_rep_stride));
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
  const std::string testing = LANEDIFF_SOURCE_DIR "/reports/export/testing/";
  ASSERT_TRUE(folder.Shell("python3 -m py_compile" + files))
      << folder.Read("err");
  ASSERT_TRUE(folder.Shell("PYTHONDONTWRITEBYTECODE=1 PYTHONPATH='" + testing +
                           "tik' python3 '" + testing + "run_snippets.py'" +
                           files))
      << folder.Read("err");
  std::vector<std::vector<std::string>> output;
  for (const std::string& line : Lines(folder.Read("out"))) {
    if (line.starts_with("case ")) {
      output.emplace_back();
    } else {
      output.back().push_back(line);
    }
  }
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
