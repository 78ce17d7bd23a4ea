#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "differential/testcase/record.h"
#include "isa/vocabulary.h"
#include "reports/reasons.h"

/// What `lanediff weaken` came to. Document of the kind `weaken`:
/// reports/schema/weaken.schema.json.
namespace lanediff::reports {

/// What became of a kernel when a place was taken away.
enum class WeakenVerdict : std::uint8_t { kReported, kHarmless, kMissed };

struct WeakenedPlace {
  std::string place;  ///< "add.cpp:24:PipeBarrier"
  std::string does;   ///< "orders", "sets" or "writes first"
  WeakenVerdict verdict = WeakenVerdict::kMissed;
  std::string why;

  static void Fields(auto& p, auto& v) {
    v.Required("place", p.place, kFilled);
    v.Required("does", p.does, {.description = "orders, sets or writes first"});
    v.Required("verdict", p.verdict);
    v.Required("why", p.why,
               {.description = "the findings, the reason, or what differs"});
  }
};

/// With the compiler's synchronization, or without.
struct WeakenedMode {
  bool auto_sync = false;
  /// What a run of the whole kernel finds, for which nothing is taken away.
  std::string objection;
  std::vector<WeakenedPlace> places;

  static void Fields(auto& m, auto& v) {
    v.Required("autoSync", m.auto_sync);
    v.Optional(
        "objection", m.objection,
        {.description =
             "why it was not weakened so: the kernel as it is does not pass"});
    v.Required("places", m.places);
  }
};

struct WeakenRecord;

/// Why no place was weakened.
Reasons ReasonsOf(const WeakenRecord& record);

struct WeakenRecord {
  std::string program;
  isa::Product product = isa::Product::kAtlasA2;
  isa::Edition edition = isa::kNewestEdition;
  std::uint64_t runs = 0;
  std::vector<WeakenedMode> modes;

  struct Summary {
    std::uint64_t places = 0;  ///< of the mode that has more
    std::uint64_t runs = 0;
    std::uint64_t reported = 0;
    std::uint64_t harmless = 0;
    std::uint64_t missed = 0;
    std::uint64_t status = 0;

    static void Fields(auto& s, auto& v) {
      LANEDIFF_REQUIRED(v, s.places, s.runs, s.reported, s.harmless, s.missed,
                        s.status);
    }
  };
  /// Status 2: it does not pass in any mode; 1: a place is missed; else 0.
  Summary Sums() const {
    Summary sums{.runs = runs};
    bool passes = false;
    for (const WeakenedMode& mode : modes) {
      passes = passes || mode.objection.empty();
      sums.places = std::max<std::uint64_t>(sums.places, mode.places.size());
      for (const WeakenedPlace& place : mode.places) {
        ++(place.verdict == WeakenVerdict::kReported   ? sums.reported
           : place.verdict == WeakenVerdict::kHarmless ? sums.harmless
                                                       : sums.missed);
      }
    }
    sums.status = !passes ? 2 : sums.missed > 0 ? 1 : 0;
    return sums;
  }

  static void Fields(auto& r, auto& v) {
    v.Document("weaken");
    LANEDIFF_REQUIRED(v, r.program, r.product);
    v.Required("edition", r.edition, {.description = "of the documents"});
    CompleteFields(v, ReasonsOf(r));
    v.Derived("summary", [&] { return r.Sums(); });
    v.Required("modes", r.modes,
               {.description =
                    "with the compiler's own synchronization, then without"});
  }
};

inline Reasons ReasonsOf(const WeakenRecord& record) {
  if (record.modes.empty() || record.Sums().status != 2) return {};
  return {
      {"the kernel doesn't pass as it is: " + record.modes.back().objection}};
}

}  // namespace lanediff::reports

template <>
struct lanediff::isa::Words<lanediff::reports::WeakenVerdict> {
  static constexpr std::array<std::string_view, 3> kSpelling = {
      "reported", "harmless", "missed"};
};
