// What shows that a call leaves its windows, or that bytes are shared.

#include <fmt/format.h>

#include <algorithm>

#include "differential/memory/collision.h"
#include "isa/footprint.h"
#include "isa/memory_map.h"
#include "sanitizer/order.h"
#include "sanitizer/slots.h"
#include "sanitizer/witness.h"

namespace lanediff::lint {
namespace {

using view::Window;

std::string_view IterationWord(const isa::Step& step) {
  if (IsOf(step, isa::Family::kCopy)) return "block";
  if (IsOf(step, isa::Family::kTile)) return "row";
  return "iteration";
}

/// The bytes of the window as the step has them: a tensor that starts behind
/// its end has less than none.
std::int64_t BytesOf(const Situation& s, const Window& window) {
  return IntegerOf(s.step(), window.operand + ".bytes").value_or(window.bytes);
}

/// The window itself leaves its memory.
std::optional<Witness> WindowOutside(const Situation& s, const Window& window,
                                     isa::RuleId rule) {
  const std::int64_t size = SizeOf(s.c, window.memory);
  if (window.at >= 0 && window.end() <= size) return {};
  Witness witness;
  witness.rule = rule;
  witness.operand = window.operand;
  const std::string_view memory = isa::Name(window.memory);
  witness.field = window.operand + ".at";
  witness.bytes = {window.memory, window.at, window.bytes};
  witness.found = fmt::format("{} has {} bytes from {}", window.operand,
                              window.bytes, window.at);
  witness.needed =
      fmt::format("they must lie in {}, bytes 0 to {}", memory, size - 1);
  return witness;
}

/// The accesses of one operand.
std::vector<isa::Access> Of(const std::vector<isa::Access>& accesses,
                            std::string_view operand) {
  std::vector<isa::Access> own;
  std::ranges::copy_if(
      accesses, std::back_inserter(own),
      [&](const isa::Access& access) { return access.operand == operand; });
  return own;
}

/// How many bytes the operand, with accesses `own`, needs from its start on;
/// nothing where that is unknown.
std::optional<std::int64_t> NeededBytes(const Situation& s,
                                        std::string_view operand,
                                        const std::vector<isa::Access>& own) {
  const auto at = IntegerOf(s.step(), std::string(operand) + ".at");
  const auto* const call = std::get_if<isa::Call>(&s.step());
  // Padding without a value is in no access.
  const bool pads = call != nullptr && call->Has(isa::Param::kIsPad);
  if (at && !own.empty() && !pads) {
    std::int64_t end = *at;
    for (const isa::Access& access : own) {
      end = std::max(end, access.at + access.bytes);
    }
    return end - *at;
  }
  for (const isa::Footprint& print :
       isa::FootprintsOf(s.step(), s.c.product, s.judge.mask_register())) {
    if (print.operand == operand) return print.Touched();
  }
  return std::nullopt;
}

/// What an access has outside the window: `witness` gets lanes and bytes.
void Fill(const isa::Access& access, const Window& window, Witness& witness) {
  const std::int64_t element = isa::SizeBytes(access.dtype);
  const std::int64_t end = access.at + access.bytes;
  const std::int64_t first =
      access.at < window.at ? access.at : std::max(access.at, window.end());
  const std::int64_t last =
      access.at < window.at ? std::min(end, window.at) : end;
  witness.iteration = access.iteration;
  witness.lanes = {access.lane + (first - access.at) / element,
                   access.lane + (last - 1 - access.at) / element};
  witness.bytes = {access.memory, first, last - first};
}

std::string LanesText(const isa::Step& step,
                      const std::pair<std::int64_t, std::int64_t>& lanes) {
  const auto* const word = IsOf(step, isa::Family::kCopy) ? "element" : "lane";
  if (lanes.first == lanes.second)
    return fmt::format("{} {}", word, lanes.first);
  return fmt::format("{}s {} to {}", word, lanes.first, lanes.second);
}

std::optional<Witness> TouchesOutside(const Situation& s, const Window& window,
                                      const std::vector<isa::Access>& natural,
                                      isa::RuleId rule) {
  const auto own = Of(natural, window.operand);
  const auto outside = std::ranges::find_if(own, [&](const isa::Access& a) {
    return a.at < window.at || a.at + a.bytes > window.end();
  });
  const auto needs = NeededBytes(s, window.operand, own);
  const std::int64_t bytes = BytesOf(s, window);
  if (outside == own.end() && bytes >= 0 && (!needs || *needs <= bytes)) {
    if (needs || !own.empty()) return {};
  }
  Witness witness;
  witness.rule = rule;
  witness.operand = window.operand;
  witness.field = window.operand + ".bytes";
  witness.found = fmt::format("{} has {}", window.operand,
                              std::max<std::int64_t>(bytes, 0));
  witness.needed = needs ? fmt::format("{} bytes from {}", *needs, window.at)
                         : "more bytes than any memory has";
  witness.sentence =
      bytes >= 0
          ? fmt::format("{} needs {}, has {}", window.operand, witness.needed,
                        bytes)
          : fmt::format("{} needs {}, and its tensor ends at {}",
                        window.operand, witness.needed, window.at + bytes);
  if (outside == own.end()) return witness;
  Fill(*outside, window, witness);
  witness.sentence += fmt::format(
      "; {} {} is the first outside: {}, {} bytes {} to {}",
      IterationWord(s.step()), *witness.iteration,
      LanesText(s.step(), *witness.lanes), isa::Name(witness.bytes->memory),
      witness.bytes->at, witness.bytes->at + witness.bytes->bytes - 1);
  return witness;
}

/// A program that shows the same collision and holds no data.
Case Alone(const Situation& s, isa::RuleId rule) {
  Case alone;
  alone.product = s.c.product;
  alone.memory = s.c.memory;
  for (auto& image : alone.memory) {
    if (image) image->regions.clear();
  }
  if (!IsBarrierRule(rule)) {
    alone.program.push_back(isa::SetVectorMask(s.judge.mask_register()));
  }
  return alone;
}

/// The copies before the step, and what orders them, of the last `kMost` steps;
/// `numbers` are their numbers in the program.
Case Copies(const Situation& s, isa::RuleId rule,
            std::vector<std::size_t>& numbers) {
  constexpr std::size_t kMost = 512;
  Case alone = Alone(s, rule);
  for (std::size_t i = s.number > kMost ? s.number - kMost : 0; i < s.number;
       ++i) {
    const isa::Step& step = s.c.program[i];
    const bool counts = IsOf(step, isa::Family::kCopy) ||
                        std::holds_alternative<isa::PipeBarrier>(step) ||
                        std::holds_alternative<isa::SetFlag>(step) ||
                        std::holds_alternative<isa::WaitFlag>(step);
    if (!counts) continue;
    if (s.executed != nullptr && !(*s.executed)[i]) continue;
    alone.program.push_back(step);
    numbers.push_back(i);
  }
  return alone;
}

std::string PipeName(const Situation& s) {
  const auto pipe = PipeOf(s.step(), s.c.product);
  return std::string(pipe ? isa::Name(*pipe) : "ALL");
}

Witness Describe(const Situation& s, isa::RuleId rule,
                 const view::Collision& collision) {
  Witness witness;
  witness.rule = rule;
  witness.operand = collision.second.operand;
  if (!collision.whole_tiles) witness.iteration = collision.second.iteration;
  witness.bytes = {collision.memory, collision.at, collision.bytes};
  witness.found = view::Text(collision);
  const bool between = collision.first.operand != collision.second.operand;
  witness.needed =
      between ? fmt::format("{} and {} apart here, or as the rule allows",
                            collision.first.operand, collision.second.operand)
              : "bytes that are not shared";
  witness.sentence = witness.found;
  if (IsBarrierRule(rule)) {
    witness.earlier = collision.first.step;
    witness.needed = fmt::format("PipeBarrier {} between step {} and step {}",
                                 PipeName(s), collision.first.step, s.number);
    witness.sentence =
        fmt::format("{}; it takes {}", witness.found, witness.needed);
  }
  return witness;
}

}  // namespace

std::vector<Witness> OutsideWitnesses(const Situation& s, isa::RuleId rule) {
  std::vector<Witness> all;
  const auto windows = view::WindowsOf(s.step(), s.c.product);
  for (const Window& window : windows) {
    if (auto found = WindowOutside(s, window, rule)) all.push_back(*found);
  }
  if (!all.empty() || IsOf(s.step(), isa::Family::kTile)) {
    return all;
  }
  const auto natural = s.judge.Natural(s.step());
  for (const Window& window : windows) {
    if (auto found = TouchesOutside(s, window, natural, rule)) {
      all.push_back(*found);
    }
  }
  return all;
}

std::vector<Witness> SharedWitnesses(const Situation& s, isa::RuleId rule) {
  std::vector<std::size_t> numbers;
  Case alone = IsBarrierRule(rule) ? Copies(s, rule, numbers) : Alone(s, rule);
  alone.program.push_back(s.step());
  const std::size_t last = alone.program.size() - 1;
  auto collision = view::FindCollision(alone, last, rule);
  if (!collision) return {};
  if (IsBarrierRule(rule)) {
    numbers.push_back(s.number);
    collision->first.step = numbers[collision->first.step];
    collision->second.step = numbers[collision->second.step];
  } else {
    collision->first.step = collision->second.step = s.number;
  }
  return {Describe(s, rule, *collision)};
}

}  // namespace lanediff::lint
