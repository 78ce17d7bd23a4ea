// Runs `lanediff audit` as a person does, on the smallest instruction.

#include <array>
#include <map>
#include <set>

#include "tools/cli/testing.h"

namespace lanediff::cli::test {
namespace {

class AuditVerb : public ProgramTest {
 protected:
  static constexpr const char* kSmall =
      "audit --instruction vec_trans --product atlas-a2 ";
  Result Audit(const std::string& more) const {
    return Lanediff(kSmall + more);
  }
  Json Report(const std::string& out) const {
    return ReadJson(out + "/audit.json");
  }
  void ExpectAllReports(const std::string& out) const {
    for (const char* name :
         {"audit.json", "audit.xml", "audit.sarif", "index.html"}) {
      EXPECT_GT(Slurp(In(out + "/" + name)).size(), 100u) << name;
    }
  }
  /// Of a sample: the status is that of all the same.
  Result Sample(const std::string& more) const {
    return Audit("--max-cases 10 --sample " + more);
  }
  /// A defect that the sample shows.
  inline static const std::string kDefect =
      "--target mutant:vt-repeat-4096-accepted ";
};

TEST_F(AuditVerb, WrongUsageIs2AndNamesWhatIsRight) {
  Spill(In("file"), "mine");
  fs::create_directories(In("full"));
  Spill(In("full/mine"), "mine");
  Spill(In("bad.json"), "{}");
  const std::string small = kSmall;
  ExpectAllRefused(
      {{small + "--out file", "lanediff: --out: file: is a file\n"},
       {small + "--out full",
        "--out: full: is not empty; a new folder is needed"},
       {small + "--out file/new", "--out: file/new: can't be made: "},
       {"audit --instruction nothing --out new",
        "--instruction: no instruction \"nothing\"; repeat_reduce_sum"},
       {"audit --instruction program --out new",
        "--instruction: no instruction \"program\""},
       {"audit --product atlas-9 --out new",
        "--product: expected atlas-training, "},
       {small + "--target nothing --out new", "--target: "},
       {small + "--target mutant:none --out new",
        "--target: no mutant \"none\""},
       {small + "--target oracle --out new",
        "the oracle is what an audit compares with"},
       {small + "--baseline none.json --out new", "none.json"},
       {small + "--baseline bad.json --out new", "bad.json"},
       {small + "--character none.json --out new", "--character: none.json"},
       {"audit", "--out"}});
  EXPECT_EQ(Slurp(In("file")), "mine");
  EXPECT_EQ(Slurp(In("full/mine")), "mine");
  EXPECT_FALSE(fs::exists(In("new")));
}

TEST_F(AuditVerb, IsDeterministicAndItsEvidenceReplays) {
  const Result one = Sample("--jobs 1 --out one");
  EXPECT_EQ(one.status, 0) << one.out << one.err;
  ExpectAllReports("one");
  const Result two = Sample("--jobs 2 --out two");
  EXPECT_EQ(two.status, 0) << two.err;
  EXPECT_EQ(one.out, two.out);
  Expect(Shell("diff -r one two"), 0);

  Expect(Lanediff("check one/cases"), 0, {.out = {" 0 disagree"}});
  std::size_t evidence = 0;
  const Json report = Report("one");
  for (const Json& rule : report.at("rules")) {
    for (const Json& cell : rule.at("cells")) {
      for (const Json& e : cell.at("evidence")) {
        ++evidence;
        EXPECT_TRUE(fs::exists(In("one/" + e.at("file").get<std::string>())));
      }
    }
  }
  EXPECT_GT(evidence, 20u);

  // As a baseline: nothing changed, and then one verdict.
  ExpectParts(
      Sample("--no-character --baseline one/audit.json --out three").out,
      {": 0 verdicts and 0 readings changed"});
  Json changed = report;
  for (Json& rule : changed.at("rules")) {
    if (rule.at("id") == "VT-REPEAT") {
      rule.at("cells").at(0).at("verdict") = "violated";
    }
  }
  Spill(In("earlier.json"), changed.dump());
  Expect(
      Sample("--no-character --baseline earlier.json --out four"), 0,
      {.out = {"changed VT-REPEAT on atlas-a2: violated before, enforced now\n",
               ": 1 verdicts and 0 readings changed"}});
}

TEST_F(AuditVerb, ASampleCoversEachRuleAndIsMarked) {
  const Result r =
      Audit("--max-cases 5 --sample --no-character --verbose --out out");
  EXPECT_EQ(r.status, 0) << r.err;
  const Json report = Report("out");
  const Json& sample = report.at("sample");
  ExpectMembers(sample, {{"/perRule", 5}, {"/cases", report.at("cases")}});
  EXPECT_GT(sample.at("of"), 20 * sample.at("cases").get<int>());
  ExpectMembers(report,
                {{"/complete", true}, {"/headline/tone", "incomplete"}});
  EXPECT_TRUE(Has(r.out, "; NOT compared: all but a sample of ")) << r.out;
  EXPECT_EQ(report.at("headline").at("rulesNotExercised"), 1) << r.out;

  Expect(InShards(kSmall + std::string("--max-cases 5 --sample --no-character"),
                  2),
         0);
  ExpectMembers(Report("merged"),
                {{"/sample", sample}, {"/rules", report.at("rules")}});

  // Each verdict has the share of the cases, and nothing ends with 0 by chance.
  const std::string share = " in a sample of " + sample.at("cases").dump() +
                            " of " + sample.at("of").dump() + " cases";
  for (const Json& rule : report.at("rules")) {
    EXPECT_EQ(rule.at("share").at("cases"), sample.at("cases"));
    const std::string start = rule.at("id").get<std::string>() + " ";
    const auto line = r.out.find("\n" + start);
    ASSERT_NE(line, std::string::npos) << start;
    const std::string text = r.out.substr(line, r.out.find(':', line) - line);
    EXPECT_TRUE(Has(text, share)) << text;
  }
  EXPECT_TRUE(Has(Slurp(In("out/audit.xml")), "enforced" + share));
  Expect(Audit("--max-cases 5 --no-character --out bare"), 2,
         {.err = {"give --sample where a sample is meant"}});
  EXPECT_EQ(Audit("--max-cases 1000000 --no-character --out all").status, 0)
      << "a sample of all is none";
}

TEST_F(AuditVerb, OpensWithASentenceAndASmallPage) {
  const Result r = Sample(kDefect + "--out out");
  EXPECT_EQ(r.status, 1) << r.err;
  ExpectAllReports("out");
  const Json report = Report("out");
  const std::string sentence = report.at("headline").at("sentence");
  EXPECT_TRUE(r.out.starts_with(sentence + "\n")) << r.out;
  EXPECT_TRUE(sentence.starts_with("2 findings in 1 of 1 instruction; "))
      << sentence;
  ExpectParts(sentence, {" 1 violated; "});
  const Json& group = report.at("groups").at(0);
  ExpectMembers(group, {{"/class", "legality"}, {"/instruction", "vec_trans"}});
  EXPECT_TRUE(fs::exists(In("out/" + group.at("path").get<std::string>())));
  EXPECT_FALSE(report.at("about").at("character").empty()) << "mask-after";

  const std::string page = Slurp(In("out/index.html"));
  EXPECT_LE(page.size(), std::size_t{1} << 20);
  EXPECT_TRUE(Has(page, sentence));
  EXPECT_TRUE(fs::exists(In("out/parts/rule-VT-REPEAT.js")));
  EXPECT_TRUE(fs::exists(In("out/parts/case-1.js")));

  // The smallest case shows it again.
  for (const Json& rule : report.at("rules")) {
    if (rule.at("id") != "VT-REPEAT") continue;
    EXPECT_EQ(rule.at("verdict"), "violated");
    const Json& first = rule.at("cells").at(0).at("evidence").at(0);
    const std::string file = first.at("file");
    ExpectParts(file, {"-smallest.json"});
    ExpectMembers(ReadJson("out/" + file),
                  {{"/origin/signature", first.at("signature")},
                   {"/origin/target", "mutant:vt-repeat-4096-accepted"}});
    Expect(Shell("cd out && " + first.at("reproduce").get<std::string>()), 1);
  }

  // Without the bug it is gone, with it still there.
  ExpectParts(
      Sample("--no-character --baseline out/audit.json --out fixed").out,
      {": 0 findings new, 2 gone, 0 still there"});
  EXPECT_TRUE(Report("fixed").at("about").at("character").empty());
  ExpectParts(
      Sample(kDefect + "--no-character --baseline out/audit.json --out same")
          .out,
      {": 0 findings new, 0 gone, 2 still there"});
  EXPECT_EQ(Report("same").at("groups").at(0).at("since"), "still");
}

TEST_F(AuditVerb, TheCharacterOfAFileIsOfThisTarget) {
  Expect(Lanediff("characterise --instruction vec_trans --json c.json"), 0);
  EXPECT_EQ(Sample("--character c.json --out out").status, 0);
  EXPECT_FALSE(Report("out").at("about").at("character").empty());
  ExpectRefused(Sample(kDefect + "--character c.json --out new"),
                "--character: c.json: /target: found \"emulator\"; "
                "\"mutant:vt-repeat-4096-accepted\" is allowed");
  EXPECT_FALSE(fs::exists(In("new")));
}

TEST_F(AuditVerb, SeveralTargetsAreAuditedOneAfterTheOtherAndCompared) {
  const Result r = Sample(
      "--no-character --target emulator "
      "--target mutant:vt-repeat-4096-accepted --out out");
  EXPECT_EQ(r.status, 1) << r.err;
  for (const char* folder : {"emulator", "mutant-vt-repeat-4096-accepted"}) {
    ExpectAllReports(std::string("out/") + folder);
  }
  ExpectParts(r.out, {"target emulator\n", "target mutant:vt-repeat-4096",
                      "the targets differ in 1 of ", " verdicts and 0 of "});
  const Json comparison = ReadJson("out/comparison.json");
  ExpectMembers(comparison,
                {{"/complete", true},
                 {"/targets/0/target", "emulator"},
                 {"/targets/0/status", 0},
                 {"/targets/1/folder", "mutant-vt-repeat-4096-accepted"},
                 {"/targets/1/status", 1}});
  for (const Json& rule : comparison.at("rules")) {
    const bool broken = rule.at("id") == "VT-REPEAT";
    const Json& verdicts = rule.at("cells").at(0).at("verdicts");
    EXPECT_EQ(verdicts.at(0) != verdicts.at(1), broken) << rule.at("id");
  }
  EXPECT_TRUE(Has(Slurp(In("out/index.html")), "\"kind\":\"comparison\""));
}

TEST_F(AuditVerb, InterruptedAComparisonIsNotComplete) {
  const Result r = Shell(
      "lanediff audit --jobs 1 --target emulator "
      "--target mutant:vt-repeat-4096-accepted --out out & pid=$!; "
      "until [ -d out/emulator ]; do kill -0 $pid || exit 99; done; "
      "kill -INT $pid; wait $pid");
  EXPECT_EQ(r.status, 2) << r.err;
  ExpectAllReports("out/emulator");
  ExpectParts(r.out,
              {"NOT COMPLETE: emulator: not audited as a whole\n",
               "NOT COMPLETE: mutant:vt-repeat-4096-accepted: not audited\n",
               "the targets differ in 0 of 0 verdicts and 0 of 0 readings\n"});
  ExpectMembers(ReadJson("out/comparison.json"),
                {{"/complete", false},
                 {"/targets/0/status", 2},
                 {"/targets/1/status", 2},
                 {"/targets/1/sentence", "not audited"}});
}

TEST_F(AuditVerb, WhatIsOfOneTargetIsRefusedOfSeveral) {
  const std::string two =
      "--target emulator --target mutant:vt-strides-swapped --out out ";
  for (const Refusal& refusal :
       {Refusal{two + "--baseline b.json", "--baseline: it is of one target"},
        Refusal{two + "--character c.json", "--character: it is of one target"},
        Refusal{two + "--shard 0/2", "--shard: found 2 of --target"},
        Refusal{two + "--target emulator", "found \"emulator\" several times"},
        Refusal{two + "--target oracle", "the oracle is what an audit"},
        Refusal{two + "--target mutant:none", "no mutant \"none\""}}) {
    ExpectRefused(Sample(refusal.arguments), refusal.message);
    EXPECT_FALSE(fs::exists(In("out")));
  }
}

TEST_F(AuditVerb, AChildThatEndsIs3AndEverythingIsWritten) {
  // A child that is found may end before it is killed: one that is stopped
  // can't. Each audits; one that also characterised would not count.
  // Those that look for it get the processor first.
  Expect(
      Shell(
          "nice -n 4 lanediff " + std::string(kSmall) +
          "--max-cases 400 --sample --jobs 1 --no-character --out out & "
          "pid=$!; "
          "until grep -qs "
          "'^State:.T' /proc/$child/status; do kill -0 $pid || exit 99; "
          "child=$(cut -d' ' -f1 /proc/$pid/task/$pid/children); [ -z "
          "\"$child\" ] || kill -STOP $child; done; kill -9 $child; wait $pid"),
      3);
  ExpectAllReports("out");
  ExpectMembers(Report("out"), {{"/crashed", 1}, {"/interrupted", false}});
}

TEST_F(AuditVerb, InterruptedItKeepsWhatWasAudited) {
  // A background job of a shell without job control ignores SIGINT, which the
  // program undoes. Its second process begins when the first has answered.
  const Result r = Shell(
      "lanediff audit --jobs 1 --out out & pid=$!; until "
      "now=$(cat /proc/$pid/task/$pid/children); first=${first:-$now}; "
      "[ -n \"$now\" ] && [ \"$now\" != \"$first\" ]; do "
      "kill -0 $pid || exit 99; done; kill -INT $pid; wait $pid");
  EXPECT_TRUE(Has(r.err, "lanediff: interrupted after ")) << r.err;
  ExpectAllReports("out");
  const Json report = Report("out");
  EXPECT_EQ(r.status, 2) << r.out;
  ExpectParts(r.out, {"audit: interrupted; "});
  ExpectMembers(report, {{"/interrupted", true}, {"/complete", false}});
  EXPECT_GT(report.at("cases"), 0);
  EXPECT_TRUE(Has(Slurp(In("out/audit.json")), "the audit was interrupted"));
}

TEST_F(AuditVerb, OutcomesThatWereRecordedAreAuditedAndTheRestCounted) {
  EXPECT_EQ(Sample("--no-character --out first").status, 0);
  Expect(Lanediff("exec first/cases --out rec"), 0);
  const Result r = Audit("--target recorded:rec --out second");
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  const Json first = Report("first");
  const Json second = Report("second");
  EXPECT_EQ(first.at("unsupported"), 0);
  EXPECT_GT(first.at("cases"), 5 * second.at("cases").get<int>());
  // Nothing is run that was not recorded.
  EXPECT_EQ(second.at("unsupported"), 0);
  std::size_t recorded = 0;
  for (const auto& entry : fs::recursive_directory_iterator(In("rec/audit"))) {
    recorded += entry.path().extension() == ".json" ? 1 : 0;
  }
  EXPECT_EQ(second.at("cases"), recorded);
  std::map<std::string, std::string> before;
  for (const Json& rule : first.at("rules")) {
    before[rule.at("id")] = rule.at("verdict");
  }
  std::size_t exercised = 0;
  for (const Json& rule : second.at("rules")) {
    if (rule.at("verdict") == "not exercised") {
      const std::string reason = rule.at("cells").at(0).at("reason");
      EXPECT_TRUE(reason == "no outcome that shows it was recorded" ||
                  reason == "no call can break it on this product")
          << rule.at("id") << ": " << reason;
      continue;
    }
    ++exercised;
    EXPECT_EQ(rule.at("verdict"), before.at(rule.at("id"))) << rule.at("id");
  }
  EXPECT_GT(exercised, 10u);
  // The compared cases are the recorded ones, also on the page.
  const std::uint64_t compared = second.at("compared");
  EXPECT_EQ(compared, second.at("cases").get<std::uint64_t>());
  EXPECT_EQ(second.at("headline").at("tone"), "incomplete");
  EXPECT_TRUE(Has(r.out, "NOT compared: what was not recorded")) << r.out;
  EXPECT_LT(compared, 100u);
  EXPECT_TRUE(Has(r.out, "audit: " + std::to_string(compared) + " of "));
  for (const Json& rule : second.at("rules")) {
    for (const Json& cell : rule.at("cells")) {
      EXPECT_LE(cell.at("compared").get<std::uint64_t>(), compared);
    }
  }
  for (const Json& entry : second.at("disagreements")) {
    EXPECT_EQ(entry.at("follows"),
              entry.at("file") == "" ? "undecided" : "chosen")
        << entry.at("id");
  }
}

TEST_F(AuditVerb, WhatWasRecordedOfADefectSpeaksAgainstItsRuleAlone) {
  // A broken boundary, wrong addresses, wrong roundings, wrong lanes: with
  // other rules in the same cases.
  for (const auto& [slug, mutant, rule] :
       {std::array<std::string, 3>{"vec_trans", "vt-repeat-zero-accepted",
                                   "VT-REPEAT"},
        {"vec_trans", "vt-strides-swapped", "VT-ADDRESS"},
        {"repeat_reduce_sum", "rrs-truncates", "ARITH-ROUND"},
        {"min", "min-mask-words-swapped", "MIN-MASK-LANES"}}) {
    const std::string on =
        "audit --instruction " + slug + " --product atlas-a2 ";
    const std::string first = "first-" + slug;
    if (!fs::exists(In(first))) {
      Expect(Lanediff(on + "--max-cases 40 --sample --no-character --out " +
                      first),
             0);
    }
    Expect(Lanediff("exec " + first + "/cases --out rec-" + mutant +
                    " --target mutant:" + mutant),
           0);
    Expect(Lanediff(on + "--target recorded:rec-" + mutant + " --out of-" +
                    mutant),
           1);
    std::set<std::string> wrong;
    const Json report = Report("of-" + mutant);
    for (const Json& one : report.at("rules")) {
      const std::string verdict = one.at("verdict");
      if (verdict == "violated" || verdict == "contradicted") {
        wrong.insert(one.at("id"));
      }
    }
    EXPECT_EQ(wrong, std::set<std::string>{rule}) << mutant;
  }
}

/// A sample of every rule of every instruction, on every product.
TEST_F(AuditVerb, TheEmulatorKeepsEveryRuleAndEveryHoleHasAReason) {
  Expect(Lanediff("audit --max-cases 20 --sample --no-character --out out"), 0);
  const Json report = Report("out");
  ExpectMembers(report, {{"/crashed", 0}, {"/hung", 0}, {"/unsupported", 0}});
  std::size_t cells = 0;
  for (const Json& rule : report.at("rules")) {
    const std::string right =
        rule.at("effect") == "reject" ? "enforced" : "confirmed";
    ASSERT_FALSE(rule.at("cells").empty()) << rule.at("id");
    bool exercised = false;
    bool shown = false;
    for (const Json& cell : rule.at("cells")) {
      ++cells;
      const std::string where = rule.at("id").get<std::string>() + " on " +
                                cell.at("product").get<std::string>();
      if (cell.at("verdict") == "not exercised") {
        const std::string reason = cell.at("reason");
        EXPECT_NE(reason, "") << where;
        EXPECT_NE(reason, "no case was compared") << where;
        continue;
      }
      EXPECT_EQ(cell.at("verdict"), right) << where;
      exercised = true;
      shown = shown || !cell.at("evidence").empty();
    }
    EXPECT_TRUE(shown || !exercised) << rule.at("id");
  }
  // Every rule of the catalogue that a target has a part in, each on some
  // product: not those of lint and of kernels.
  const Json rules =
      Json::parse(Lanediff("list rules --json -").out).at("rules");
  const auto of_lint = std::ranges::count_if(rules, [](const Json& rule) {
    return rule.at("effect") == "hazard" || rule.at("id") == "SYNC-AUTO" ||
           rule.at("instruction") == "kernel";
  });
  EXPECT_GT(of_lint, 0);
  EXPECT_EQ(report.at("rules").size(),
            rules.size() - static_cast<std::size_t>(of_lint));
  EXPECT_GT(cells, 200u);
}

}  // namespace
}  // namespace lanediff::cli::test
