#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "audit/characterize/probe_runner.h"
#include "reports/character_record.h"

namespace lanediff::character {

/// An answer before it stands in the record.
struct ProbeResult {
  std::string answer;
  std::string note = {};
  std::vector<Case> cases = {};
  std::uint64_t probes = 0;
};

/// Which question is answered.
struct Topic {
  std::string_view question;
  std::string_view op;
  isa::DType dtype;
  std::string about = {};
  std::size_t length = 0;  ///< of an order: leaves
};

/// Adds the answer, open to what few have; gives its cases names.
Answer& WriteAnswer(Character& profile, const Topic& topic, ProbeResult result);

/// Values of one answer: keeps the cases, and why one is missing.
class ProbeSeries {
 public:
  explicit ProbeSeries(Prober& prober)
      : prober_(prober), before_(prober.probes()) {}

  /// NaN where there is no answer; `Finish` then states the failure.
  double Probe(const std::vector<double>& leaves);
  bool failed() const { return !why_.empty(); }
  const std::string& why() const { return why_; }
  Prober& prober() { return prober_; }

  /// `answer`, unless some value is missing.
  ProbeResult Finish(std::string answer, std::string note = "");

 private:
  Prober& prober_;
  std::uint64_t before_;
  std::vector<Case> cases_;
  std::string why_;
};

}  // namespace lanediff::character
