// Runs `explain` on one case of each instruction and looks for what makes its
// page worth reading.

#include <set>

#include "differential/testcase/case_writer.h"
#include "generators/boundary/sweep.h"
#include "isa/catalogue.h"
#include "sanitizer/diagnostics.h"
#include "sanitizer/lint.h"
#include "tools/cli/testing.h"

namespace lanediff::cli::test {
namespace {

class Explain : public ProgramTest {
 protected:
  /// Explains a case of the corpus, which agrees.
  std::string Page(const std::string& name, const std::string& options = "") {
    const Result r = Lanediff("explain '" LANEDIFF_SOURCE_DIR "/corpus/" +
                              name + ".json' " + options);
    EXPECT_EQ(r.status, 0) << name << r.err;
    return r.out;
  }
  void ExpectPage(const std::string& name, const Strings& parts,
                  const Strings& none = {}, const std::string& options = "") {
    const std::string page = Page(name, options);
    ExpectParts(page, parts);
    ExpectNone(page, none);
  }
};

TEST_F(Explain, NoLineBeginsWithTheBitsOfTheNumberBeforeIt) {
  for (const char* name :
       {"add/values-special-half-ieee-a2", "sub/values-subnormal-half",
        "max/values-special-half-saturating-inference-aicore"}) {
    const std::string page = Page(name);
    EXPECT_TRUE(Has(page, " (0x")) << page;
    for (std::size_t at = 0; (at = page.find('\n', at)) != std::string::npos;) {
      at = std::min(page.find_first_not_of(" \n", at), page.size());
      EXPECT_NE(page.substr(at, 3), "(0x") << page;
    }
  }
}

TEST_F(Explain, RepeatReduceSumShowsEveryNodeOfASmallTree) {
  ExpectPage(
      "repeat_reduce_sum/worked-saturates-at-65504-a2",
      {"applies     RRS-TREE", "applies     ARITH-ROUND",
       "mask from the call, the first 4 lanes", "|####............|",
       "reads  src  UB [1024, 1032) DataBlock 32", "writes dst  UB [0, 2)",
       "level 0 node 0 (lanes 0-1): add", "= 120000 → 65504 (0x7bff)",
       "SATURATED", "= -29900 → -29904", "ROUNDED\n",
       "= 35600 → 35584 (0x7858)", "ROUNDED, tie to even", "all agree"});
}

TEST_F(Explain, RepeatReduceSumComparesWithTheTrueSum) {
  ExpectPage("repeat_reduce_sum/tree-128-random-halves",
             {"127 nodes: 34 rounded (29 of them ties)", "… 22 more rounded",
              "exact -7717", "nearest half is -7716",
              "written is -7696 (0xef84), 5 ULP from it"},
             {"level 6 node 0"});
  ExpectPage("repeat_reduce_sum/tree-128-random-halves",
             {"level 6 node 0 (lanes 0-127)", "to nearest, ties to even."}, {},
             "--all");
}

TEST_F(Explain, PrintsWhatLintFindsOfAProgramThatIsSynchronized) {
  ExpectPage("field/copy-out-without-v-to-mte3",
             {"all agree\nlint finds 1 hazard in it"});
  ExpectPage("field/clean-double-buffering",
             {"all agree\nlint finds 0 hazards in it"});
  ExpectPage("field/repeat-over-255", {}, {"lint finds 1"});
  ExpectPage("program/both-sums-agree", {}, {"lint finds"});
}

TEST_F(Explain, LeadsWithARejectedStepAndWhatFollowsIt) {
  Spill(In("case.json"), R"({"format": "lanediff-case/1", "id": "c",
    "product": "atlas-a2", "sync": {"auto": false}, "memory": {"UB": {}},
    "program": [
      {"op": "SetFlag", "event": "MTE2_V", "id": 0},
      {"op": "Min", "dtype": "half", "count": -1,
       "dst": {"position": "VECCALC", "at": 0, "bytes": 32},
       "src0": {"position": "VECCALC", "at": 32, "bytes": 32},
       "src1": {"position": "VECCALC", "at": 64, "bytes": 32}},
      {"op": "WaitFlag", "event": "MTE2_V", "id": 1},
      {"op": "WaitFlag", "event": "MTE2_V", "id": 2}]})");
  const Result r = Lanediff("explain case.json");
  EXPECT_TRUE(r.out.starts_with(
      "case c on atlas-a2, edition 2026: step 1 Min is rejected; all agree\n"
      "lint finds step 1 rejected, 0 hazards before it and 2 after it, 1 open "
      "at the\nend (lanediff"))
      << r.out;
}

TEST_F(Explain, ARowOfValuesThatIsCutStaysIndented) {
  const std::string page = Page("field/clean-disjoint-lanes");
  ExpectNone(page.substr(0, page.find("expected against")), {"\n("});
}

TEST_F(Explain, PrintsWhatIsUnspecified) {
  const std::string bytes = "bytes are unspecified at the end";
  ExpectPage("trowprod/dst-layout-dn-1-column-accepted",
             {"  64 " + bytes + " and not compared"});
  ExpectPage("trowprod/align-tmp-at-16-off-rejected", {}, {bytes});
  ExpectPage("min/register-mask-picks-lanes-of-both-words", {}, {bytes});
}

TEST_F(Explain, ANanHasNoDistance) {
  ExpectPage("repeat_reduce_sum/saturation-off-nan-spreads",
             {"exact nan",
              "nearest half is nan (0x7e00); written is nan (0x7e00), at no "
              "distance from a NaN"},
             {}, "--html page");
  const std::string html = Slurp(In("page/index.html"));
  ExpectParts(html, {R"j("nearest":"nan (0x7e00)")j"});
  ExpectNone(html, {R"("ulp":"0","written":"nan)", R"("nearest":"-0)"});
}

TEST_F(Explain, MinShowsMasksAndLanes) {
  ExpectPage("min/register-mask-picks-lanes-of-both-words",
             {"mask from the register, set by step 0 SetVectorMask"});
  ExpectPage(
      "min/bits-alternate-lanes-over-two-iterations",
      {"block 0      |#.#.#.#.#.#.#.#.|", "blocks 1-7   |................|",
       "writes dst  UB 16 bytes in [1056, 1086) DataBlock 33",
       "applies     MIN-UNMASKED"},
      {"applies     ARITH", "applies     MIN-IN-ORDER"});
  ExpectPage("min/count-129-halves-accepted",
             {"no mask, count is 129", "block 8      |#...............|",
              "noted       MIN-CLOBBERS-MASK"},
             {"applies     STATE-MASK-REGISTER", "applies     MIN-MASK-LANES",
              "applies     MIN-UNMASKED"});
}

TEST_F(Explain, ConversionsShowLanesOfTheWiderType) {
  ExpectPage("cast/mask-128-half-to-int8-accepted",
             {"128 lanes take part", "blocks 0-3   |####"},
             {"blocks 4-7", "applies     CAST-UNMASKED"});
  ExpectPage("cast/worked-mask-32-of-64",
             {"32 lanes take part", "blocks 4-7   |........|",
              "applies     CAST-UNMASKED"});
}

TEST_F(Explain, DataCopyShowsGapsAndWhatIsLeft) {
  ExpectPage("data_copy/worked-2-blocks-of-8-dst-gap-1",
             {"writes dst  UB [64, 320) DataBlocks 2-9, then a gap of "
              "32 bytes to 352, unchanged",
              "applies     DC-ADDRESS"},
             {"applies     STATE-", "applies     ARITH-",
              "applies     DC-COUNT-LENGTH"});
  ExpectPage("data_copy/count-17-halves-floors-to-32-bytes",
             {"17 elements of 2 bytes each are 34 bytes; 32 bytes are copied, "
              "the tail of 1 element is not"});
  ExpectPage(
      "data_copy/block-count-4095-accepted",
      {"block 2 ", "… 4091 blocks left out; --all shows them", "block 4094 "});
  ExpectPage("data_copy/block-count-4095-accepted", {"block 2047 "}, {},
             "--all");
}

TEST_F(Explain, DataCopyPadShowsWhatPads) {
  ExpectPage("disagreements/dcp-fill",
             {"padding: 24 bytes a block, 0 of them in front; the block's "
              "first element\n",
              "applies     DCP-FILL"},
             {"applies     ARITH-"});
  ExpectPage("data_copy_pad/fill-left-padding-alone-is-for-both-sides",
             {"padding: 28 bytes a block, 4 of them in front; -1.5 (0xbe00)"});
  ExpectPage("data_copy_pad/fill-unspecified-bytes-go-on",
             {"in front; no document states the value\n",
              "bytes are unspecified at the end and not compared"});
}

TEST_F(Explain, ReductionsNumberTheResultsOfAnIteration) {
  ExpectPage("block_reduce_sum/dst-rep-stride-2-counts-results",
             {"    iteration 0 result 0: exact 136\n",
              "    iteration 0 result 7: exact 1928\n",
              "    … 1 iteration left out; --all shows them\n"},
             {" iterations left out"});
}

TEST_F(Explain, VecTransDrawsTheMatrix) {
  ExpectPage("vec_trans/worked-three-blocks-dst-stride-2",
             {"src  1,17…241 |    1   17   33   49   65   81   97  113  "
              "129  145  161  177  193  209  225  241\n",
              "… 1 iteration left out"},
             {"applies     STATE-", "applies     ARITH-"});
}

TEST_F(Explain, TrowprodShowsTheTreeOfItsOrder) {
  ExpectPage(
      "trowprod/order-documented-half-rounding-c-530",
      {"530 columns = 4 repeats of 128 lanes and 18 tail columns",
       "tmp[k] = repeat 2k by repeat 2k+1, 2 pairs of columns 0-511",
       "columns 512-529 into tmp[0]", "levels 4-10 lane e by lane e+w, w = 64",
       "exact 4.563847010719459…e-1", "nearest half is 0.4563 (0x374d)",
       "error bound (1+2^-11)^529 - 1: kept"});
  ExpectPage("trowprod/order-block-lanes-half-rounding-c-530",
             {"column j into lane j mod 16", "in float, rounded to half once"});
}

TEST_F(Explain, RejectionNamesFieldsRangesAndBytes) {
  ExpectPage("repeat_reduce_sum/repeat-256-rejected",
             {"BROKEN      RRS-REPEAT ", "repeat is 256; 0 to 255 is allowed",
              "not reached RRS-BOUNDS", "it changed no byte"});
  ExpectPage(
      "repeat_reduce_sum/"
      "dst-of-iteration-0-is-src-of-iteration-1-rejected",
      {"BROKEN      RRS-OVERLAP-DEPENDENCY",
       "iteration 0 writes dst [1280, 1282) and iteration 1 reads src"});
}

TEST_F(Explain, AWrongExpectationIs1AndShownBesideWhatCameOut) {
  WriteCaseAs("wrong.json", "[35584]", "[1]");
  Expect(Lanediff("explain wrong.json"), 1,
         {.out = {"expected against actual: DISAGREE",
                  "expectation: emulator against expect: ",
                  "1 (0x3c00)         35584 (0x7858)     35584 (0x7858)     "
                  "DIFFERS"}});
}

TEST_F(Explain, WritesThePageOfACase) {
  WriteCaseAs("a<script>.json", "[35584]", "[1]");
  Expect(Lanediff("explain 'a<script>.json' --html page --target oracle"), 1);
  const std::string page = Slurp(In("page/index.html"));
  ExpectParts(page,
              {"<!doctype html>", R"("verb":"explain")", R"("target":"oracle")",
               R"(check 'a\u003cscript>.json' --target oracle)"});
  ExpectNone(page, {"a<script>.json"});
}

TEST_F(Explain, WrongUsageIs2AndOneLine) {
  WriteCaseAs("case.json", "[35584]", "[35584]");
  ExpectAllRefused({{"explain case.json --html case.json",
                     "--html: case.json: can't be made"},
                    {"explain case.json --target absent", "absent"}});
}

}  // namespace

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
