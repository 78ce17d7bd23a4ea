#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "differential/compare/finding.h"
#include "differential/compare/open_elements.h"
#include "differential/testcase/case_error.h"
#include "differential/testcase/record.h"
#include "isa/vocabulary.h"

/// How far the enumeration of a part of a space has come, as a file from which
/// it goes on.
namespace lanediff::make::exhaust {

/// Those calls in [from, to) of a space that leave `index` when divided by
/// `count`, in ascending order. All parts of the same range are the whole range
/// together, no call twice.
struct Part {
  std::uint64_t from = 0;
  std::uint64_t to = 0;
  std::uint64_t index = 0;
  std::uint64_t count = 1;  ///< not 0

  /// How many calls it has.
  std::uint64_t size() const;
  /// Its call number `position`, below `size()`.
  std::uint64_t CallAt(std::uint64_t position) const;

  bool operator==(const Part&) const = default;

  /// Whether `index` is not below `count`.
  std::optional<CaseError> Fault() const {
    return NotBelow("/index", index, count);
  }

  static void Fields(auto& p, auto& v) {
    v.Required("from", p.from, kNotNegative);
    v.Required("to", p.to, kNotNegative);
    v.Required("index", p.index, kNotNegative);
    v.Required("count", p.count, {.low = 1});
  }
};

inline constexpr std::string_view kStateFormat = "lanediff-exhaust-state/1";

/// A disagreement that was saved as a case.
struct SavedFinding {
  std::uint64_t call = 0;
  std::string signature;
  std::string message;
  std::string path;

  bool operator==(const SavedFinding&) const = default;

  static void Fields(auto& f, auto& v) {
    v.Required("call", f.call, kNotNegative);
    v.Required("signature", f.signature, diff::kSignatureText);
    LANEDIFF_REQUIRED(v, f.message, f.path);
  }
};

struct State {
  // What is enumerated.
  std::string space;
  std::string version;  ///< `VersionOf` the space
  Part part;
  std::string target;
  std::optional<isa::Edition> edition;  ///< of the cases; absent: the newest
  std::string ulp =
      {};  ///< `diff::UlpText` of what was declared; empty: nothing
  // How far it has come.
  std::uint64_t next = 0;  ///< position in the part; `part.size()` at the end
  std::uint64_t points = 0;
  std::uint64_t unsupported = 0;
  std::uint64_t disagree = 0;
  diff::OpenCounts open = {};
  std::uint64_t milliseconds = 0;
  std::vector<SavedFinding> findings;

  bool operator==(const State&) const = default;

  isa::Edition Edition() const { return edition.value_or(isa::kNewestEdition); }
  bool complete() const { return next == part.size(); }

  static void Fields(auto& s, auto& v) {
    v.Format(kStateFormat);
    LANEDIFF_REQUIRED(v, s.space, s.version, s.part, s.target);
    v.Optional("edition", s.edition,
               {.description = "of the documents; absent: the newest"});
    v.Optional("ulp", s.ulp,
               {.description = "what --ulp declares; absent: nothing",
                .filled = true});
    v.Required("next", s.next,
               {.high = static_cast<std::int64_t>(s.part.size())});
    v.Required("points", s.points, kNotNegative);
    v.Required("unsupported", s.unsupported, kNotNegative);
    v.Required("disagree", s.disagree, kNotNegative);
    v.Optional("open", s.open,
               {.description = "results compared by their distance from the "
                               "correctly rounded value",
                .filled = true});
    v.Required("milliseconds", s.milliseconds, kNotNegative);
    v.Required("findings", s.findings);
  }
};

/// The file's text.
std::string StateText(const State& state);

/// Reads the file's text. The error is one line: where, what was found, what is
/// allowed.
std::expected<State, std::string> ReadState(std::string_view text);

/// Why `found` can't go on as `wanted`, in one line; empty if it can.
std::string Mismatch(const State& found, const State& wanted);

}  // namespace lanediff::make::exhaust
