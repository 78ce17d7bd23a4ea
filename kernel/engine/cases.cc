#include "kernel/engine/cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <memory>
#include <utility>
#include <variant>

#include "differential/testcase/case_writer.h"
#include "differential/testcase/series.h"
#include "differential/testcase/write_file.h"
#include "isa/memory_map.h"
#include "isa/state.h"
#include "kernel/engine/operands.h"
#include "sanitizer/alone.h"
#include "sanitizer/lint.h"

namespace lanediff::kernel {
namespace {

using isa::Memory;

/// Steps of a block to look at; more are no readable case.
constexpr std::size_t kMostSteps = 20'000;
constexpr std::int64_t kGmUnit = 512;
/// Steps before the earlier one that are looked at first.
constexpr std::size_t kLead = 512;
/// A case that could not be cut: it may show other findings, too.
constexpr auto kUncut = std::numeric_limits<std::size_t>::max();

/// Where the run began: neither a program nor a script around it leads away
/// from there. Read when the library is loaded, before any line of a program.
const std::filesystem::path start = [] {
  if (const char* const named = std::getenv(kRunFolderVariable)) {
    return std::filesystem::path(named);
  }
  std::error_code error;
  return std::filesystem::current_path(error);
}();

/// Every place in memory that a step names: operands, and what an unaudited
/// call read and wrote.
template <class Visit>
void ForEachPlace(isa::Step& step, isa::Product product, Visit visit) {
  const auto operand = [&](auto& one) {
    std::int64_t bytes = 0;
    if constexpr (requires { one.bytes; }) bytes = one.bytes;
    visit(isa::MemoryAt(product, one.position), one.at, bytes);
    if constexpr (requires { one.bytes; }) one.bytes = bytes;
  };
  if (auto* const call = std::get_if<isa::Call>(&step)) {
    ForEachOperand(*call, operand);
  } else if (auto* const get = std::get_if<isa::GetValue>(&step)) {
    operand(get->src);
  } else if (auto* const set = std::get_if<isa::SetValue>(&step)) {
    operand(set->dst);
  }
  auto* const carried = std::get_if<isa::Carried>(&step);
  if (carried == nullptr) return;
  for (auto& one : carried->operands) operand(one.operand);
  for (auto& read : carried->reads) visit(read.memory, read.at, read.bytes);
  for (auto& write : carried->writes) {
    std::int64_t bytes = write.size();
    visit(write.memory, write.at, bytes);
  }
}

/// `bytes`, which begin at `begin` or behind, as zeros from 0 on.
std::vector<Region> ZerosOf(const isa::IntervalSet& bytes, std::int64_t begin) {
  std::vector<Region> regions;
  for (const isa::Interval& one : bytes) {
    regions.push_back({.at = one.begin - begin, .dtype = {}, .bytes = {}});
    regions.back().series = std::make_shared<const Series>(
        Series::Run(isa::DType::kUint8, 0, one.size()));
  }
  return regions;
}

/// Moves GM down so that what is used begins near 0, and cuts windows of
/// unknown extent; gives it a size. Of its bytes those `unwritten` are so at
/// the start.
std::expected<void, std::string> FitGm(Case& c,
                                       const isa::IntervalSet& unwritten = {}) {
  std::int64_t begin = std::numeric_limits<std::int64_t>::max();
  std::int64_t end = 0;
  for (isa::Step& step : c.program) {
    ForEachPlace(step, c.product,
                 [&](Memory memory, std::int64_t& at, std::int64_t& bytes) {
                   if (memory != Memory::kGm) return;
                   begin = std::min(begin, at);
                   end = std::max(end, at + std::min(bytes, kMaxMemoryBytes));
                 });
  }
  auto& image = c.memory[static_cast<std::size_t>(Memory::kGm)];
  if (end == 0) {
    image.reset();
    return {};
  }
  begin = begin / kGmUnit * kGmUnit;
  // A window may be empty.
  end = std::max(end, begin + kGmUnit);
  if (end - begin > kMaxMemoryBytes) {
    end = begin + kMaxMemoryBytes;
  }
  bool fits = true;
  for (isa::Step& step : c.program) {
    ForEachPlace(step, c.product,
                 [&](Memory memory, std::int64_t& at, std::int64_t& bytes) {
                   if (memory != Memory::kGm) return;
                   fits = fits && at <= end;
                   bytes = std::min(bytes, end - at);
                   at -= begin;
                 });
  }
  if (!fits) {
    return std::unexpected("what it touches of GM spans more than 1 GiB");
  }
  if (!image) image.emplace();
  image->size = end - begin;
  for (Region& region : image->regions) region.at -= begin;
  if (!unwritten.empty()) {
    image->initialised = false;
    image->regions =
        ZerosOf(Without(isa::IntervalSet({{begin, end}}), unwritten), begin);
  }
  return {};
}

std::optional<StepSource> SourceOf(const Logged& logged, const Sites& sites) {
  const Site& site = sites[logged.site].site;
  if (site.file.empty() || site.after) return std::nullopt;
  return StepSource{.file = site.file,
                    .line = std::max<std::int64_t>(site.line, 1),
                    .call = site.call,
                    .block = logged.block,
                    .execution = logged.execution};
}

/// A case of the steps `numbers`, ascending.
Case Programmed(const std::vector<std::size_t>& numbers, const Case& facts,
                const Log& log, const Sites& sites) {
  Case c;
  c.product = facts.product;
  c.edition = facts.edition;
  c.lint = facts.lint;
  for (std::size_t number : numbers) {
    const Logged& logged = *log.At(number);
    c.program.push_back(logged.step);
    c.sources.push_back(SourceOf(logged, sites));
  }
  return c;
}

/// Waits at the end for the flags that are set: the kernel goes on.
void WaitForFlags(Case& c) {
  std::vector<isa::SetFlag> set;
  for (const isa::Step& step : c.program) {
    if (const auto* flag = std::get_if<isa::SetFlag>(&step)) {
      set.push_back(*flag);
    } else if (const auto* wait = std::get_if<isa::WaitFlag>(&step)) {
      const auto found =
          std::ranges::find(set, isa::SetFlag{wait->event, wait->id});
      if (found != set.end()) set.erase(found);
    }
  }
  for (const isa::SetFlag& flag : set) {
    c.program.push_back(isa::WaitFlag{flag.event, flag.id});
    c.sources.emplace_back();
  }
}

/// `check` reads flags and barriers, not queues: a barrier where it misses one.
void AddBarriers(Case& c) {
  constexpr int kMost = 64;
  std::optional<std::size_t> last;
  for (int added = 0; added < kMost; ++added) {
    Case alone = c;
    alone.lint.sync.reset();
    const auto rejected = lint::Lint(alone).rejected;
    if (!rejected ||
        std::ranges::none_of(rejected->rules, lint::IsBarrierRule) ||
        (last && rejected->step <= *last + 1)) {
      return;
    }
    last = rejected->step;
    const auto step = static_cast<std::ptrdiff_t>(*last);
    c.program.insert(c.program.begin() + step,
                     isa::PipeBarrier{isa::Pipe::kAll});
    if (!c.sources.empty()) {
      c.sources.insert(c.sources.begin() + step, std::nullopt);
    }
  }
}

/// Launch and Block.
bool Begins(const isa::Step& step) {
  const auto* const resource = std::get_if<isa::Resource>(&step);
  return resource != nullptr && (resource->name == isa::ResourceName::kLaunch ||
                                 resource->name == isa::ResourceName::kBlock);
}

/// What a block's later calls find: TPipe, buffers, atomic mode, mask.
bool SetsState(const isa::Step& step) {
  if (const auto* resource = std::get_if<isa::Resource>(&step)) {
    using enum isa::ResourceName;
    return resource->name == kTPipe || resource->name == kInitSocState ||
           resource->name == kInitBuffer || resource->name == kSetAtomic;
  }
  return std::holds_alternative<isa::SetVectorMask>(step) ||
         std::holds_alternative<isa::SetMaskCount>(step) ||
         std::holds_alternative<isa::SetMaskNorm>(step) ||
         std::holds_alternative<isa::ResetMask>(step);
}

/// Of initcheck: of the same bytes; GM has been moved.
bool IsSameRead(const Shown& shown, const lint::Hazard& hazard) {
  if (!shown.bytes || !hazard.bytes) return true;
  lint::HazardBytes bytes = *hazard.bytes;
  if (bytes.memory == Memory::kGm) {
    bytes.at = shown.bytes->at;
    bytes.end = shown.bytes->end;
  }
  return bytes == *shown.bytes && hazard.later.operand == shown.operand;
}

/// The finding in a case of `numbers`, and the case cut down to it.
std::expected<lint::AloneCase, std::string> Cut(
    const Shown& shown, const std::vector<std::size_t>& numbers,
    const Case& facts, const Log& log, const Sites& sites) {
  Case c = Programmed(numbers, facts, log, sites);
  if (shown.rule == isa::krn::kEvent) WaitForFlags(c);
  const bool of_init = shown.rule == isa::sync::kInitRead;
  for (std::size_t m = 0; m < c.memory.size(); ++m) {
    const auto memory = static_cast<Memory>(m);
    const std::int64_t capacity = isa::CapacityBytes(c.product, memory);
    if (memory != Memory::kGm && capacity == 0) continue;
    auto& image = c.memory[m];
    image.emplace();
    image->size = capacity;
    image->initialised = !of_init || memory == Memory::kGm;
  }
  if (auto fitted = FitGm(c, shown.unwritten_gm); !fitted) {
    return std::unexpected(fitted.error());
  }
  const auto place = [&](std::size_t number) {
    return static_cast<std::size_t>(std::ranges::lower_bound(numbers, number) -
                                    numbers.begin());
  };
  const std::size_t later = place(shown.later);
  const lint::Verdict verdict = lint::Lint(c);
  for (const lint::Hazard& hazard : verdict.hazards) {
    if (hazard.rule != shown.rule || hazard.later.step != later) continue;
    if (!IsSameRead(shown, hazard)) continue;
    if (shown.earlier && !of_init &&
        (!hazard.earlier || hazard.earlier->step != place(*shown.earlier))) {
      continue;
    }
    auto alone = lint::ShowAlone(c, hazard);
    if (alone && lint::GroupOf(shown.rule) == lint::Group::kInitcheck) {
      AddBarriers(alone->c);
    }
    if (alone) return *std::move(alone);
    return lint::AloneCase{.c = c, .step = later, .others = kUncut};
  }
  return std::unexpected(shown.rule == isa::krn::kPosition
                             ? "a case has positions of the documented routes"
                             : "the steps alone don't show it");
}

}  // namespace

std::expected<Case, std::string> CaseOf(const Shown& shown, const Case& facts,
                                        const Log& log, const Sites& sites) {
  const Logged* const later = log.At(shown.later);
  if (later == nullptr) return std::unexpected("the step is forgotten");
  if (shown.alone) {
    Case c;
    c.product = facts.product;
    c.edition = facts.edition;
    c.lint = facts.lint;
    c.lint.start_unknown = false;
    c.memory = shown.memory;
    c.program = shown.state;
    c.program.push_back(later->step);
    c.sources.assign(c.program.size(), SourceOf(*later, sites));
    if (auto fitted = FitGm(c); !fitted) return std::unexpected(fitted.error());
    return c;
  }
  if (shown.earlier && log.At(*shown.earlier) == nullptr) {
    return std::unexpected("the earlier step is more than 200,000 steps back");
  }
  const std::int64_t other =
      shown.earlier ? log.At(*shown.earlier)->block : later->block;
  // Of two blocks the one that came to its end first may be the later one.
  const auto [first, last] =
      std::minmax({shown.earlier.value_or(shown.later), shown.later});
  std::vector<std::size_t> all;
  for (std::size_t n = log.first(); n <= last; ++n) {
    const Logged& logged = *log.At(n);
    const auto* const resource = std::get_if<isa::Resource>(&logged.step);
    const bool launches =
        resource != nullptr && resource->name == isa::ResourceName::kLaunch;
    const bool concerned =
        logged.block == later->block || logged.block == other;
    if (!logged.withdrawn && (launches || concerned)) all.push_back(n);
  }
  // From ever further before the earlier step on, with what sets state before.
  const auto from = [&](std::size_t lead) {
    std::vector<std::size_t> near;
    for (std::size_t n : all) {
      const isa::Step& step = log.At(n)->step;
      if (n + lead >= first || Begins(step) || SetsState(step)) {
        near.push_back(n);
      }
    }
    return near;
  };
  std::expected<lint::AloneCase, std::string> best = std::unexpected(
      fmt::format("{} steps lead to it, and {} are cut down at most",
                  all.size(), kMostSteps));
  const auto attempt = [&](const std::vector<std::size_t>& numbers,
                           const Shown& wanted) {
    if (numbers.size() > kMostSteps) return;
    auto cut = Cut(wanted, numbers, facts, log, sites);
    if (!best || (cut && cut->others < best->others)) best = std::move(cut);
  };
  const bool of_init = shown.rule == isa::sync::kInitRead;
  if (shown.earlier && !of_init) attempt(from(0), shown);
  if (!best || best->others > 0) attempt(from(kLead), shown);
  // What is near may show more than the finding, as what it found set is gone.
  if (!best || best->others > 0) attempt(all, shown);
  if (!best && shown.bytes) {
    // What a rejected call would have written is unwritten without it.
    Shown loose = shown;
    loose.bytes.reset();
    attempt(all, loose);
  }
  if (!best) return std::unexpected(best.error());
  return std::move(best->c);
}

std::string CaseStem(const Site& site) {
  std::string stem = std::filesystem::path(site.file).stem().string();
  for (char& letter : stem) {
    const auto byte = static_cast<unsigned char>(letter);
    letter = std::isalnum(byte) != 0 ? static_cast<char>(std::tolower(byte))
             : letter == '-' || letter == '_' ? letter
                                              : '-';
  }
  return fmt::format("{}-{}", stem.empty() ? "kernel" : stem, site.line);
}

std::expected<std::string, std::string> SaveCase(Case c,
                                                 const std::string& folder,
                                                 const Site& site, int number) {
  const std::string name = fmt::format("{}-{}", CaseStem(site), number);
  c.id = "run/" + name;
  if (c.note.empty()) {
    c.note = fmt::format("found by a run of {}", site.file);
  }
  const auto path = std::filesystem::path(folder) / (name + ".json");
  std::error_code error;
  std::filesystem::create_directories(start / folder, error);
  if (error) {
    return std::unexpected(fmt::format("{}: {}", folder, error.message()));
  }
  if (auto written = WriteFile((start / path).string(), WriteCase(c));
      !written) {
    return std::unexpected(written.error());
  }
  return path.string();
}

}  // namespace lanediff::kernel
