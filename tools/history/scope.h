#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

/// What a run left out although it looked at an instruction.
namespace lanediff::campaign {

struct Scope {
  std::uint64_t sample = 0;  ///< cases of each rule, at most; 0: all there are
  bool legal_only = false;   ///< what the documents refuse was left out
  /// Of the documents, by which cases were judged; several with commas in
  /// between; empty: the newest alone.
  std::string edition = {};
  std::set<std::string> only = {};  ///< products, spaces: no other; empty: all

  bool operator==(const Scope&) const = default;
};

/// As a text, and back; empty where nothing was left out.
std::string ScopeText(const Scope& scope);
Scope ScopeIn(const std::string& text);

/// Whether a run of `scope` looked at all that one of `other` did.
bool Covers(const Scope& scope, const Scope& other);

/// Whether `text` matches `diff::kSignatureText`.
bool IsSignature(std::string_view text);

/// The second word of a signature.
std::string InstructionIn(std::string_view signature);

}  // namespace lanediff::campaign
