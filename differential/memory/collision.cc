#include "differential/memory/collision.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "differential/memory/memory_set.h"
#include "isa/intervals.h"
#include "isa/memory_map.h"
#include "isa/step.h"
#include "oracle/operations.h"
#include "oracle/oracle.h"

namespace lanediff::view {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

/// a · b of two sizes, kept at the largest number; 0 if one is negative.
std::int64_t Product(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  if (a < 0 || b < 0) return 0;
  return __builtin_mul_overflow(a, b, &product) ? kMost : product;
}

using isa::Access;
using Accesses = std::vector<Access>;

/// What `step`, which `oracle` has just executed, touches: padding that is
/// unspecified is written, too.
Accesses TouchedBy(const Case& c, const isa::Step& step,
                   const oracle::Oracle& oracle) {
  Accesses all = oracle.accesses();
  if (!isa::IsOf(step, isa::Family::kCopy)) return all;
  for (Access access : oracle::ScratchAccesses(step, c.product)) {
    access.operand = "dst";
    all.push_back(access);
  }
  return all;
}

Collision Meet(const Access& first, std::size_t first_step,
               const Access& second, std::size_t second_step) {
  const isa::Interval shared = Common(BytesOf(first), BytesOf(second));
  return {.memory = first.memory,
          .first = {first, first_step},
          .second = {second, second_step},
          .at = shared.begin,
          .bytes = shared.size()};
}

/// The earliest access that collides with one before it, and the first of
/// those.
template <class Forbids>
std::optional<Collision> FirstPair(const Accesses& accesses, std::size_t step,
                                   Forbids forbids) {
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (ShareBytes(accesses[j], accesses[i]) &&
          forbids(accesses[j], accesses[i])) {
        return Meet(accesses[j], step, accesses[i], step);
      }
    }
  }
  return std::nullopt;
}

// ---- Rules between the operands of one call ---------------------------------

/// Whether what an operand reads in each iteration coincides with what is
/// written: each run of lanes or, for a sum, only where they start.
class Coincidence {
 public:
  Coincidence(const Accesses& accesses, bool starts_only) {
    for (const Access& access : accesses) {
      Places& places = places_[KeyOf(access)];
      if (starts_only && !places.empty()) continue;
      places.push_back(
          {access.lane, access.at, starts_only ? 0 : access.bytes});
    }
  }
  bool operator()(const Access& a, const Access& b) const {
    return places_.at(KeyOf(a)) == places_.at(KeyOf(b));
  }

 private:
  struct Place {
    std::int64_t lane;
    std::int64_t at;
    std::int64_t bytes;
    bool operator==(const Place&) const = default;
  };
  using Places = std::vector<Place>;
  /// A dst that is read, too, has both.
  using Key = std::tuple<std::int64_t, std::string_view, bool>;
  static Key KeyOf(const Access& access) {
    return {access.iteration, access.operand, access.write};
  }
  std::map<Key, Places> places_;
};

std::optional<Collision> WithinIteration(const Accesses& accesses,
                                         std::size_t step, bool is_sum) {
  Accesses from_zero = accesses;
  if (is_sum) {  // its element has no lane to compare
    for (Access& access : from_zero) access.lane = 0;
  }
  const Coincidence coincide(from_zero, is_sum);
  return FirstPair(accesses, step, [&](const Access& a, const Access& b) {
    return a.iteration == b.iteration && a.write != b.write && !coincide(a, b);
  });
}

/// What a later iteration reads. src1 may read it under the exception of Min's
/// family, so the other sources come first.
std::optional<Collision> OfLaterIteration(const Accesses& accesses,
                                          std::size_t step) {
  const auto reads_later = [](const Access& a, const Access& b) {
    return a.write && !b.write && a.iteration < b.iteration;
  };
  const auto not_src1 =
      FirstPair(accesses, step, [&](const Access& a, const Access& b) {
        return reads_later(a, b) && b.operand != "src1";
      });
  return not_src1 ? not_src1 : FirstPair(accesses, step, reads_later);
}

std::optional<Collision> OfSources(const Accesses& accesses, std::size_t step) {
  return FirstPair(accesses, step, [](const Access& a, const Access& b) {
    return !a.write && !b.write && a.operand != b.operand;
  });
}

