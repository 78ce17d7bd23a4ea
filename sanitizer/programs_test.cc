// The programs of programs.txt: what lint finds, why, and its repairs.

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "sanitizer/alone.h"
#include "sanitizer/diagnostics.h"
#include "sanitizer/lint.h"
#include "sanitizer/program_text.h"
#include "sanitizer/repair.h"
#include "sanitizer/slots.h"

namespace lanediff::lint {
namespace {

using test::CaseOf;
using test::FoundIn;

/// The repair of the program's first rejected step, which must be legal in it.
std::string RepairOf(const Case& c) {
  const std::vector<Diagnosis> diagnoses = Diagnose(c, Lint(c));
  if (diagnoses.empty()) return "nothing is rejected";
  if (!diagnoses[0].repair) return "none";
  const Repair& repair = *diagnoses[0].repair;
  EXPECT_LE(repair.changes.size(), kMostChanges);
  const Verdict after = Lint(Repaired(c, diagnoses[0].step, repair));
  const std::size_t step = diagnoses[0].step + repair.before.size();
  EXPECT_TRUE(!after.rejected || after.rejected->step > step) << repair.text;
  return repair.text;
}

/// The repair of the first hazard that is for one; `left` is what is found
/// with it.
std::string HazardRepairOf(const Case& c, std::string* left = nullptr) {
  const Verdict verdict = Lint(c);
  const auto repairs = FindHazardRepairs(c, verdict);
  if (repairs.empty()) return "nothing to repair";
  const auto& [number, repair] = *repairs.begin();
  if (!repair) return "none";
  const Case repaired = Repaired(c, *repair);
  EXPECT_FALSE(Lint(repaired).hazards == verdict.hazards);
  if (left != nullptr) *left = FoundIn(repaired);
  return repair->text;
}

/// The causes of all INIT-READs, each behind the step that reads.
std::string CausesOf(Case c) {
  c.memory[static_cast<std::size_t>(isa::Memory::kUb)]->initialised = false;
  Verdict verdict = Lint(c);
  FindCauses(c, verdict);
  std::string text;
  const auto add = [&](const std::vector<Hazard>& hazards) {
    for (const Hazard& hazard : hazards) {
      if (hazard.rule.text() != "INIT-READ") continue;
      text += (text.empty() ? "" : "; ") + std::to_string(hazard.later.step) +
              " " + std::string(hazard.later.operand) + ": " +
              (hazard.cause ? hazard.cause->text : "none");
    }
  };
  add(verdict.hazards);
  if (verdict.after) add(verdict.after->hazards);
  return text;
}

/// The sentences of the program's first rejected step.
std::string Sentences(const Case& c) {
  const std::vector<Diagnosis> diagnoses = Diagnose(c, Lint(c), {.repairs = 0});
  if (diagnoses.empty()) return "nothing is rejected";
  std::string text;
  for (const Witness& witness : diagnoses[0].witnesses) {
    text += (text.empty() ? "" : " | ") + witness.text();
  }
  return text;
}

/// The smallest program of the first hazard.
AloneCase AloneOf(const Case& c) {
  const auto alone = ShowAlone(c, Lint(c).hazards.at(0));
  EXPECT_TRUE(alone);
  if (!alone) return {};
  EXPECT_EQ(Lint(alone->c).hazards.size(), 1 + alone->others);
  return *alone;
}

/// What the case states beside its program, and the size of its GM.
std::string FactsOf(const Case& c) {
  std::string facts = c.lint.sync ? "sync" : "no sync";
  if (c.lint.start_unknown) facts += ", start unknown";
  if (c.lint.propagate) facts += ", propagate";
  const auto& gm = c.memory[static_cast<std::size_t>(isa::Memory::kGm)];
  return facts + ", GM " + std::to_string(gm ? gm->size : 0);
}

/// Sets what an item of "with" names.
void Apply(const std::string& item, Case& c) {
  auto& ub = c.memory[static_cast<std::size_t>(isa::Memory::kUb)];
  if (item == "auto") {
    c.lint.sync->automatic = true;
  } else if (item == "no sync") {
    c.lint.sync.reset();
  } else if (item == "start unknown") {
    c.lint.start_unknown = true;
  } else if (item == "propagate") {
    c.lint.propagate = true;
  } else if (item == "unwritten") {
    ub->initialised = false;
  } else if (const auto product = isa::Parse<isa::Product>(item)) {
    c.product = *product;
  } else {
    const std::size_t dot = item.find('.');
    const std::size_t equal = item.find('=');
    isa::Step& step = c.program.at(std::stoul(item.substr(0, dot)));
    const std::string value = item.substr(equal + 1);
    const auto type = isa::Parse<isa::DType>(value);
    const isa::Step other = With(
        step, item.substr(dot + 1, equal - dot - 1),
        type ? SlotValue(*type) : SlotValue(std::int64_t{std::stoll(value)}));
    EXPECT_NE(other, step) << item;
    step = other;
  }
}

/// What `c` gives where the file has `wanted` of it.
std::string ResultOf(const std::string& what, const Case& c,
                     const std::string& wanted) {
  if (what == "found") return FoundIn(c);
  if (what == "repair") return RepairOf(c);
  if (what == "repair lacks") {
    return RepairOf(c).find(wanted) == std::string::npos ? wanted : "the text";
  }
  if (what == "witness") return Sentences(c);
  if (what == "hazard") return HazardRepairOf(c);
  if (what == "causes") return CausesOf(c);
  if (what == "left") {
    std::string left;
    HazardRepairOf(c, &left);
    return left;
  }
  if (what == "alone") return FoundIn(AloneOf(c).c);
  if (what == "alone steps") return std::to_string(AloneOf(c).c.program.size());
  if (what == "alone others") return std::to_string(AloneOf(c).others);
  if (what == "alone facts") return FactsOf(AloneOf(c).c);
  if (what == "fixed") return FoundIn(FixProgram(c).c);
  if (what == "fixed keeps") {
    const Case fixed = FixProgram(c).c;
    if (fixed == c) return "all";
    return fixed.program.back() == c.program.back() ? "the last step" : "less";
  }
  if (what == "done") return std::to_string(FixProgram(c).done.size());
  if (what == "first done") return FixProgram(c).done.at(0);
  return "no such word: " + what;
}

TEST(Programs, GiveWhatTheFileLists) {
  std::ifstream file(LANEDIFF_SOURCE_DIR "/sanitizer/programs.txt");
  std::size_t programs = 0;
  std::size_t results = 0;
  std::string program;
  Case c;
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line.starts_with('#')) continue;
    const std::size_t colon = line.find(": ");
    ASSERT_NE(colon, std::string::npos) << line;
    const std::string what = line.substr(0, colon);
    const std::string text = line.substr(colon + 2);
    if (what == "program") {
      program = text;
      c = CaseOf(program);
      ++programs;
      continue;
    }
    SCOPED_TRACE(program + "\n" + line);
    if (what == "with") {
      std::istringstream items(text);
      for (std::string item; std::getline(items >> std::ws, item, ',');) {
        Apply(item, c);
      }
      continue;
    }
    EXPECT_EQ(ResultOf(what, c, text), text);
    ++results;
  }
  EXPECT_EQ(results, 142U);
  EXPECT_EQ(programs, 114U);
}

}  // namespace
}  // namespace lanediff::lint
