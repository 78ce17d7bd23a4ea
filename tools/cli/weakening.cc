#include "tools/cli/weakening.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>

#include "differential/testcase/case_reader.h"
#include "kernel/engine/options.h"
#include "reports/printable.h"
#include "tools/cli/process.h"

namespace lanediff::cli {
namespace {

using reports::WeakenedMode;
using reports::WeakenedPlace;
using reports::WeakenRecord;
using reports::WeakenVerdict;
using Json = nlohmann::json;
using Places = std::set<std::string>;

/// What a place does that can be taken away, and the groups of findings that
/// must follow.
struct Kind {
  std::string_view name;
  std::array<std::string_view, 2> groups;
};
constexpr Kind kOrders = {"orders", {"racecheck", "synccheck"}};
constexpr Kind kSets = {"sets", {"maskcheck", "maskcheck"}};
constexpr Kind kWrites = {"writes first", {"initcheck", "initcheck"}};

const Kind* KindOf(const std::string& op) {
  static const std::map<std::string, const Kind*, std::less<>> kinds = {
      {"PipeBarrier", &kOrders}, {"SetFlag", &kOrders},   {"EnQue", &kOrders},
      {"FreeTensor", &kOrders},  {"SyncAll", &kOrders},   {"ResetMask", &kSets},
      {"SetMaskNorm", &kSets},   {"InitSocState", &kSets}};
  const auto found = kinds.find(op);
  return found == kinds.end() ? nullptr : found->second;
}

struct Target {
  std::string place;  ///< "add.cpp:24:PipeBarrier"
  const Kind* kind = nullptr;
};

std::string Text(const Json& site) {
  return fmt::format("{}:{}", site.at("file").get<std::string>(),
                     site.at("line").get<std::int64_t>());
}

/// One run of the program, from its JSON.
struct Outcome {
  int status = 0;
  Json document;

  /// "SYNC-RAW at add.cpp:24" of those of the groups.
  std::set<std::string> Findings(const Kind* kind) const {
    std::set<std::string> found;
    for (const Json& finding : document.at("findings")) {
      const auto group = finding.at("group").get<std::string>();
      if (kind != nullptr && group != kind->groups[0] &&
          group != kind->groups[1]) {
        continue;
      }
      found.insert(fmt::format("{} at {}",
                               finding.at("rule").get<std::string>(),
                               Text(finding.at("later").at("site"))));
    }
    return found;
  }
  /// "add.cpp:24" of what would conflict across the places taken away.
  Places Conflicts() const {
    Places found;
    for (const Json& row : document.at("sites")) {
      if (row.value("conflictsAcross", false)) {
        found.insert(Text(row.at("site")));
      }
    }
    return found;
  }
  /// Removes the places of findings of the kind.
  void Explain(const Kind* kind, Places& places) const {
    for (const std::string& one : Findings(kind)) {
      places.erase(one.substr(one.find(" at ") + 4));
    }
  }
  /// "killed by SIGSEGV …"; empty where the program came to its end.
  std::string crash() const {
    const Json& end = document.at("end");
    return end.at("how") == "ended" ? "" : end.value("text", "ended");
  }
  std::uint64_t digest() const {
    return document.at("counts").value("gmDigest", std::uint64_t{0});
  }
};

class Weakening {
 public:
  explicit Weakening(const WeakenQuestion& question) : q_(question) {}

  std::expected<WeakenRecord, std::string> Go() {
    WeakenRecord record{.program = q_.name,
                        .product = q_.product,
                        .edition = isa::kNewestEdition,
                        .runs = 0,
                        .modes = {}};
    for (const bool auto_sync : {true, false}) {
      WeakenedMode& mode = record.modes.emplace_back();
      mode.auto_sync = auto_sync;
      if (auto done = Weaken(mode); !done) {
        return std::unexpected(done.error());
      }
    }
    record.runs = runs_;
    return record;
  }

