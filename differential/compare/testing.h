#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "differential/compare/compare.h"
#include "differential/targets/find_target.h"
#include "differential/targets/target.h"
#include "differential/testcase/testing.h"

/// Targets and cases for tests.
namespace lanediff::diff {

inline const StepwiseTarget& Oracle() { return **FindStepwiseTarget("oracle"); }
inline const StepwiseTarget& Emulator() {
  return **FindStepwiseTarget("emulator");
}

/// A target with a description, for one test.
template <class Base>
class NamedTarget : public Base {
 public:
  explicit NamedTarget(std::string name) : name_(std::move(name)) {}
  std::string_view name() const override { return name_; }
  std::string_view description() const override { return "for a test"; }

 private:
  std::string name_;
};

/// A built-in target, of which `change` alters what each step leaves.
class AlteredTarget final : public NamedTarget<StepwiseTarget> {
 public:
  struct Step {
    int run;            ///< of the target, from 0
    std::size_t index;  ///< of the step
    isa::StepResult& result;
    isa::Memories memories;

    std::uint8_t& Ub(std::size_t at) const {
      return memories[isa::Memory::kUb][at];
    }
  };
  using Change = std::function<void(const Step&)>;

  explicit AlteredTarget(Change change, std::string_view model = "emulator")
      : NamedTarget("altered"),
        change_(std::move(change)),
        model_(**FindStepwiseTarget(model)) {}

  std::unique_ptr<Session> Open(isa::Profile profile,
                                isa::Memories memories) const override {
    return std::make_unique<AlteredSession>(change_, runs_++, memories,
                                            model_.Open(profile, memories));
  }
  int runs() const { return runs_; }

 private:
  class AlteredSession final : public Session {
   public:
    AlteredSession(const Change& change, int run, isa::Memories memories,
                   std::unique_ptr<Session> model)
        : change_(change),
          run_(run),
          memories_(memories),
          model_(std::move(model)) {}
    isa::StepResult Execute(const isa::Step& step) override {
      isa::StepResult result = model_->Execute(step);
      change_({run_, step_++, result, memories_});
      return result;
    }

   private:
    const Change& change_;
    int run_;
    isa::Memories memories_;
    std::unique_ptr<Session> model_;
    std::size_t step_ = 0;
  };

  Change change_;
  const StepwiseTarget& model_;
  mutable int runs_ = 0;
};

/// A target that has one outcome for every case.
class FixedTarget final : public NamedTarget<Target> {
 public:
  FixedTarget(std::string name, Outcome outcome)
      : NamedTarget(std::move(name)), outcome_(std::move(outcome)) {}
  bool runs_any_case() const override { return false; }
  std::expected<Outcome, NoOutcome> Run(const Case&) const override {
    return outcome_;
  }

 private:
  Outcome outcome_;
};

inline Comparison CompareFixed(const Case& c, Outcome outcome,
                               std::string name = "r",
                               const Target& reference = Oracle()) {
  return CompareCase(c, FixedTarget(std::move(name), std::move(outcome)),
                     reference);
}

/// The step RepeatReduceSum of halves in UB, of the first `lanes` lanes of each
/// of `repeat` iterations.
inline std::string SumJson(std::int64_t dst, std::int64_t src,
                           std::int64_t src_bytes, std::string_view repeat,
                           int lanes, int src_stride = 8,
                           std::int64_t dst_bytes = 32) {
  return fmt::format(
      R"({{"op": "RepeatReduceSum", "dtype": "half",
      "dst": {{"position": "VECOUT", "at": {}, "bytes": {}}},
      "src": {{"position": "VECIN", "at": {}, "bytes": {}}},
      "repeat": {}, "elemsInOneRepeat": {}, "dstBlkStride": 0,
      "srcBlkStride": 1, "dstRepStride": 1, "srcRepStride": {}}})",
      dst, dst_bytes, src, src_bytes, repeat, lanes, src_stride);
}

/// A state step and two sums: [3, nan] as half at UB 0, then 10 at UB 64;
/// the last is rejected if `repeat` is 256.
inline Case TwoSums(std::string_view repeat = "1",
                    std::string_view expect = "") {
  std::string text = R"({ "format": "lanediff-case/1", "id": "two/sums",
    "product": "atlas-a2", "memory": { "UB": { "fill": "a5", "size": 4096,
      "regions": [ { "at": 1024, "dtype": "half", "values": [1, 2, 3, 4] },
                   { "at": 1280, "dtype": "half", "values": ["inf", "-inf"] }
      ] } },
    "program": [ { "op": "SetSaturation", "enabled": false }, )" +
                     SumJson(0, 1024, 512, "2", 2) + ", " +
                     SumJson(64, 1024, 512, repeat, 4) + "]";
  if (!expect.empty()) text.append(", \"expect\": ").append(expect);
  return CaseFrom(text + "}");
}

/// What comes out of it, in both spellings of bytes.
inline constexpr std::string_view kGoodOutcome =
    R"({ "case": "two/sums", "outcome": "executed",
      "notes": ["RRS-PREFER-WHOLE-REDUCE-SUM"],
      "memory": { "UB": [ { "at": 0, "hex": "0042007e" },
          { "at": 64, "dtype": "half", "values": [10] } ] },
      "target": "a device" })";

/// An outcome document of an executed case, with what `ub` lists of UB, and
/// `more` members.
inline std::string Executed(std::string_view ub, std::string_view more = "") {
  std::string text = R"({"outcome": "executed", "memory": {"UB": [)";
  return text.append(ub).append("]}").append(more) + "}";
}

/// For it: `first` at 0 and `second` at 64, where the sums of `TwoSums` go, in
/// hex; and `more` regions.
inline std::string Sums(const std::string& first = "0042007e",
                        const std::string& second = "0049",
                        const std::string& more = "") {
  return R"({"at": 0, "hex": ")" + first + R"("}, {"at": 64, "hex": ")" +
         second + "\"}" + more;
}

inline std::vector<FindingKind> KindsOf(const Comparison& result) {
  std::vector<FindingKind> kinds;
  for (const Finding& finding : result.findings) kinds.push_back(finding.kind);
  return kinds;
}

}  // namespace lanediff::diff
