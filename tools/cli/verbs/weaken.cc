// Takes from a kernel that passes, one place after the other, what orders,
// sets or writes there, and sees whether a run objects.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/personality.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "differential/subprocess/spawn.h"
#include "differential/testcase/case_reader.h"
#include "differential/testcase/record_json.h"
#include "isa/vocabulary.h"
#include "kernel/engine/options.h"
#include "reports/kernel.h"
#include "reports/printable.h"
#include "reports/weaken_record.h"
#include "tools/cli/common.h"
#include "tools/cli/options.h"
#include "tools/cli/shard.h"
#include "tools/cli/verbs.h"
#include "tools/cli/verbs/run/run.h"
#include "tools/cli/work_folder.h"

namespace lanediff::cli {
namespace {

struct WeakenWords {
  Compilation compilation;
  std::string product;
  std::vector<std::string> arguments;
  std::string auto_sync = "both";  ///< on, off or both
  std::int64_t seconds = 60;       ///< a run has
  std::string json;
};

using reports::WeakenedMode;
using reports::WeakenedPlace;
using reports::WeakenRecord;
using reports::WeakenVerdict;
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

std::string Text(const kernel::Site& site) {
  return fmt::format("{}:{}", site.file, site.line);
}

/// One run of the program, from its JSON.
struct Weakened {
  int status = 0;
  kernel::RunRecord record;

  /// "SYNC-RAW at add.cpp:24" of those of the groups.
  std::set<std::string> Findings(const Kind* kind) const {
    std::set<std::string> found;
    for (const kernel::Finding& finding : record.findings) {
      const std::string_view group = isa::Name(finding.group);
      if (kind == nullptr ||
          std::ranges::find(kind->groups, group) != kind->groups.end()) {
        found.insert(
            fmt::format("{} at {}", finding.rule, Text(finding.later.site)));
      }
    }
    return found;
  }
  /// "add.cpp:24" of what would conflict across the places taken away.
  Places Conflicts() const {
    Places found;
    for (const kernel::SiteRow& row : record.sites) {
      if (row.conflicts_across) found.insert(Text(row.site));
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
    const kernel::End& end = record.end;
    return end.how == kernel::End::How::kEnded ? ""
           : end.text.empty()                  ? "ended"
                                               : end.text;
  }
};

/// Runs it with each place taken away, with and without the compiler's
/// synchronization, and prints a line for each.
class Weakening {
 public:
  /// `program` is built of `words`; what runs leave goes to `folder`.
  Weakening(const WeakenWords& words, std::string program, std::string folder)
      : words_(words),
        program_(std::move(program)),
        folder_(std::move(folder)) {}

  WeakenRecord Go() {
    const Compilation& c = words_.compilation;
    WeakenRecord record{.program = fmt::format("{}", fmt::join(c.sources, " ")),
                        .product = c.product,
                        .edition = isa::kNewestEdition,
                        .runs = 0,
                        .modes = {}};
    for (const bool auto_sync : {true, false}) {
      if (words_.auto_sync == (auto_sync ? "off" : "on")) continue;
      WeakenedMode& mode = record.modes.emplace_back();
      mode.auto_sync = auto_sync;
      Weaken(mode);
    }
    record.runs = runs_;
    return record;
  }

 private:
  Weakened Run(bool auto_sync, const Places& without) {
    ++runs_;
    const std::string json = folder_ + "/run.json";
    std::filesystem::remove(json);
    std::string options = fmt::format(
        "--auto-sync {} --digest --max-errors 0 --seconds {} --out {} --json "
        "{}",
        auto_sync ? "on" : "off", words_.seconds,
        kernel::Quoted(folder_ + "/cases"), kernel::Quoted(json));
    for (const std::string& place : without) {
      options += " --without " + kernel::Quoted(place);
    }
    diff::Spawn spawn{
        .words = {program_},
        .environment = ChildEnvironment({"LANEDIFF_OPTIONS=" + options})};
    spawn.words.insert(spawn.words.end(), words_.arguments.begin(),
                       words_.arguments.end());
    Weakened outcome;
    outcome.status = diff::RunToEnd(std::move(spawn),
                                    static_cast<double>(words_.seconds) + 30)
                         .status;
    auto document = ReadDocument<reports::KernelDocument>(
        ReadFile(json, std::size_t{1} << 30).value_or(""));
    if (!document) {
      Fail("the program ended with status {} and no report", outcome.status);
    }
    outcome.record = std::move(document->record);
    return outcome;
  }