 private:
  std::expected<Outcome, std::string> Run(bool auto_sync,
                                          const Places& without) {
    ++runs_;
    const std::string json = q_.folder + "/run.json";
    std::filesystem::remove(json);
    std::string options = fmt::format(
        "--auto-sync {} --digest --max-errors 0 --seconds {} --out {} --json "
        "{}",
        auto_sync ? "on" : "off", q_.seconds,
        kernel::Quoted(q_.folder + "/cases"), kernel::Quoted(json));
    for (const std::string& place : without) {
      options += " --without " + kernel::Quoted(place);
    }
    Process process{.program = q_.program,
                    .arguments = q_.arguments,
                    .environment = {"LANEDIFF_OPTIONS=" + options},
                    .log = q_.folder + "/log"};
    Outcome outcome;
    outcome.status = RunToEnd(process, static_cast<double>(q_.seconds) + 30);
    const auto text = ReadFile(json, std::size_t{1} << 30);
    outcome.document = text ? Json::parse(*text, nullptr, false) : Json();
    if (!outcome.document.is_object()) {
      return std::unexpected(fmt::format(
          "the program ended with status {} and no report", outcome.status));
    }
    return outcome;
  }

  static std::vector<Target> TargetsOf(const Outcome& base) {
    std::vector<Target> targets;
    for (const Json& row : base.document.at("sites")) {
      const auto op = row.at("op").get<std::string>();
      const Kind* kind = KindOf(op);
      if (kind == nullptr && row.value("firstWriter", false)) kind = &kWrites;
      if (kind == nullptr) continue;
      targets.push_back({fmt::format("{}:{}", Text(row.at("site")), op), kind});
    }
    return targets;
  }

  std::expected<void, std::string> Weaken(WeakenedMode& mode) {
    const auto base = Run(mode.auto_sync, {});
    if (!base) return std::unexpected(base.error());
    const char* const name = mode.auto_sync ? "auto-sync on" : "auto-sync off";
    if (base->status != 0) {
      const auto found = base->Findings(nullptr);
      mode.objection = found.empty() ? fmt::format("status {}", base->status)
                                     : *found.begin();
      fmt::print("with {} it does not pass ({}): not weakened so\n", name,
                 reports::InOneLine(mode.objection));
      return {};
    }
    const std::vector<Target> targets = TargetsOf(*base);
    for (const Target& target : targets) {
      auto place = Judge(target, targets, *base, mode.auto_sync);
      if (!place) return std::unexpected(place.error());
      fmt::print("{}\n", reports::InOneLine(fmt::format(
                             "{}: {}, {}: {}: {}", place->place, place->does,
                             name, isa::Name(place->verdict), place->why)));
      mode.places.push_back(*std::move(place));
    }
    return {};
  }

  std::expected<WeakenedPlace, std::string> Judge(
      const Target& target, const std::vector<Target>& targets,
      const Outcome& base, bool auto_sync) {
    WeakenedPlace place{.place = target.place,
                        .does = std::string(target.kind->name),
                        .verdict = WeakenVerdict::kReported,
                        .why = {}};
    const auto weak = Run(auto_sync, {target.place});
    if (!weak) return std::unexpected(weak.error());
    const auto found = weak->Findings(target.kind);
    if (!found.empty()) {
      place.why = *found.begin();
      if (found.size() > 1) {
        place.why += fmt::format(" and {} more", found.size() - 1);
      }
      return place;
    }
    if (!weak->crash().empty()) {
      return std::unexpected(fmt::format("without {} the program was {}",
                                         target.place, weak->crash()));
    }
    const auto others = weak->Findings(nullptr);
    if (!others.empty() || weak->digest() != base.digest()) {
      place.verdict = WeakenVerdict::kMissed;
      place.why = others.empty() ? "global memory differs"
                                 : "only " + *others.begin() + " is reported";
      return place;
    }
    auto why = Reason(target, targets, *weak, auto_sync);
    if (!why) return std::unexpected(why.error());
    place.verdict = *why ? WeakenVerdict::kHarmless : WeakenVerdict::kMissed;
    place.why =
        *why ? **std::move(why)
             : fmt::format("{} conflicts across it, and nothing is reported",
                           *weak->Conflicts().begin());
    return place;
  }

