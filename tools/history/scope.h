#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

/// Days as texts, YYYY-MM-DD, and what a run left out although it looked at an
/// instruction.
namespace lanediff::campaign {

/// Days since 1970-01-01 of a text that begins with a day.
std::int64_t DayNumber(const std::string& date);
std::string DayText(std::int64_t number);
std::string NextDay(const std::string& day);

/// The days without a run that was due, among sorted `dates`. The most frequent
/// distance of two days is the period.
std::vector<std::string> MissingDays(const std::vector<std::string>& dates);

struct Scope {
  std::string sample = {};  ///< how cases were chosen; empty: all there are
  bool legal_only = false;  ///< what the documents refuse was left out
  /// Of the documents, by which cases were judged; several with commas in
  /// between; empty: the newest alone.
  std::string edition = {};
  std::set<std::string> only = {};  ///< products, spaces: no other; empty: all

  bool operator==(const Scope&) const = default;
};

/// As a text, and back; empty where nothing was left out.
std::string ScopeText(const Scope& scope);
Scope ScopeIn(std::string_view text);

/// Whether a run of `scope` looked at all that one of `other` did.
bool Covers(const Scope& scope, const Scope& other);

/// Whether `text` matches `diff::kSignatureText`.
bool IsSignature(std::string_view text);

/// The second word of a signature.
std::string InstructionIn(std::string_view signature);

}  // namespace lanediff::campaign
