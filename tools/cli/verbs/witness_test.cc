// Every reject rule: `check`, `explain` and the page of a case that breaks it
// name the operand or field at fault, what was found there and what is needed.
// The first part of `explain` fits on a screen.

#include <set>

#include "differential/testcase/case_writer.h"
#include "generators/boundary/sweep.h"
#include "isa/catalogue.h"
#include "sanitizer/diagnostics.h"
#include "sanitizer/lint.h"
#include "tools/cli/testing.h"

namespace lanediff::cli::test {
namespace {

using Ids = std::set<std::string_view>;

Ids RulesOf(std::string_view slug) {
  const isa::Instruction* const instruction = isa::FindInstruction(slug);
  Ids ids;
  for (const isa::Rule& rule : isa::Catalogue()) {
    if (rule.effect == isa::Effect::kReject && !isa::IsOfLint(rule) &&
        isa::FindInstruction(rule.instruction) == instruction) {
      ids.insert(rule.id.text());
    }
  }
  return ids;
}

/// Runs of blanks and line ends as one blank.
std::string Flat(const std::string& text) {
  std::string flat;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\n';
    if (!blank) {
      flat += c;
    } else if (!flat.ends_with(' ')) {
      flat += ' ';
    }
  }
  return flat;
}

class RejectRules : public ProgramTest,
                    public testing::WithParamInterface<std::string_view> {
 protected:
  /// `c`, whose first rejected step breaks `rule` alone, expects to be
  /// executed.
  void Look(Case c, std::string_view rule) {
    const lint::Diagnosis diagnosis = [&] {
      const auto rejected = lint::Lint([&] {
                              Case in_turn = c;
                              in_turn.lint.sync.reset();
                              return in_turn;
                            }())
                                .rejected;
      return lint::DiagnoseRejected(c, rejected->step, rejected->rules, true);
    }();
    ASSERT_FALSE(diagnosis.witnesses.empty()) << rule;
    c.expect = Expectation{};  // executed, whatever is in memory
    c.id = "w";
    Spill(In("w.json"), WriteCase(c));
    const Result checked = Lanediff("check w.json");
    EXPECT_EQ(checked.status, 1) << rule << checked.out;
    const Result explained = Lanediff("explain w.json --html page");
    EXPECT_EQ(explained.status, 1) << rule;
    const std::string page = Slurp(In("page/index.html"));
    const std::string check = Flat(checked.out);
    const std::string explain = Flat(explained.out);
    for (const lint::Witness& witness : diagnosis.witnesses) {
      const std::string at_fault =
          witness.operand.empty() ? witness.field : witness.operand;
      ASSERT_FALSE(at_fault.empty()) << rule;
      const std::string text = Flat(witness.text());
      EXPECT_TRUE(Has(text, at_fault)) << rule << ": " << text;
      EXPECT_TRUE(Has(check, "witness: ") && Has(check, text))
          << rule << ": " << text << "\n"
          << checked.out;
      EXPECT_TRUE(Has(explain, text)) << rule << ": " << text << "\n"
                                      << explained.out;
      EXPECT_TRUE(Has(Flat(page), text)) << rule << ": " << text;
    }
    ExpectScreen(explained.out, std::string(rule), diagnosis);
  }

  static void ExpectScreen(const std::string& out, const std::string& rule,
                           const lint::Diagnosis& diagnosis) {
    const std::string screen =
        out.substr(0, out.find("\nexpected against actual"));
    EXPECT_LE(std::ranges::count(screen, '\n'), 24) << screen;
    for (std::size_t at = 0; at < screen.size();) {
      const std::size_t end = std::min(screen.find('\n', at), screen.size());
      const std::string line = screen.substr(at, end - at);
      EXPECT_LE(std::ranges::count_if(
                    line, [](char c) { return (c & 0xc0) != 0x80; }),
                80)
          << line;
      at = end + 1;
    }
    EXPECT_TRUE(Has(screen, rule)) << screen;
    // The first witness is there to its end, and the repair to its second line.
    ExpectParts(Flat(screen), {Flat(diagnosis.witnesses[0].text())});
    EXPECT_TRUE(Has(screen, "repair: ")) << screen;
  }
};

TEST_P(RejectRules, CheckExplainAndThePageNameWhatIsAtFault) {
  Ids wanted = RulesOf(GetParam());
  make::ForEachSweepCase(
      GetParam(), [](std::uint64_t) { return true; },
      [&](make::SweepCase&& swept) {
        if (!swept.rule || !wanted.contains(swept.rule->text())) return true;
        Case c = std::move(swept.c);
        c.lint.sync.reset();
        const auto rejected = lint::Lint(c).rejected;
        if (!rejected || rejected->rules.size() != 1) return true;
        const std::string_view id = rejected->rules.begin()->text();
        if (wanted.erase(id) == 1) Look(std::move(c), id);
        return !wanted.empty();
      });
  for (const std::string_view id : wanted) ADD_FAILURE() << id << ": no case";
}

INSTANTIATE_TEST_SUITE_P(Modules, RejectRules,
                         testing::ValuesIn(make::SweepModules().begin(),
                                           make::SweepModules().end()));

}  // namespace
}  // namespace lanediff::cli::test
