#include "sanitizer/alone.h"

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "differential/memory/collision.h"
#include "isa/state.h"
#include "sanitizer/lint.h"

namespace lanediff::lint {
namespace {

/// Programs to look at for one finding, and steps in all of them: a long
/// program is worth fewer looks.
constexpr int kMostLooks = 600;
constexpr std::size_t kMostSteps = 400'000;

std::size_t FindingsIn(const Verdict& verdict) {
  return verdict.hazards.size() + (verdict.rejected ? 1 : 0);
}

/// The finding that is to stay, wherever its steps come to stand. Refers to the
/// case and what was found in it.
class Wanted {
 public:
  Wanted(const Case& c, const Hazard& hazard) : c_(c), hazard_(&hazard) {}
  Wanted(const Case& c, const RejectedStep& rejected)
      : c_(c), rejected_(&rejected) {}

  /// The step at which the case shows it.
  std::optional<std::size_t> In(const Case& c, const Verdict& verdict) const {
    if (rejected_ != nullptr) {
      const auto& now = verdict.rejected;
      const bool same = now && now->rules == rejected_->rules &&
                        c.program[now->step] == c_.program[rejected_->step];
      return same ? std::optional(now->step) : std::nullopt;
    }
    for (const Hazard& hazard : verdict.hazards) {
      if (IsSame(c, hazard)) return hazard.later.step;
    }
    return std::nullopt;
  }

 private:
  bool IsSame(const Case& c, const Hazard& now) const {
    // Fewer written bytes would show another fault.
    const bool of_bytes = GroupOf(hazard_->rule) == Group::kInitcheck;
    // What set the mask before is the other half of the fault.
    const bool of_cause =
        hazard_->rule == isa::state::kMaskDrift && hazard_->cause.has_value();
    return now.rule == hazard_->rule &&
           (!of_bytes || now.bytes == hazard_->bytes) &&
           (!of_cause || (now.cause && c.program[now.cause->step] ==
                                           c_.program[hazard_->cause->step])) &&
           IsSame(c, now.later, hazard_->later) &&
           now.earlier.has_value() == hazard_->earlier.has_value() &&
           (!now.earlier || IsSame(c, *now.earlier, *hazard_->earlier));
  }
  bool IsSame(const Case& c, const Place& now, const Place& wanted) const {
    return now.operand == wanted.operand &&
           c.program[now.step] == c_.program[wanted.step];
  }

  const Case& c_;
  const Hazard* hazard_ = nullptr;
  const RejectedStep* rejected_ = nullptr;
};

class Cutting {
 public:
  Cutting(const Case& c, const Wanted& wanted) : wanted_(wanted) {
    best_.c = c;
    best_.c.expect.reset();
    best_.c.requirement.clear();
    best_.others = static_cast<std::size_t>(-1);
  }

  /// `core`: steps that the finding can't do without.
  std::optional<AloneCase> Run(const std::vector<std::size_t>& core) {
    if (!Try(best_.c)) return std::nullopt;
    const AloneCase whole = best_;
    // First, as bytes that nothing wrote are findings of their own.
    Change([](Case& c) {
      for (auto& image : c.memory) {
        if (image) image->initialised = true;
      }
    });
    Change([&](Case& c) { KeepOnly(core, c); });
    Change([&](Case& c) { Erase(best_.step + 1, c.program.size(), c); });
    CutRest();
    if (best_.others == 0) return std::move(best_);
    // Cutting may have made the other findings: first those go, then steps.
    const AloneCase beside = std::exchange(best_, whole);
    CutFindings();
    CutRest();
    return std::move(best_.others < beside.others ? best_ : beside);
  }

 private:
  /// Until nothing more goes: what one cut leaves may let another one be made.
  void CutRest() {
    for (Case before; before != best_.c;) {
      before = best_.c;
      CutSteps(best_.c.program.size() / 2);
      CutPairs();
      CutFacts();
      CutMemories();
    }
  }

  /// Leaves out parts of the program with which other findings go.
  void CutFindings() {
    fewer_ = true;
    CutSteps(1);  // more at once may take away what the finding needs
    fewer_ = false;
  }

  /// Takes the candidate if it shows the finding beside no more others.
  bool Try(Case candidate) {
    if (looks_ == kMostLooks || steps_ > kMostSteps) return false;
    const auto gm = static_cast<std::size_t>(isa::Memory::kGm);
    if (MemoriesOf(candidate)[gm] && !candidate.memory[gm]) return false;
    ++looks_;
    steps_ += candidate.program.size();
    const Verdict verdict = Lint(candidate);
    const auto step = wanted_.In(candidate, verdict);
    if (!step) return false;
    if (FindingsIn(verdict) - (fewer_ ? 0 : 1) > best_.others) return false;
    best_ = {std::move(candidate), *step, FindingsIn(verdict) - 1};
    return true;
  }
  bool Change(const std::function<void(Case&)>& change) {
    Case candidate = best_.c;
    change(candidate);
    return !(candidate == best_.c) && Try(std::move(candidate));
  }

