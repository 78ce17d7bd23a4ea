// Flags, mask modes and single elements: steps beside the calls.

#include <fmt/format.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "generators/boundary/calls.h"
#include "generators/lanewise.h"
#include "isa/state.h"

namespace lanediff::make::sweep {
namespace {

using isa::DType;
using isa::Event;
using isa::Position;
using isa::Product;

constexpr std::int64_t kSmallUbBytes = 4096;
constexpr std::int64_t kSmallGmBytes = 1024;

void Add(Emitter& out, std::string what, isa::RuleId rule, Product product,
         std::vector<isa::Step> program) {
  if (!out.Next()) return;
  Case c;
  c.product = product;
  c.program = std::move(program);
  Ub(c) = Image(kSmallUbBytes);
  c.memory[static_cast<std::size_t>(isa::Memory::kGm)] = Image(kSmallGmBytes);
  out.Give({.what = std::move(what), .rule = rule, .c = std::move(c)});
}

// ---- Mask register and mode -------------------------------------------------

isa::Call Masked(std::string_view op, bool is_set_mask) {
  isa::Call call = isa::CallOf(op);
  call.dst() = At(Position::kVecout, 1024, 256);
  call.src(0) = At(Position::kVecin, 0, 256);
  call.src(1) = At(Position::kVecin, 256, 256);
  call.form = isa::kMaskForm;
  call[isa::Param::kMask] = is_set_mask ? 9 : 0;
  call.is_set_mask = is_set_mask;
  call[isa::Param::kRepeatTimes] = 1;
  SetDenseStrides(call);
  return call;
}

isa::Call Counted(std::string_view op, std::int64_t count) {
  isa::Call call = Masked(op, true);
  call.form = isa::kCountForm;
  call.params = {};
  call[isa::Param::kCount] = count;
  return call;
}

/// Whether the mode is counter after the two: no call is masked then.
bool LeaveCounterMode(const isa::Step& a, const isa::Step& b) {
  const auto sets = [](const isa::Step& step) -> std::optional<bool> {
    if (std::holds_alternative<isa::SetMaskCount>(step)) return true;
    if (std::holds_alternative<isa::SetMaskNorm>(step)) return false;
    const auto* const call = std::get_if<isa::Call>(&step);
    if (call != nullptr && (*call)[isa::Param::kCount] > 0) return false;
    return std::nullopt;
  };
  return sets(b).value_or(sets(a).value_or(false));
}

/// Two steps that set the mode or the register, then calls; masked ones where
/// they are supported.
void SweepModes(Emitter& out, Product product, std::string_view op) {
  const std::vector<std::pair<std::string_view, isa::Step>> setters = {
      {"SetMaskCount", isa::SetMaskCount{}},
      {"SetMaskNorm", isa::SetMaskNorm{}},
      {"ResetMask", isa::ResetMask{}},
      {"SetVectorMask", isa::SetVectorMask{.high = 1, .low = 0xf0}},
      {"count 5", Counted(op, 5)},
      {"count 0", Counted(op, 0)},
  };
  for (const auto& [name, step] : setters) {
    Add(out, fmt::format("mask state: {} on {}", name, isa::Name(product)),
        isa::state::kMaskProduct, product, {step});
    for (const auto& [then, second] : setters) {
      const bool counter = LeaveCounterMode(step, second);
      for (bool is_set_mask : {true, false}) {
        std::vector<isa::Step> program = {step, second};
        if (!counter) program.emplace_back(Masked(op, is_set_mask));
        program.insert(program.end(), {Counted(op, 3), Masked(op, false)});
        Add(out,
            fmt::format("mask state: {}, {}, masked call {} on {}", name, then,
                        is_set_mask ? "with a mask" : "by the register",
                        isa::Name(product)),
            isa::state::kMaskMode, product, std::move(program));
      }
    }
  }
}

// ---- Single elements --------------------------------------------------------

struct Element {
  isa::RuleId rule;
  std::string_view what;
  DType dtype = DType::kHalf;
  Position position = Position::kVeccalc;
  std::int64_t at = 64;
  std::int64_t bytes = 64;
  std::int64_t index = 1;
};

std::vector<Element> Elements() {
  namespace rule = isa::scalar;
  std::vector<Element> all;
  for (DType dtype : kEveryDType) {
    all.push_back(
        {.rule = rule::kProduct, .what = "every type", .dtype = dtype});
  }
  for (Position position : kEveryPosition) {
    all.push_back({.rule = rule::kPosition,
                   .what = "every position",
                   .position = position});
  }
  for (std::int64_t at : {0, 1, 2, 3, 4, 6, 63}) {
    for (DType dtype :
         {DType::kInt8, DType::kHalf, DType::kFloat, DType::kInt64}) {
      all.push_back({.rule = rule::kAlign,
                     .what = "alignment",
                     .dtype = dtype,
                     .at = at});
    }
  }
  for (std::int64_t index : {-1L, 0L, 31L, 4294967295L, 4294967296L}) {
    all.push_back({.rule = rule::kIndex, .what = "range", .index = index});
  }
  for (std::int64_t index : {31, 32}) {
    all.push_back(
        {.rule = rule::kBounds, .what = "end of the window", .index = index});
  }
  for (std::int64_t bytes :
       {-2L, 0L, 2L, kSmallUbBytes - 64, kSmallUbBytes - 62}) {
    all.push_back(
        {.rule = rule::kBounds, .what = "window", .bytes = bytes, .index = 0});
  }
  all.push_back({.rule = rule::kBounds, .what = "before UB", .at = -64});
  return all;
}

void SweepElements(Emitter& out) {
  for (Product product : kEveryProduct) {
    for (const Element& e : Elements()) {
      const isa::Operand window = At(e.position, e.at, e.bytes);
      const std::string what =
          fmt::format("element: {} of {} at {} {}+{}, index {} on {}", e.what,
                      isa::Name(e.dtype), isa::Name(e.position), e.at, e.bytes,
                      e.index, isa::Name(product));
      Add(out, "GetValue, " + what, e.rule, product,
          {isa::GetValue{e.dtype, window, e.index}});
      Add(out, "SetValue, " + what, e.rule, product,
          {isa::SetValue{e.dtype, window, e.index, 0x5a}});
    }
  }
}

// ---- Flags ------------------------------------------------------------------

/// Every event with ids at and beyond the ends.
void SweepIds(Emitter& out) {
  for (const auto& [product, event, id] :
       Combinations<Product, Event, std::int64_t>(
           kEveryProduct, EveryValue<Event>(), {-1, 0, 3, 4, 5, 6, 7, 8})) {
    Add(out,
        fmt::format("flag: {} {} on {}", isa::Name(event), id,
                    isa::Name(product)),
        isa::sync::kFlagReserved, product,
        {isa::SetFlag{event, id}, isa::WaitFlag{event, id}});
  }
}

/// Two copies to the same bytes with up to three or four steps between them, in
/// every order: which of them order the copies (DC-BARRIER).
void SweepChains(Emitter& out) {
  const std::vector<isa::Step> between = {
      isa::SetFlag{Event::kMte2V, 0},    isa::WaitFlag{Event::kMte2V, 0},
      isa::SetFlag{Event::kVMte2, 0},    isa::WaitFlag{Event::kVMte2, 0},
      isa::SetFlag{Event::kMte2S, 1},    isa::WaitFlag{Event::kMte2S, 1},
      isa::SetFlag{Event::kMte3Mte2, 3}, isa::WaitFlag{Event::kMte3Mte2, 3},
      isa::SetFlag{Event::kMte2Mte3, 3}, isa::WaitFlag{Event::kMte2Mte3, 3},
      isa::PipeBarrier{isa::Pipe::kV},   isa::PipeBarrier{isa::Pipe::kMte3},
      isa::PipeBarrier{isa::Pipe::kS},
  };
  // Up to so many steps, each of the first `count`.
  const auto sweep = [&](Product product, const isa::Call& copy,
                         std::size_t count, int steps) {
    std::size_t numbers = 1;
    for (int i = 0; i < steps; ++i) numbers *= count;
    for (std::size_t number = 0; number < numbers; ++number) {
      std::vector<isa::Step> program = {copy};
      for (std::size_t rest = number; rest > 0; rest /= count) {
        program.push_back(between[rest % count]);
      }
      program.emplace_back(copy);
      Add(out,
          fmt::format("flags between copies: {} of {} kinds to {} on {}",
                      number, count, isa::Name(copy.dst().position),
                      isa::Name(product)),
          isa::sync::kHappensBefore, product, std::move(program));
    }
  };
  const isa::Call in = HalvesCopied(Position::kGm, 0, Position::kVecin, 0);
  const isa::Call to_gm =
      HalvesCopied(Position::kVecout, 0, Position::kGm, 256);
  constexpr std::size_t kOfMte2 = 6;  // those that can order copies in
  sweep(Product::kAtlasA2, in, between.size(), 3);
  sweep(Product::kAtlasA2, in, kOfMte2, 4);
  sweep(Product::kAtlasA2, to_gm, between.size(), 2);
  sweep(Product::kAtlasTraining, in, kOfMte2, 4);
  sweep(Product::kAtlasInferenceVectorcore, in, kOfMte2, 3);
}

}  // namespace

void SweepFlags(Emitter& out) {
  for (Product product : kEveryProduct) {
    // Min was not there in 2024.
    SweepModes(out, product, product == Product::kAtlasA3 ? "Add" : "Min");
  }
  SweepElements(out);
  SweepIds(out);
  SweepChains(out);
}

}  // namespace lanediff::make::sweep