  /// Why nothing follows; nothing where no reason is found.
  std::expected<std::optional<std::string>, std::string> Reason(
      const Target& target, const std::vector<Target>& targets,
      const Outcome& weak, bool auto_sync) {
    if (target.kind == &kWrites) {
      return "nothing that comes of its bytes reaches global memory";
    }
    Places left = weak.Conflicts();
    const bool orders = target.kind == &kOrders;
    if (left.empty()) {
      return orders ? "no conflicting access across it"
                    : "no call reads the register";
    }
    const auto by = OrdererOf(target, targets, auto_sync, left);
    if (!by) return std::unexpected(by.error());
    if (left.empty()) {
      return fmt::format("{} by {} all the same", orders ? "ordered" : "set",
                         *by);
    }
    if (orders && auto_sync) {
      const auto manual = Run(false, {target.place});
      if (!manual) return std::unexpected(manual.error());
      manual->Explain(&kOrders, left);
      const auto others = OrdererOf(target, targets, false, left);
      if (!others) return std::unexpected(others.error());
      if (left.empty()) return "ordered by the compiler's own synchronization";
    }
    return std::nullopt;
  }

  /// Takes from `left` what other places keep from conflicting: without them a
  /// run objects there. Which place does so alone, or which ones of which each
  /// is enough.
  std::expected<std::string, std::string> OrdererOf(
      const Target& target, const std::vector<Target>& targets, bool auto_sync,
      Places& left) {
    std::string by;
    Places others;
    for (const Target& other : targets) {
      if (other.kind == target.kind && other.place != target.place) {
        others.insert(other.place);
      }
    }
    for (const std::string& other : others) {
      if (left.empty()) break;
      const std::size_t before = left.size();
      for (const Places& without :
           {Places{other}, Places{target.place, other}}) {
        if (auto run = Explain(target, without, auto_sync, left); !run) {
          return std::unexpected(run.error());
        }
      }
      if (by.empty() && left.size() < before) by = other;
    }
    if (left.empty() || others.size() < 2) return by;
    const auto several = OrderersOf(target, others, auto_sync, left);
    if (!several) return std::unexpected(several.error());
    if (by.empty() && !several->empty()) {
      by = fmt::format("{}, of which one is enough,",
                       fmt::join(*several, " or "));
    }
    return by;
  }

  /// The fewest of `others` without which, and without the target, a run
  /// objects to what is `left`: each of them orders it alone.
  std::expected<Places, std::string> OrderersOf(const Target& target,
                                                Places others, bool auto_sync,
                                                Places& left) {
    const auto objects =
        [&](Places without, Places& still) -> std::expected<bool, std::string> {
      without.insert(target.place);
      still = left;
      if (auto run = Explain(target, without, auto_sync, still); !run) {
        return std::unexpected(run.error());
      }
      return still.size() < left.size();
    };
    Places still;
    auto object = objects(others, still);
    if (!object) return std::unexpected(object.error());
    if (!*object) return Places();
    for (const std::string& other : Places(others)) {
      Places fewer = others;
      fewer.erase(other);
      Places of_fewer;
      object = objects(fewer, of_fewer);
      if (!object) return std::unexpected(object.error());
      if (of_fewer.size() <= still.size()) others = std::move(fewer);
    }
    left = still;
    return others;
  }

  /// Takes from `left` where a run without these places objects.
  std::expected<void, std::string> Explain(const Target& target,
                                           const Places& without,
                                           bool auto_sync, Places& left) {
    const auto run = Run(auto_sync, without);
    if (!run) return std::unexpected(run.error());
    run->Explain(target.kind, left);
    return {};
  }

  const WeakenQuestion& q_;
  std::uint64_t runs_ = 0;
};

}  // namespace

std::expected<WeakenRecord, std::string> Weaken(
    const WeakenQuestion& question) {
  return Weakening(question).Go();
}

}  // namespace lanediff::cli