  static void KeepOnly(const std::vector<std::size_t>& steps, Case& c) {
    std::vector<isa::Step> kept;
    for (std::size_t step : steps) kept.push_back(c.program[step]);
    c.program = std::move(kept);
    if (c.sources.empty()) return;
    std::vector<std::optional<StepSource>> sources;
    for (std::size_t step : steps) sources.push_back(c.sources[step]);
    c.sources = std::move(sources);
  }

  /// The steps [begin, end), and where they were called.
  static void Erase(std::size_t begin, std::size_t end, Case& c) {
    const auto erase = [&](auto& list) {
      if (list.size() < end) return;
      list.erase(list.begin() + static_cast<std::ptrdiff_t>(begin),
                 list.begin() + static_cast<std::ptrdiff_t>(end));
    };
    erase(c.program);
    erase(c.sources);
  }

  /// Leaves out ever smaller parts of the program, `most` steps at first.
  void CutSteps(std::size_t most) {
    for (std::size_t size = std::max<std::size_t>(most, 1);;
         size = std::max<std::size_t>(size / 2, 1)) {
      bool cut = false;
      for (std::size_t at = 0; at < best_.c.program.size();) {
        const bool gone = Change([&](Case& c) {
          Erase(at, std::min(at + size, c.program.size()), c);
        });
        cut = cut || gone;
        if (!gone) at += size;
      }
      if (size == 1 && !cut) return;
    }
  }

  /// Leaves out flags with both ends: one end alone is a finding.
  void CutPairs() {
    for (std::size_t set = 0; set < best_.c.program.size(); ++set) {
      const auto* const flag = std::get_if<isa::SetFlag>(&best_.c.program[set]);
      if (flag == nullptr) continue;
      const auto waits = std::ranges::find(
          best_.c.program, isa::Step(isa::WaitFlag{flag->event, flag->id}));
      if (waits == best_.c.program.end()) continue;
      const auto wait =
          static_cast<std::size_t>(waits - best_.c.program.begin());
      const auto [first, last] = std::minmax({set, wait});
      const bool gone = Change([first, last](Case& c) {
        Erase(last, last + 1, c);
        Erase(first, first + 1, c);
      });
      set -= gone && set > 0 ? 1 : 0;
    }
  }

  void CutFacts() {
    Change([](Case& c) { c.lint.start_unknown = false; });
    Change([](Case& c) { c.lint.propagate = false; });
    Change([](Case& c) { c.lint.sync.reset(); });
    Change([](Case& c) {
      if (c.lint.sync) c.lint.sync->automatic = false;
    });
  }

  void CutMemories() {
    for (std::size_t m = 0; m < best_.c.memory.size(); ++m) {
      if (!best_.c.memory[m]) continue;
      // First, as bytes that nothing wrote are findings of their own.
      Change([&](Case& c) { c.memory[m]->initialised = true; });
      if (Change([&](Case& c) { c.memory[m].reset(); })) continue;
      Change([&](Case& c) { c.memory[m]->regions.clear(); });
      for (std::size_t r = 0; r < best_.c.memory[m]->regions.size();) {
        const bool gone = Change([&](Case& c) {
          auto& regions = c.memory[m]->regions;
          regions.erase(regions.begin() + static_cast<std::ptrdiff_t>(r));
        });
        r += gone ? 0 : 1;
      }
      best_.c.memory[m]->fill = 0;  // no value is looked at
      for (Region& region : best_.c.memory[m]->regions) Zero(region);
      Change([&](Case& c) {
        MemoryImage& image = *c.memory[m];
        image.size = std::min(
            image.size, std::max(EndOfWindows(c, static_cast<isa::Memory>(m)),
                                 EndOfRegions(image)));
      });
    }
  }

  static void Zero(Region& region) {
    if (!region.series) std::ranges::fill(region.bytes, std::uint8_t{0});
  }
  static std::int64_t EndOfRegions(const MemoryImage& image) {
    return image.regions.empty() ? 1 : image.regions.back().end();
  }
  /// Behind all windows that the program's operands have there.
  static std::int64_t EndOfWindows(const Case& c, isa::Memory memory) {
    std::int64_t end = 1;
    for (const isa::Step& step : c.program) {
      for (const view::Window& window : view::WindowsOf(step, c.product)) {
        if (window.memory == memory) end = std::max(end, window.end());
      }
    }
    return end;
  }

  Wanted wanted_;
  AloneCase best_;
  bool fewer_ = false;  ///< takes only what has fewer other findings
  int looks_ = 0;
  std::size_t steps_ = 0;
};

}  // namespace

std::optional<AloneCase> ShowAlone(const Case& c, const Hazard& hazard) {
  std::vector<std::size_t> core;
  if (hazard.earlier && hazard.earlier->step != hazard.later.step) {
    core.push_back(hazard.earlier->step);
  }
  core.push_back(hazard.later.step);
  return Cutting(c, Wanted(c, hazard)).Run(core);
}

std::optional<AloneCase> ShowAlone(const Case& c,
                                   const RejectedStep& rejected) {
  return Cutting(c, Wanted(c, rejected)).Run({rejected.step});
}

}  // namespace lanediff::lint
