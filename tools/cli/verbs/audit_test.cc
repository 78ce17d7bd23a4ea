// Runs `lanediff audit` as a person does, on the smallest instruction.

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "tools/cli/testing.h"

namespace lanediff::cli::test {
namespace {

using Json = nlohmann::json;

class AuditVerb : public ProgramTest {
 protected:
  static constexpr const char* kSmall =
      "audit --instruction vec_trans --product atlas-a2 ";
  Result Audit(const std::string& more) const {
    return Lanediff(kSmall + more);
  }
  Json Report(const std::string& out) const {
    return Json::parse(Slurp(In(out + "/audit.json")));
  }
  void ExpectAllReports(const std::string& out) const {
    for (const char* name :
         {"audit.json", "audit.xml", "audit.sarif", "index.html"}) {
      EXPECT_GT(Slurp(In(out + "/" + name)).size(), 100u) << name;
    }
  }
  void ExpectUsage(const Result& r, const std::string& message) const {
    EXPECT_EQ(r.status, 2) << r.out;
    EXPECT_EQ(r.out, "");
    EXPECT_TRUE(Has(r.err, message)) << r.err;
    EXPECT_EQ(std::count(r.err.begin(), r.err.end(), '\n'), 1) << r.err;
  }
};

TEST_F(AuditVerb, WrongUsageIs2AndNamesWhatIsRight) {
  Spill(In("file"), "mine");
  fs::create_directories(In("full"));
  Spill(In("full/mine"), "mine");
  ExpectUsage(Audit("--out file"), "lanediff: --out: file: is a file\n");
  ExpectUsage(Audit("--out full"),
              "--out: full: is not empty; a new folder is needed");
  ExpectUsage(Audit("--out file/new"), "--out: file/new: can't be made: ");
  EXPECT_EQ(Slurp(In("file")), "mine");
  EXPECT_EQ(Slurp(In("full/mine")), "mine");

  ExpectUsage(Lanediff("audit --instruction div --out new"),
              "--instruction: no instruction \"div\"; repeat_reduce_sum");
  ExpectUsage(Lanediff("audit --instruction program --out new"),
              "--instruction: no instruction \"program\"");
  ExpectUsage(Lanediff("audit --product atlas-9 --out new"),
              "--product: no product \"atlas-9\"; atlas-training");
  ExpectUsage(Audit("--target nothing --out new"), "--target: ");
  ExpectUsage(Audit("--target mutant:none --out new"),
              "--target: no mutant \"none\"");
  ExpectUsage(Audit("--target oracle --out new"),
              "the oracle is what an audit compares with");
  ExpectUsage(Audit("--baseline none.json --out new"), "none.json");
  Spill(In("bad.json"), "{}");
  ExpectUsage(Audit("--baseline bad.json --out new"), "bad.json");
  EXPECT_FALSE(fs::exists(In("new")));
  EXPECT_NE(Lanediff("audit").status, 0);
}

TEST_F(AuditVerb, IsDeterministicAndItsEvidenceReplays) {
  const Result one = Audit("--jobs 1 --out one");
  EXPECT_EQ(one.status, 0) << one.out << one.err;
  ExpectAllReports("one");
  const Result two = Audit("--jobs 2 --out two");
  EXPECT_EQ(two.status, 0) << two.err;
  EXPECT_EQ(one.out, two.out);
  const Result same = Shell("diff -r one two");
  EXPECT_EQ(same.status, 0) << same.out;

  const Result check = Lanediff("check one/cases");
  EXPECT_EQ(check.status, 0) << check.out << check.err;
  EXPECT_TRUE(Has(check.out, " 0 disagree")) << check.out;
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
  EXPECT_TRUE(Has(Audit("--jobs 2 --baseline one/audit.json --out three").out,
                  ": 0 verdicts and 0 readings changed"));
  std::string earlier = Slurp(In("one/audit.json"));
  Json changed = Json::parse(earlier);
  for (Json& rule : changed.at("rules")) {
    if (rule.at("id") == "VT-REPEAT") {
      rule.at("cells").at(0).at("verdict") = "violated";
    }
  }
  Spill(In("earlier.json"), changed.dump());
  const Result against = Audit("--jobs 2 --baseline earlier.json --out four");
  EXPECT_EQ(against.status, 0) << against.err;
  EXPECT_TRUE(Has(against.out,
                  "changed VT-REPEAT on atlas-a2: violated before, enforced "
                  "now\n"))
      << against.out;
  EXPECT_TRUE(Has(against.out, ": 1 verdicts and 0 readings changed"));
}

TEST_F(AuditVerb, ASampleCoversEachRuleAndIsMarked) {
  const Result r = Audit("--cases 5 --sample --no-character --out out");
  EXPECT_EQ(r.status, 0) << r.err;
  const Json report = Report("out");
  const Json& sample = report.at("sample");
  EXPECT_EQ(sample.at("perRule"), 5);
  EXPECT_EQ(sample.at("cases"), report.at("cases"));
  EXPECT_GT(sample.at("of"), 20 * sample.at("cases").get<int>());
  EXPECT_EQ(report.at("complete"), true);
  EXPECT_EQ(report.at("headline").at("tone"), "incomplete");
  EXPECT_TRUE(Has(r.out, "; NOT compared: all but a sample of ")) << r.out;
  EXPECT_EQ(report.at("headline").at("rulesNotExercised"), 1) << r.out;

  for (const char* i : {"0", "1"}) {
    Audit(std::string("--cases 5 --sample --no-character --shard ") + i +
          "/2 --out part" + i);
  }
  const Result merged = Lanediff("merge part0 part1 --out merged");
  EXPECT_EQ(merged.status, 0) << merged.err;
  EXPECT_EQ(Report("merged").at("sample"), sample);
  EXPECT_EQ(Report("merged").at("rules"), report.at("rules"));

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
  const Result bare = Audit("--cases 5 --no-character --out bare");
  EXPECT_EQ(bare.status, 2);
  EXPECT_TRUE(Has(bare.err, "give --sample where a sample is meant"))
      << bare.err;
  EXPECT_EQ(Audit("--cases 1000000 --no-character --out all").status, 0)
      << "a sample of all is none";
}

TEST_F(AuditVerb, OpensWithASentenceAndASmallPage) {
  const Result r = Audit("--target mutant:vt-repeat-zero-accepted --out out");
  const Json report = Report("out");
  const std::string sentence = report.at("headline").at("sentence");
  EXPECT_TRUE(r.out.starts_with(sentence + "\n")) << r.out;
  EXPECT_TRUE(sentence.starts_with("2 findings in 1 of 1 instruction; "))
      << sentence;
  EXPECT_TRUE(Has(sentence, " 1 violated; ")) << sentence;
  const Json& group = report.at("groups").at(0);
  EXPECT_EQ(group.at("class"), "legality");
  EXPECT_EQ(group.at("instruction"), "vec_trans");
  EXPECT_TRUE(fs::exists(In("out/" + group.at("path").get<std::string>())));
  EXPECT_FALSE(report.at("about").at("character").empty()) << "mask-after";

  const std::string page = Slurp(In("out/index.html"));
  EXPECT_LE(page.size(), std::size_t{1} << 20);
  EXPECT_TRUE(Has(page, sentence));
  EXPECT_TRUE(fs::exists(In("out/parts/rule-VT-REPEAT.js")));
  EXPECT_TRUE(fs::exists(In("out/parts/case-1.js")));

  // Without the bug it is gone, with it still there.
  const Result fixed =
      Audit("--no-character --baseline out/audit.json --out fixed");
  EXPECT_TRUE(Has(fixed.out, ": 0 findings new, 2 gone, 0 still there"))
      << fixed.out;
  EXPECT_TRUE(Report("fixed").at("about").at("character").empty());
  const Result same = Audit(
      "--target mutant:vt-repeat-zero-accepted --no-character --baseline "
      "out/audit.json --out same");
  EXPECT_TRUE(Has(same.out, ": 0 findings new, 0 gone, 2 still there"));
  EXPECT_EQ(Report("same").at("groups").at(0).at("since"), "still");
}

TEST_F(AuditVerb, TheCharacterOfAFileIsOfThisTarget) {
  ASSERT_EQ(
      Lanediff("characterise --instruction vec_trans --json c.json").status, 0);
  EXPECT_EQ(Audit("--character c.json --out out").status, 0);
  EXPECT_FALSE(Report("out").at("about").at("character").empty());
  ExpectUsage(
      Audit("--target mutant:vt-repeat-zero-accepted --character c.json "
            "--out new"),
      "--character: c.json: /target: found \"emulator\"; "
      "\"mutant:vt-repeat-zero-accepted\" is allowed");
  ExpectUsage(Audit("--character none.json --out new"),
              "--character: none.json");
  EXPECT_FALSE(fs::exists(In("new")));
}

TEST_F(AuditVerb, AMutantIs1AndItsSmallestCaseShowsIt) {
  const Result r = Audit("--target mutant:vt-repeat-zero-accepted --out out");
  EXPECT_EQ(r.status, 1) << r.err;
  ExpectAllReports("out");
  const Json report = Report("out");
  for (const Json& rule : report.at("rules")) {
    if (rule.at("id") != "VT-REPEAT") continue;
    EXPECT_EQ(rule.at("verdict"), "violated");
    const Json& first = rule.at("cells").at(0).at("evidence").at(0);
    EXPECT_TRUE(Has(first.at("file").get<std::string>(), "-smallest.json"));
    const Json origin =
        Json::parse(Slurp(In("out/" + first.at("file").get<std::string>())))
            .at("origin");
    EXPECT_EQ(origin.at("signature"), first.at("signature"));
    EXPECT_EQ(origin.at("target"), "mutant:vt-repeat-zero-accepted");
    const Result again =
        Shell("cd out && " + first.at("reproduce").get<std::string>());
    EXPECT_EQ(again.status, 1) << again.out << again.err;
    return;
  }
  ADD_FAILURE() << "no VT-REPEAT";
}

TEST_F(AuditVerb, AChildThatEndsIs3AndEverythingIsWritten) {
  // A child that is found may end before it is killed: one that is stopped
  // can't. Each audits; one that also characterised would not count.
  // Those that look for it get the processor first.
  const Result r = Shell(
      "nice -n 19 lanediff " + std::string(kSmall) +
      "--jobs 1 --no-character --out out & pid=$!; until grep -qs '^State:.T' "
      "/proc/$child/status; do kill -0 $pid || exit 99; "
      "child=$(cut -d' ' -f1 /proc/$pid/task/$pid/children); "
      "[ -z \"$child\" ] || kill -STOP $child; done; "
      "kill -9 $child; wait $pid");
  EXPECT_EQ(r.status, 3) << r.out << r.err;
  ExpectAllReports("out");
  EXPECT_EQ(Report("out").at("crashed"), 1);
  EXPECT_EQ(Report("out").at("interrupted"), false);
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
  EXPECT_EQ(report.at("interrupted"), true);
  EXPECT_EQ(report.at("complete"), false);
  EXPECT_GT(report.at("cases"), 0);
  EXPECT_TRUE(Has(Slurp(In("out/audit.json")), "the audit was interrupted"));
}

TEST_F(AuditVerb, OutcomesThatWereRecordedAreAuditedAndTheRestCounted) {
  EXPECT_EQ(Audit("--out first").status, 0);
  const Result made = Lanediff("exec first/cases --out rec");
  ASSERT_EQ(made.status, 0) << made.out << made.err;
  const Result r = Audit("--target recorded:rec --out second");
  EXPECT_EQ(r.status, 0) << r.out << r.err;
  const Json first = Report("first");
  const Json second = Report("second");
  EXPECT_EQ(first.at("unsupported"), 0);
  EXPECT_GT(first.at("cases"), 1000);
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
  struct Row {
    const char* slug;
    const char* mutant;
    const char* rule;
  };
  // A broken boundary, wrong addresses, wrong roundings, wrong lanes: with
  // other rules in the same cases.
  for (const Row& row :
       {Row{"vec_trans", "vt-repeat-zero-accepted", "VT-REPEAT"},
        Row{"vec_trans", "vt-strides-swapped", "VT-ADDRESS"},
        Row{"repeat_reduce_sum", "rrs-truncates", "ARITH-ROUND"},
        Row{"min", "min-mask-words-swapped", "MIN-MASK-LANES"}}) {
    const std::string on =
        std::string("audit --instruction ") + row.slug + " --product atlas-a2 ";
    const std::string name = row.mutant;
    const std::string first = std::string("first-") + row.slug;
    if (!fs::exists(In(first))) {
      ASSERT_EQ(Lanediff(on + "--out " + first).status, 0);
    }
    ASSERT_EQ(Lanediff("exec " + first + "/cases --out rec-" + name +
                       " --target mutant:" + name)
                  .status,
              0);
    const Result r =
        Lanediff(on + "--target recorded:rec-" + name + " --out of-" + name);
    EXPECT_EQ(r.status, 1) << r.out << r.err;
    std::set<std::string> wrong;
    const Json report = Report("of-" + name);
    for (const Json& rule : report.at("rules")) {
      const std::string verdict = rule.at("verdict");
      if (verdict == "violated" || verdict == "contradicted") {
        wrong.insert(rule.at("id"));
      }
    }
    EXPECT_EQ(wrong, std::set<std::string>{row.rule}) << name;
  }
}

}  // namespace
}  // namespace lanediff::cli::test