  static std::vector<Target> TargetsOf(const Weakened& base) {
    std::vector<Target> targets;
    for (const kernel::SiteRow& row : base.record.sites) {
      const Kind* kind = KindOf(row.op);
      if (kind == nullptr && row.first_writer) kind = &kWrites;
      if (kind == nullptr) continue;
      targets.push_back({fmt::format("{}:{}", Text(row.site), row.op), kind});
    }
    return targets;
  }

  void Weaken(WeakenedMode& mode) {
    const auto base = Run(mode.auto_sync, {});
    const char* const name = mode.auto_sync ? "auto-sync on" : "auto-sync off";
    if (base.status != 0) {
      const auto found = base.Findings(nullptr);
      mode.objection = found.empty() ? fmt::format("status {}", base.status)
                                     : *found.begin();
      fmt::print("with {} it does not pass ({}): not weakened so\n", name,
                 reports::InOneLine(mode.objection));
      return;
    }
    const std::vector<Target> targets = TargetsOf(base);
    for (const Target& target : targets) {
      WeakenedPlace place = Judge(target, targets, base, mode.auto_sync);
      fmt::print("{}\n", reports::InOneLine(fmt::format(
                             "{}: {}, {}: {}: {}", place.place, place.does,
                             name, isa::Name(place.verdict), place.why)));
      mode.places.push_back(std::move(place));
    }
  }

  WeakenedPlace Judge(const Target& target, const std::vector<Target>& targets,
                      const Weakened& base, bool auto_sync) {
    WeakenedPlace place{.place = target.place,
                        .does = std::string(target.kind->name),
                        .verdict = WeakenVerdict::kReported,
                        .why = {}};
    const auto weak = Run(auto_sync, {target.place});
    const auto found = weak.Findings(target.kind);
    if (!found.empty()) {
      place.why = *found.begin();
      if (found.size() > 1) {
        place.why += fmt::format(" and {} more", found.size() - 1);
      }
      return place;
    }
    if (!weak.crash().empty()) {
      Fail("without {} the program was {}", target.place, weak.crash());
    }
    const auto others = weak.Findings(nullptr);
    if (!others.empty() ||
        weak.record.counts.gm_digest != base.record.counts.gm_digest) {
      place.verdict = WeakenVerdict::kMissed;
      place.why = others.empty() ? "global memory differs"
                                 : "only " + *others.begin() + " is reported";
      return place;
    }
    auto why = Reason(target, targets, weak, auto_sync);
    place.verdict = why ? WeakenVerdict::kHarmless : WeakenVerdict::kMissed;
    place.why =
        why ? *std::move(why)
            : fmt::format("{} conflicts across it, and nothing is reported",
                          *weak.Conflicts().begin());
    return place;
  }

  /// Why nothing follows; nothing where no reason is found.
  std::optional<std::string> Reason(const Target& target,
                                    const std::vector<Target>& targets,
                                    const Weakened& weak, bool auto_sync) {
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
    if (left.empty()) {
      return fmt::format("{} by {} all the same", orders ? "ordered" : "set",
                         by);
    }
    if (orders && auto_sync) {
      Run(false, {target.place}).Explain(&kOrders, left);
      OrdererOf(target, targets, false, left);
      if (left.empty()) return "ordered by the compiler's own synchronization";
    }
    return std::nullopt;
  }

  /// Takes from `left` what other places keep from conflicting: without them a
  /// run objects there. Which place does so alone, or which ones of which each
  /// is enough.
  std::string OrdererOf(const Target& target,
                        const std::vector<Target>& targets, bool auto_sync,
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
        Run(auto_sync, without).Explain(target.kind, left);
      }
      if (by.empty() && left.size() < before) by = other;
    }
    if (left.empty() || others.size() < 2) return by;
    const Places several = OrderersOf(target, others, auto_sync, left);
    if (by.empty() && !several.empty()) {
      by = fmt::format("{}, of which one is enough,",
                       fmt::join(several, " or "));
    }
    return by;
  }

