#include "fuzz/properties/support.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "differential/targets/find_target.h"
#include "differential/testcase/case_reader.h"
#include "isa/call.h"
#include "isa/state.h"

/// The helpers must object, and what they save must be a case.
namespace lanediff::properties {
namespace {

using isa::DType;
namespace fs = std::filesystem;

/// One legal call: eight zeros at UB 64, their sum to UB 0.
Case LegalCase(std::int64_t repeat = 1) {
  isa::Call call = isa::CallOf("RepeatReduceSum");
  call.dst() = {isa::Position::kVecout, 0, 2, {}};
  call.src(0) = {isa::Position::kVecin, 64, 32, {}};
  call[isa::Param::kRepeatTimes] = repeat;
  call[isa::Param::kMask] = 8;
  call[isa::Param::kDstRepStride] = 1;
  const Region zeros{64, DType::kHalf, Bytes(32, 0)};
  return UbCase(isa::Product::kAtlasA2, 0xff, 128, {zeros}, {call});
}

const diff::StepwiseTarget& Emulator() {
  return *diff::FindStepwiseTarget("emulator").value();
}

std::string Objection(const Bytes&, const Bytes&) { return "objection"; }

/// What `SaveWitness` returns with `folder` for findings.
std::string Saved(const char* folder) {
  setenv("LANEDIFF_FINDINGS", folder, /*replace=*/1);
  const std::string text =
      SaveWitness("min", "law", {.broken = "how", .witness = LegalCase()});
  unsetenv("LANEDIFF_FINDINGS");
  return text;
}

TEST(UbAfter, RejectedStepIsAnError) {
  const auto ub = UbAfter(LegalCase(256), Emulator());
  ASSERT_FALSE(ub.has_value());
  EXPECT_EQ(ub.error(), "step 0 was to be executed and was not for RRS-REPEAT");
}

TEST(Related, ChecksEveryTarget) {
  const Verdict verdict = Related(LegalCase(), LegalCase(), Objection);
  EXPECT_EQ(verdict.broken, "emulator: objection; oracle: objection");
  EXPECT_FALSE(verdict.witness.expect.has_value());
}

TEST(Related, RejectedCaseBreaksTheLaw) {
  const auto silent = [](const Bytes&, const Bytes&) { return std::string(); };
  EXPECT_EQ(Related(LegalCase(), LegalCase(), silent).broken, "");
  EXPECT_NE(Related(LegalCase(), LegalCase(256), silent).broken, "");
}

TEST(Related, WitnessExpectsWhatTheOracleDoes) {
  int checks = 0;  // the emulator is checked first
  const Verdict verdict =
      Related(LegalCase(), LegalCase(), [&](const Bytes&, const Bytes&) {
        return std::string(checks++ == 0 ? "objection" : "");
      });
  EXPECT_EQ(verdict.broken, "emulator: objection");
  EXPECT_TRUE(verdict.witness.expect.has_value());
}

TEST(WrittenBy, ListsTheLanesOfEachIteration) {
  isa::Call call = isa::CallOf("Min");
  call.form = isa::kBitsForm;
  call.mask_words = {std::uint64_t{1} << 17 | 1, 1};
  call.dst().at = 64;
  call[isa::Param::kRepeatTimes] = 2;
  call.BlkStride(0) = 2;
  call.RepStride(0) = 20;
  const Case c = UbCase(isa::Product::kAtlasA2, 0, 2048, {}, {call});
  std::vector<std::int64_t> places;
  for (const Written& one : WrittenBy(c)) places.push_back(one.at);
  EXPECT_EQ(places, (std::vector<std::int64_t>{64, 130, 320, 704, 770, 960}));
}

TEST(SameWritten, NothingWrittenBreaksTheLaw) {
  Case nothing = LegalCase();
  nothing.program = {isa::SetSaturation{.enabled = false}};
  EXPECT_NE(SameWritten(nothing, nothing).broken.find("no element is written"),
            std::string::npos);
}

TEST(SameWritten, AnotherNumberOfElementsBreaksTheLaw) {
  Case two = LegalCase(2);
  std::get<isa::Call>(two.program[0]).dst().bytes = 4;
  for (const auto& [first, second] :
       {std::pair(LegalCase(), two), std::pair(two, LegalCase())}) {
    EXPECT_NE(SameWritten(first, second).broken.find("elements are written"),
              std::string::npos);
  }
}

TEST(SaveWitness, WritesACaseThatNamesTheLaw) {
  const fs::path folder = fs::temp_directory_path() /
                          ("lanediff-properties-" + std::to_string(getpid()));
  const std::string text = Saved(folder.c_str());
  const std::string path = fs::directory_iterator(folder)->path();
  EXPECT_EQ(text, "saved: " + path + "\nreproduce: lanediff check " + path);
  const auto saved = ReadCaseFile(path);
  fs::remove_all(folder);
  ASSERT_TRUE(saved.has_value());
  EXPECT_EQ(saved->note, "Law law: how");
  EXPECT_EQ(saved->program, LegalCase().program);
}

TEST(SaveWitness, ShowsTheCaseWhereItCantBeWritten) {
  EXPECT_NE(Saved("/dev/null/findings").find("lanediff-case/1"),
            std::string::npos);
}

}  // namespace
}  // namespace lanediff::properties
