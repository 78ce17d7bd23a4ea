#pragma once

#include <string>
#include <utility>

#include "differential/compare/compare.h"
#include "differential/targets/target.h"

namespace lanediff::diff {

/// A target that has one outcome for every case.
class FixedTarget final : public Target {
 public:
  FixedTarget(std::string name, Outcome outcome)
      : name_(std::move(name)), outcome_(std::move(outcome)) {}
  std::string_view name() const override { return name_; }
  std::string_view description() const override { return "for a test"; }
  bool runs_any_case() const override { return false; }
  std::expected<Outcome, NoOutcome> Run(const Case&) const override {
    return outcome_;
  }

 private:
  std::string name_;
  Outcome outcome_;
};

inline Comparison CompareFixed(const Case& c, Outcome outcome, std::string name,
                               const Target& reference) {
  return CompareCase(c, FixedTarget(std::move(name), std::move(outcome)),
                     reference);
}

}  // namespace lanediff::diff