/// Over the whole call. Blocks that are in place are what the rule forbids only
/// where others are not.
std::optional<Collision> OfWholeCall(const Accesses& accesses,
                                     std::size_t step) {
  const auto collide = [](const Access& a, const Access& b) {
    return a.write != b.write;
  };
  const auto shifted =
      FirstPair(accesses, step, [&](const Access& a, const Access& b) {
        const bool in_place = a.iteration == b.iteration && a.at == b.at;
        return collide(a, b) && !in_place;
      });
  if (shifted) return shifted;
  auto in_place = FirstPair(accesses, step, collide);
  if (in_place) in_place->others_are_not_in_place = true;
  return in_place;
}

std::optional<Collision> OfTiles(const isa::Step& step, isa::Product product) {
  const std::vector<Window> tiles = WindowsOf(step, product);
  const std::vector<SharedBytes> shared = SharedBytesOf(tiles);
  if (shared.empty()) return std::nullopt;
  const auto tile = [&](std::string_view name) {
    const auto found = std::ranges::find(tiles, name, &Window::operand);
    const auto& specs = std::get<isa::Call>(step).signature->tiles;
    const auto spec = std::ranges::find(specs, name, &isa::OperandSpec::name);
    return CollidingAccess{
        {.operand = spec->name, .at = found->at, .bytes = found->bytes}};
  };
  return Collision{.memory = shared[0].memory,
                   .first = tile(shared[0].first),
                   .second = tile(shared[0].second),
                   .at = shared[0].at,
                   .bytes = shared[0].bytes,
                   .whole_tiles = true};
}

// ---- Barriers ---------------------------------------------------------------

/// Whether `step` of `c` would need a barrier, as `rule` states, if `earlier`
/// were the only copy before it.
bool NeedsBarrierAfter(const Case& c, std::size_t earlier, std::size_t step,
                       isa::RuleId rule) {
  diff::MemorySet memory(c);
  oracle::Oracle oracle(c.profile(), memory.view());
  oracle.Execute(c.program[earlier]);
  for (std::size_t i = earlier + 1; i < step; ++i) {
    if (std::holds_alternative<isa::PipeBarrier>(c.program[i])) {
      oracle.Execute(c.program[i]);
    }
  }
  return oracle.BrokenAnywhere(c.program[step]).Contains(rule);
}

/// The first bytes that both write.
std::optional<Collision> WrittenTwice(const Accesses& earlier,
                                      std::size_t earlier_step,
                                      const Accesses& later,
                                      std::size_t later_step) {
  for (const Access& second : later) {
    for (const Access& first : earlier) {
      if (first.write && second.write && ShareBytes(first, second)) {
        return Meet(first, earlier_step, second, later_step);
      }
    }
  }
  return std::nullopt;
}

std::optional<Collision> OfCopies(const Case& c, std::size_t step,
                                  isa::RuleId rule,
                                  const std::vector<Accesses>& earlier,
                                  const Accesses& accesses) {
  for (std::size_t i = 0; i < step; ++i) {
    if (!isa::IsOf(c.program[i], isa::Family::kCopy)) continue;
    const auto found = WrittenTwice(earlier[i], i, accesses, step);
    if (found && NeedsBarrierAfter(c, i, step, rule)) return found;
  }
  return std::nullopt;
}

std::string Bytes(std::int64_t at, std::int64_t bytes) {
  return fmt::format("[{}, {})", at, at + bytes);
}

/// What `rule`, one of `call`'s own, forbids among the accesses of `call`, step
/// `step`; `earlier` are those of the steps before.
std::optional<Collision> FindAmong(const Case& c, std::size_t step,
                                   const isa::Call& call, isa::RuleId rule,
                                   const std::vector<Accesses>& earlier,
                                   const Accesses& accesses) {
  using enum isa::CallRule;
  if (rule == call.Rule(kBarrier)) {
    return OfCopies(c, step, rule, earlier, accesses);
  }
  if (rule == call.Rule(kOverlapIteration)) {
    return WithinIteration(accesses, step, call.Is(isa::Family::kReduction));
  }
  if (rule == call.Rule(kOverlapDependency)) {
    return OfLaterIteration(accesses, step);
  }
  if (rule == call.Rule(kOverlapSources)) return OfSources(accesses, step);
  if (rule == call.Rule(kOverlapCount) || rule == call.Rule(kOverlap)) {
    return OfWholeCall(accesses, step);
  }
  return std::nullopt;
}

}  // namespace

