#include "tools/history/scope.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <regex>
#include <sstream>

#include "differential/compare/finding.h"
#include "isa/vocabulary.h"

namespace lanediff::campaign {
namespace {

constexpr std::string_view kLegalOnly = "legal only";
constexpr std::string_view kEdition = "; edition ";

}  // namespace

std::string ScopeText(const Scope& scope) {
  if (scope == Scope()) return "";
  return fmt::format(
      "{}\n{}{}{}\n{}",
      scope.sample == 0 ? "" : fmt::format("{} of each rule", scope.sample),
      scope.legal_only ? kLegalOnly : "", scope.edition.empty() ? "" : kEdition,
      scope.edition, fmt::join(scope.only, "\n"));
}

Scope ScopeIn(const std::string& text) {
  Scope scope;
  std::istringstream lines(text);
  std::string sample, narrowed;
  std::getline(lines, sample);
  std::getline(lines, narrowed);
  scope.sample = std::strtoull(sample.c_str(), nullptr, 10);
  scope.legal_only = narrowed.starts_with(kLegalOnly);
  if (const auto at = narrowed.find(kEdition); at != std::string::npos) {
    scope.edition = narrowed.substr(at + kEdition.size());
  }
  for (std::string line; std::getline(lines, line);) scope.only.insert(line);
  return scope;
}

bool Covers(const Scope& scope, const Scope& other) {
  const bool sample =
      scope.sample == 0 || (other.sample > 0 && scope.sample >= other.sample);
  const bool only =
      scope.only.empty() ||
      (!other.only.empty() && std::ranges::includes(scope.only, other.only));
  const auto has = [](const Scope& one, std::string_view edition) {
    return one.edition.empty() ? edition == isa::Name(isa::kNewestEdition)
                               : one.edition.contains(edition);
  };
  return sample && only && (!scope.legal_only || other.legal_only) &&
         std::ranges::all_of(isa::Words<isa::Edition>::kSpelling,
                             [&](std::string_view edition) {
                               return has(scope, edition) ||
                                      !has(other, edition);
                             });
}

bool IsSignature(std::string_view text) {
  static const std::regex pattern(std::string(diff::kSignatureText.pattern));
  constexpr std::size_t kLongest = 1000;
  return text.size() <= kLongest &&
         std::ranges::none_of(
             text,
             [](char c) { return static_cast<unsigned char>(c) < ' '; }) &&
         std::regex_match(text.begin(), text.end(), pattern);
}

std::string InstructionIn(std::string_view signature) {
  const auto from = signature.find('/');
  if (from == std::string_view::npos) return "";
  signature.remove_prefix(from + 1);
  return std::string(signature.substr(0, signature.find('/')));
}

}  // namespace lanediff::campaign
