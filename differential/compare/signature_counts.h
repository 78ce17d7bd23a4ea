#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "differential/compare/finding.h"
#include "differential/testcase/record.h"

/// Which of many cases are kept: the first few of each signature, so that a
/// rare finding is not lost behind a frequent one.
namespace lanediff::diff {

/// Cases of one signature that are kept. More would show the same defect.
inline constexpr std::uint64_t kKeptOfSignature = 3;

/// How many cases show a signature, kept or not.
struct SignatureCount {
  std::string signature;
  std::uint64_t cases = 0;

  bool operator==(const SignatureCount&) const = default;

  template <class Self, class Visitor>
  static void Fields(Self& s, Visitor& v) {
    v.Required("signature", s.signature, kSignatureText);
    v.Required("cases", s.cases, {.low = 1});
  }
};

class SignatureCounts {
 public:
  /// Counts a case that shows `findings` under each of its reported signatures.
  /// Returns the first finding of whose signature it is among the first
  /// `kKeptOfSignature`, and null if there is none: then it need not be kept.
  const Finding* Add(const std::vector<Finding>& findings);
  /// Counts a case of one signature, and returns whether it is to be kept.
  bool Add(const std::string& signature);
  /// Adds what others counted.
  void Add(const std::vector<SignatureCount>& counts);
  /// By signature.
  std::vector<SignatureCount> Record() const;

 private:
  std::map<std::string, std::uint64_t> cases_;
};

/// Leaves of `all`, sorted, those that one who saw all of them would have kept.
/// It may be that of several which each kept theirs. `findings` gives those of
/// one.
template <class T, class FindingsOf>
void LeaveKept(std::vector<T>& all, FindingsOf findings) {
  SignatureCounts counts;
  std::erase_if(all, [&](const T& one) {
    return counts.Add(std::invoke(findings, one)) == nullptr;
  });
}

}  // namespace lanediff::diff