std::int64_t Window::end() const {
  std::int64_t sum = 0;
  return __builtin_add_overflow(at, bytes, &sum) ? kMost : sum;
}

std::vector<Window> WindowsOf(const isa::Step& step, isa::Product product) {
  std::vector<Window> windows;
  isa::ForEachOperand(step, [&]<class T>(std::string_view name,
                                         const T& operand, isa::DType dtype) {
    dtype = operand.dtype.value_or(dtype);
    std::int64_t bytes = 0;
    if constexpr (requires { operand.rows; }) {
      bytes =
          Product(Product(operand.rows, operand.cols), isa::SizeBytes(dtype));
    } else {
      bytes = std::max<std::int64_t>(operand.bytes, 0);
    }
    windows.push_back({std::string(name), operand.position,
                       isa::MemoryAt(product, operand.position), dtype,
                       operand.at, bytes});
  });
  return windows;
}

std::vector<SharedBytes> SharedBytesOf(const std::vector<Window>& windows) {
  std::vector<SharedBytes> all;
  for (std::size_t i = 0; i < windows.size(); ++i) {
    for (std::size_t j = i + 1; j < windows.size(); ++j) {
      const Window& a = windows[i];
      const Window& b = windows[j];
      if (a.memory != b.memory) continue;
      const isa::Interval shared =
          Common(isa::Interval{a.at, a.end()}, isa::Interval{b.at, b.end()});
      if (shared.empty()) continue;
      all.push_back(
          {a.operand, b.operand, a.memory, shared.begin, shared.size()});
    }
  }
  return all;
}
std::optional<Collision> FindCollision(const Case& c, std::size_t step,
                                       isa::RuleId rule) {
  const auto* const call = std::get_if<isa::Call>(&c.program[step]);
  if (call == nullptr) return {};
  const bool of_tiles = call->Is(isa::Family::kTile);
  if (of_tiles && rule == call->Rule(isa::CallRule::kOverlap)) {
    return OfTiles(c.program[step], c.product);
  }

  diff::MemorySet memory(c);
  oracle::Oracle oracle(c.profile(), memory.view());
  std::vector<Accesses> earlier;
  for (std::size_t i = 0; i < step; ++i) {
    const isa::StepResult result = oracle.Execute(c.program[i]);
    if (result.status != isa::StepResult::Status::kExecuted) return {};
    earlier.push_back(TouchedBy(c, c.program[i], oracle));
  }
  if (!oracle.ExecuteExtended(c.program[step])) return {};
  auto found = FindAmong(c, step, *call, rule, earlier,
                         TouchedBy(c, c.program[step], oracle));
  if (found && call->Is(isa::Family::kCopy)) found->iteration_word = "block";
  if (found && call->Is(isa::Family::kBroadcast)) {  // never in place
    found->others_are_not_in_place = false;
  }
  return found;
}

std::string Text(const Collision& collision) {
  const auto does = [&](const CollidingAccess& access) {
    const std::string bytes = Bytes(access.at, access.bytes);
    if (collision.whole_tiles) {
      return fmt::format("tile {} {}", access.operand, bytes);
    }
    const bool one_step = collision.first.step == collision.second.step;
    return fmt::format(
        "{} {}{} {} {} {}", collision.iteration_word, access.iteration,
        one_step ? "" : fmt::format(" of step {}", access.step),
        access.write ? "writes" : "reads", access.operand, bytes);
  };
  return fmt::format("{} and {}: {} {} is shared{}", does(collision.first),
                     does(collision.second), isa::Name(collision.memory),
                     Bytes(collision.at, collision.bytes),
                     collision.others_are_not_in_place
                         ? fmt::format(", and not every {} is in place",
                                       collision.iteration_word)
                         : "");
}

}  // namespace lanediff::view
