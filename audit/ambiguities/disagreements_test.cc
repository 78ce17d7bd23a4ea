// Entries of disagreement: each is complete, its case distinguishes its
// readings, and targets are judged by it.

#include "audit/ambiguities/disagreements.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "audit/audit.h"
#include "audit/testing.h"
#include "differential/compare/check.h"
#include "differential/targets/find_target.h"
#include "differential/testcase/case_reader.h"
#include "isa/catalogue.h"
#include "isa/documents_testing.h"

namespace lanediff::audit {
namespace {

namespace fs = std::filesystem;
const fs::path kTop = LANEDIFF_SOURCE_DIR;

const Disagreement* FindDisagreement(std::string_view id) {
  const auto all = Disagreements();
  const auto found = std::ranges::find(all, id, &Disagreement::id);
  return found == all.end() ? nullptr : &*found;
}

AuditedDisagreement Judged(std::string_view id, std::string_view target) {
  const Disagreement* const entry = FindDisagreement(id);
  const auto found = diff::FindTarget(target);
  EXPECT_NE(entry, nullptr) << id;
  EXPECT_TRUE(found) << target;
  if (entry == nullptr || !found) return {};
  return Judge(*entry, **found);
}

TEST(Disagreements, EachIsComplete) {
  std::set<std::string_view> ids;
  std::set<std::string_view> names;
  int without = 0;
  for (const Disagreement& entry : Disagreements()) {
    SCOPED_TRACE(entry.id);
    EXPECT_TRUE(entry.id.starts_with("DOC-")) << entry.id;
    EXPECT_TRUE(ids.insert(entry.id).second) << entry.id;
    EXPECT_FALSE(entry.title.empty()) << entry.id;
    EXPECT_FALSE(entry.why.empty()) << entry.id;
    EXPECT_FALSE(entry.chosen.text.empty()) << entry.id;
    EXPECT_FALSE(entry.others.empty()) << entry.id;
    EXPECT_NE(entry.cases.empty(), entry.undecidable.empty()) << entry.id;
    EXPECT_FALSE(entry.rules.empty()) << entry.id;
    std::vector<Reading> readings = {entry.chosen};
    readings.insert(readings.end(), entry.others.begin(), entry.others.end());
    for (const Reading& reading : readings) {
      isa::ExpectCitation(reading.document, reading.quote);
      without += reading.quote.starts_with(isa::kNoQuotation) ? 1 : 0;
    }
    for (isa::RuleId rule : entry.rules) {
      EXPECT_NE(isa::FindRule(rule.text()), nullptr) << rule.text();
    }
    for (const std::string& name : entry.cases) {
      EXPECT_TRUE(names.insert(name).second) << name;
    }
  }
  EXPECT_GE(ids.size(), 30u);
  EXPECT_EQ(without, 14) << "readings of code and of a figure";
}

TEST(Disagreements, EachFileBelongsToAnEntryAndIsCompiledInAsItIs) {
  std::set<std::string> wanted = {"audit/ambiguities/entries.json"};
  for (const Disagreement& entry : Disagreements()) {
    for (const std::string& name : entry.cases) {
      wanted.insert("corpus/disagreements/" + name + ".json");
      for (const OtherReading& other : entry.others) {
        wanted.insert("audit/ambiguities/readings/" + name + "." + other.word +
                      ".json");
      }
    }
  }
  std::set<std::string> embedded;
  for (const EmbeddedText& text : EmbeddedTexts()) {
    embedded.insert(std::string(text.file));
    std::ifstream file(kTop / text.file);
    const std::string on_disk{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(text.text, on_disk) << text.file;
  }
  EXPECT_EQ(embedded, wanted);
}

TEST(Disagreements, ReadingsDifferInTheOutcomeAlone) {
  for (const Disagreement& entry : Disagreements()) {
    std::vector<isa::RuleId> rules = entry.rules;
    std::ranges::sort(rules);
    std::vector<isa::RuleId> shown;
    for (const std::string& name : entry.cases) {
      const std::vector<Case> readings = CasesOf(entry, name);
      EXPECT_EQ(readings[0].id, "disagreements/" + name);
      std::ranges::copy(readings[0].requirement, std::back_inserter(shown));
      for (std::size_t i = 1; i < readings.size(); ++i) {
        EXPECT_EQ(readings[i].product, readings[0].product) << entry.id;
        EXPECT_EQ(readings[i].memory, readings[0].memory) << entry.id;
        EXPECT_EQ(readings[i].program, readings[0].program) << entry.id;
      }
    }
    std::ranges::sort(shown);
    shown.erase(std::ranges::unique(shown).begin(), shown.end());
    if (entry.cases.empty()) continue;
    EXPECT_EQ(shown, rules) << entry.id;
  }
}

// The recorded outcome of each reading, in turn, identifies a target that
// follows the reading.
TEST(Disagreements, EachReadingDiffersFromTheOthers) {
  for (const Disagreement& entry : Disagreements()) {
    for (std::size_t i = 0; i <= entry.others.size(); ++i) {
      if (entry.cases.empty()) continue;
      const test::RecordedHere as_read(
          "oracle", [&](const Case& c, Outcome& outcome) {
            const std::string name = c.id.substr(c.id.find('/') + 1);
            const Expectation e = *CasesOf(entry, name)[i].expect;
            outcome.status = e.rejected ? Outcome::Status::kRejected
                                        : Outcome::Status::kExecuted;
            outcome.step = e.step;
            outcome.rules.reset();
            if (e.rejected) outcome.rules = e.rules;
            // Readings without notes leave those of the chosen.
            if (e.notes) outcome.notes = e.notes;
            outcome.memory = e.memory;
            return true;
          });
      const AuditedDisagreement judged = Judge(entry, as_read);
      EXPECT_EQ(judged.follows, i == 0 ? Follows::kChosen : Follows::kOther)
          << entry.id << " " << i << ": " << judged.message;
    }
  }
}

// One element, or a refused call, distinguishes every reading from the others.
TEST(Disagreements, OutcomesOfAnEntryAreAllDifferent) {
  for (const Disagreement& entry : Disagreements()) {
    const std::vector<std::string> outcomes = OutcomesOf(entry);
    const std::set<std::string> distinct(outcomes.begin(), outcomes.end());
    EXPECT_EQ(distinct.size(), outcomes.size()) << entry.id;
  }
}

TEST(Disagreements, EmulatorAndOracleFollowTheChosenReadings) {
  for (const Disagreement& entry : Disagreements()) {
    for (const std::string target : {"emulator", "oracle"}) {
      const AuditedDisagreement judged = Judged(entry.id, target);
      EXPECT_EQ(judged.follows,
                entry.cases.empty() ? Follows::kUndecided : Follows::kChosen)
          << entry.id << " " << target << ": " << judged.message;
      EXPECT_EQ(judged.readings.size(), 1 + entry.others.size());
      EXPECT_FALSE(judged.message.empty());
    }
  }
}

TEST(Disagreements, MutantsFollowOtherReadingsOrNone) {
  struct Row {
    std::string mutant;
    std::string_view id;
    Follows follows = Follows::kOther;
    std::string_view message = "";  ///< a part of it
  };
  const std::vector<Row> rows = {
      {"rrs-overlap-iteration-in-place-refused", "DOC-RRS-COMPLETE-OVERLAP"},
      {"rrs-dst-align-32", "DOC-RRS-DST-ALIGN"},
      {"rrs-src-blk-stride-ignored", "DOC-RRS-CONTIGUOUS-256"},
      {"rrs-saturation-missing", "DOC-RRS-NEGATIVE-BOUND"},
      {"rrs-subnormal-sums-flushed", "DOC-SUBNORMALS"},
      {"min-overlap-exception-both-strides", "DOC-MIN-SLASH"},
      {"min-overlap-sources-always", "DOC-MIN-SOURCES"},
      {"dc-example-route-refused", "DOC-DC-EXAMPLE-ROUTE"},
      {"dc-dst-gap-head-to-head", "DOC-DC-GAP"},
      {"dc-count-in-unit-of-dst", "DOC-DC-COUNT-AT-C2"},
      {"trp-documented-as-block-lanes", "DOC-TRP-ORDER"},
      {"trp-pairs-dropped-float", "DOC-TRP-PAIRS"},
      {"trp-tmp-dtype-unchecked", "DOC-TRP-TMP-TYPE"},
      {"vt-dst-stride-in-blocks", "DOC-VT-UNITS"},
      {"vt-src-stride-tail-to-head", "DOC-VT-HEAD-TO-HEAD"},
      // Two readings of one question.
      {"min-product-a3-refused", "DOC-A3", Follows::kNeither},
      {"rrs-overlap-dependency-next-only", "DOC-NEXT-ITERATION",
       Follows::kNeither},
      {"min-product-200i-refused", "DOC-200-500", Follows::kNeither},
      {"trp-saturation-missing", "DOC-SATURATION-DEFAULT", Follows::kNeither},
      // Another outcome.
      {"rrs-mask-empty-note-missing", "DOC-RRS-EMPTY-MASK", Follows::kNeither,
       "missing RRS-MASK-EMPTY"},
  };
  for (const Row& row : rows) {
    const AuditedDisagreement judged = Judged(row.id, "mutant:" + row.mutant);
    EXPECT_EQ(judged.follows, row.follows)
        << row.mutant << " " << row.id << ": " << judged.message;
    EXPECT_NE(judged.message.find(row.message), std::string::npos)
        << judged.message;
  }
}

TEST(Disagreements, MessageHasEachReadingAndWhatWasFound) {
  const AuditedDisagreement judged = Judged("DOC-RRS-35604", "emulator");
  EXPECT_EQ(judged.message,
            "chosen: UB byte 0 (half) is 35584 (0x7858); other (as-printed): "
            "UB byte 0 (half) is 35616 (0x7859); found: UB byte 0 (half) is "
            "35584 (0x7858)");
  EXPECT_EQ(judged.file, "cases/disagreements/rrs-35604.json");
  EXPECT_EQ(judged.reproduce,
            "lanediff check cases/disagreements/rrs-35604.json");
  EXPECT_EQ(judged.product, isa::Product::kAtlasA2);
}

TEST(Disagreements, AnAuditHasThemWithTheirCases) {
  Audit audit;
  AuditOptions options;
  options.target_word = "mutant:dc-dst-gap-head-to-head";
  const auto target = diff::FindTarget(options.target_word);
  ASSERT_TRUE(target);
  AddDisagreements(**target, options, "DataCopy", audit);
  const auto& all = audit.record.disagreements;
  const auto gap =
      std::ranges::find(all, "DOC-DC-GAP", &AuditedDisagreement::id);
  ASSERT_NE(gap, all.end());
  EXPECT_EQ(gap->follows, Follows::kOther);
  EXPECT_EQ(gap->reproduce,
            "lanediff check cases/disagreements/dc-gap.json --target "
            "mutant:dc-dst-gap-head-to-head");
  EXPECT_TRUE(audit.files.contains(gap->file));
  EXPECT_EQ(
      std::ranges::count(all, Follows::kOther, &AuditedDisagreement::follows),
      1);
  EXPECT_EQ(std::ranges::find(all, "DOC-MIN-SLASH", &AuditedDisagreement::id),
            all.end());
}

TEST(Disagreements, AnAuditHasThoseOfWhatItsInstructionAndProductUse) {
  const auto has = [](std::string_view op, isa::Product product,
                      std::string_view id) {
    Audit audit;
    AuditOptions options;
    options.product = product;
    AddDisagreements(**diff::FindTarget("emulator"), options, op, audit);
    const auto& all = audit.record.disagreements;
    return std::ranges::find(all, id, &AuditedDisagreement::id) != all.end();
  };
  EXPECT_TRUE(has("Min", isa::Product::kAtlasA2, "DOC-NEXT-ITERATION"));
  EXPECT_TRUE(has("Min", isa::Product::kAtlasA2, "DOC-SUBNORMALS"));
  EXPECT_FALSE(has("DataCopy", isa::Product::kAtlasA2, "DOC-SUBNORMALS"));
}

TEST(Disagreements, WhatIsMalformedOfAnyOfItsCasesIsReported) {
  // The second case of an entry of three.
  class Torn final : public test::RecordedHere {
   public:
    using RecordedHere::RecordedHere;
    test::Result Run(const Case& c) const override {
      return c.id == "disagreements/min-saturation-default"
                 ? test::None(diff::NoOutcome::Kind::kMalformed, "torn")
                 : RecordedHere::Run(c);
    }
  };
  Audit audit;
  AddDisagreements(Torn("emulator"), AuditOptions{}, "", audit);
  EXPECT_EQ(audit.record.malformed, 1u);
  EXPECT_EQ(audit.record.problems.size(), 1u);
}

TEST(Disagreements, WhatWasRecordedIsJudgedLikeWhatRuns) {
  for (const std::string target : {"emulator", "mutant:dc-dst-gap-head-to-head",
                                   "mutant:rrs-dst-align-32"}) {
    const test::RecordedHere recorded(target);
    for (const Disagreement& entry : Disagreements()) {
      const AuditedDisagreement ran = Judged(entry.id, target);
      const AuditedDisagreement read = Judge(entry, recorded);
      EXPECT_EQ(read.follows, ran.follows) << entry.id;
    }
  }
}

TEST(Disagreements, WhatHasNoOutcomeIsUndecided) {
  const test::RecordedHere nothing("emulator",
                                   [](const Case&, Outcome&) { return false; });
  const test::RecordedHere unsupported(
      "emulator", [](const Case&, Outcome& outcome) {
        outcome.status = Outcome::Status::kUnsupported;
        return true;
      });
  const test::HandMade unable(
      [](const isa::Step&, diff::Session&, isa::Memories) {
        return test::Unsupported();
      });
  struct Row {
    const diff::Target& target;
    std::string_view message;
  };
  for (const Row& row :
       {Row{nothing, "not recorded"},
        Row{unsupported, "recorded as unsupported at step 0"},
        Row{unable, "hand-made does not support step 0 of the case"}}) {
    const auto judged = Judge(*FindDisagreement("DOC-RRS-35604"), row.target);
    EXPECT_EQ(judged.follows, Follows::kUndecided) << row.message;
    EXPECT_EQ(judged.message, row.message);
  }
}

TEST(Disagreements, WhereTheDifferenceIsNotRecordedNothingIsDecided) {
  const auto judged =
      Judge(*FindDisagreement("DOC-RRS-EMPTY-MASK"),
            test::RecordedHere("emulator", [](const Case&, Outcome& outcome) {
              outcome.notes.reset();
              outcome.rules.reset();
              return true;
            }));
  // The other reading is an error, which differs from an executed call.
  EXPECT_EQ(judged.follows, Follows::kChosen) << judged.message;
}

/// Ends its process before there is a step.
class Fatal : public diff::StepwiseTarget {
 public:
  std::string_view name() const override { return "fatal"; }
  std::string_view description() const override { return ""; }
  std::unique_ptr<diff::Session> Open(isa::Profile,
                                      isa::Memories) const override {
    std::_Exit(1);
  }
};

TEST(Disagreements, TargetThatEndsInTheCaseIsUndecided) {
  const test::HandMade in_step(
      [](const isa::Step&, diff::Session&, isa::Memories) -> isa::StepResult {
        std::_Exit(1);
      });
  const Fatal in_open;
  const diff::StepwiseTarget* const targets[] = {&in_step, &in_open};
  for (const diff::StepwiseTarget* const target : targets) {
    Audit audit;
    AddDisagreements(*target, {}, "vec_trans", audit);
    ASSERT_FALSE(audit.record.disagreements.empty());
    const AuditedDisagreement& units = audit.record.disagreements.back();
    EXPECT_EQ(units.follows, Follows::kUndecided);
    EXPECT_EQ(units.message, "the target ended in this case");
  }
}

}  // namespace
}  // namespace lanediff::audit
