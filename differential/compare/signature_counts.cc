#include "differential/compare/signature_counts.h"

#include <algorithm>

#include "differential/compare/signature.h"

namespace lanediff::diff {

const Finding* SignatureCounts::Add(const std::vector<Finding>& findings) {
  std::vector<std::string> signatures;
  for (const Finding& f : findings) signatures.push_back(f.signature);
  const Finding* fresh = nullptr;
  for (const std::string& reported : ReportedSignatures(signatures)) {
    if (!Add(reported) || fresh != nullptr) continue;
    fresh = &*std::ranges::find(findings, reported, &Finding::signature);
  }
  return fresh;
}

bool SignatureCounts::Add(const std::string& signature) {
  return ++cases_[signature] <= kKeptOfSignature;
}

void SignatureCounts::Add(const std::vector<SignatureCount>& counts) {
  for (const SignatureCount& one : counts) cases_[one.signature] += one.cases;
}

std::vector<SignatureCount> SignatureCounts::Record() const {
  std::vector<SignatureCount> record;
  for (const auto& [signature, cases] : cases_) {
    record.push_back({signature, cases});
  }
  return record;
}

}  // namespace lanediff::diff