  /// The fewest of `others` without which, and without the target, a run
  /// objects to what is `left`: each of them orders it alone.
  Places OrderersOf(const Target& target, Places others, bool auto_sync,
                    Places& left) {
    const auto still_left = [&](Places without) {
      without.insert(target.place);
      Places still = left;
      Run(auto_sync, without).Explain(target.kind, still);
      return still;
    };
    const Places still = still_left(others);
    if (still.size() == left.size()) return {};
    for (const std::string& other : Places(others)) {
      Places fewer = others;
      fewer.erase(other);
      if (still_left(fewer).size() <= still.size()) others = std::move(fewer);
    }
    left = still;
    return others;
  }

  const WeakenWords& words_;
  std::string program_;  ///< path
  std::string folder_;
  std::uint64_t runs_ = 0;
};

int WeakenKernel(WeakenWords& words) {
  Compilation& c = words.compilation;
  if (c.call.kernel.empty() && !c.call.arguments.empty()) {
    return FailUsage("--arg is of a kernel; --kernel names it");
  }
  if (!words.product.empty())
    c.product = *isa::Parse<isa::Product>(words.product);
  const auto kit = FindKit();
  const auto program = Compile(kit, c);
  const ScratchFolder folder;
  if (!folder.made())
    return FailUsage("can't make a folder as " + folder.path());
  // Runs are compared by what global memory holds, which may be addresses.
  personality(ADDR_NO_RANDOMIZE);
  const WeakenRecord record =
      Weakening(words, fmt::format("/proc/{}/fd/{}", getpid(), program.file),
                folder.path())
          .Go();
  const auto sums = record.Sums();
  const bool written = WriteTo(words.json, [&] { return RecordText(record); });
  if (sums.status == kUsage) {
    return FailUsage(ReasonsOf(record).front().text);
  }
  fmt::print(
      "WEAKENED places={} runs={} reported={} harmless={} missed={} "
      "edition={}\n",
      sums.places, sums.runs, sums.reported, sums.harmless, sums.missed,
      isa::Name(record.edition));
  if (sums.missed > 0) return kDisagreement;
  return written ? kAgree : kUsage;
}

}  // namespace

void AddWeaken(CommandLine& line) {
  auto [verb, words] = line.Add(
      "run --barriers",
      "takes from a kernel that passes what orders, sets or writes, place by "
      "place, and reports whether a run objects",
      WeakenKernel);
  Compilation& c = words.compilation;
  verb.Add("SOURCE", c.sources, "files of C++, compiled with $CXX $CXXFLAGS")
      .Required()
      .Of(FileKind::kSources);
  AddCompilation(verb, c);
  verb.Add("--product PRODUCT", words.product,
           "what the kernel is compiled for; default atlas-a2")
      .OneOf(AllWords<isa::Product>());
  verb.Add("--auto-sync", words.auto_sync,
           "with the compiler's own synchronization, without, or both")
      .OneOf({"on", "off", "both"})
      .ShowDefault();
  verb.Add("--seconds", words.seconds, "end a run after so long")
      .Within(1, 100000)
      .ShowDefault();
  verb.Add("--json FILE", words.json,
           "write the verdicts as lanediff-report/2");
  verb.older = "weaken";
  verb.rest = &words.arguments;
  verb.Docs("own-kernel.md",
            {{"run --barriers corpus/kernels/pass/double-buffer.cpp"},
             {"run --barriers corpus/kernels/pass/double-buffer.cpp "
              "--auto-sync off --json weaken.json"}});
  verb.footer =
      "Places: PipeBarrier, SetFlag with its "
      "WaitFlag, EnQue\nwith its DeQue, FreeTensor with its AllocTensor, "
      "SyncAll, ResetMask, SetMaskNorm,\nInitSocState, and calls that write "
      "local bytes first. Status 1 if one is missed:\nnothing is reported, and "
      "nothing shows that it is harmless. Status 2: it doesn't pass as it is.";
}

}  // namespace lanediff::cli
