#include "generators/coverage/observer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <variant>

#include "isa/catalogue.h"
#include "isa/fields.h"
#include "isa/footprint.h"
#include "isa/memory_map.h"
#include "isa/units.h"

namespace lanediff::make::coverage {
namespace {

using isa::Access;
using isa::DType;

using isa::kIterationBytes;

template <class E>
std::size_t Number(E value) {
  return static_cast<std::size_t>(value);
}

/// Full repeats up to 8 and more, and whether columns are left over.
std::array<std::size_t, 2> ColumnsOf(const isa::Call& s) {
  const std::int64_t lanes = kIterationBytes / isa::SizeBytes(s.dtype);
  const std::int64_t columns = std::max<std::int64_t>(s.tiles[1].valid_col, 0);
  return {static_cast<std::size_t>(std::min<std::int64_t>(columns / lanes, 8)),
          columns % lanes != 0 ? 1u : 0u};
}

struct Extent {
  std::int64_t begin = std::numeric_limits<std::int64_t>::max();
  std::int64_t end = std::numeric_limits<std::int64_t>::min();

  void Add(const Access& access) {
    begin = std::min(begin, access.at);
    end = std::max(end, access.at + access.bytes);
  }
  bool empty() const { return begin >= end; }
};

/// Accesses of overlapping extents, byte by byte of what both may touch.
Layout ByBytes(std::span<const Access> accesses, std::string_view source,
               const Extent& read, const Extent& written) {
  const std::int64_t begin = std::max(read.begin, written.begin);
  const std::int64_t end = std::min(read.end, written.end);
  constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();
  std::vector<std::int64_t> first_write(static_cast<std::size_t>(end - begin),
                                        kNever);
  const auto each = [&](const Access& access, auto visit) {
    const std::int64_t last = std::min(access.at + access.bytes, end);
    for (std::int64_t at = std::max(access.at, begin); at < last; ++at) {
      visit(first_write[static_cast<std::size_t>(at - begin)]);
    }
  };
  for (const Access& access : accesses) {
    if (!access.write) continue;
    each(access, [&](std::int64_t& first) {
      first = std::min(first, access.iteration);
    });
  }
  bool common = false;
  bool later = false;
  for (const Access& access : accesses) {
    if (access.write || access.operand != source) continue;
    each(access, [&](std::int64_t first) {
      common |= first != kNever;
      later |= first < access.iteration;
    });
  }
  if (later) return Layout::kRunning;
  if (!common) return Layout::kInterleaved;
  return read.begin == written.begin ? Layout::kSameStart : Layout::kShifted;
}

}  // namespace

Layout LayoutOf(std::span<const Access> accesses, std::string_view source) {
  Extent read;
  Extent written;
  for (const Access& access : accesses) {
    if (access.write) {
      written.Add(access);
    } else if (access.operand == source) {
      read.Add(access);
    }
  }
  if (read.empty() || written.empty()) return Layout::kOneEmpty;
  if (read.end == written.begin || written.end == read.begin) {
    return Layout::kTouching;
  }
  if (read.end < written.begin || written.end < read.begin) {
    return Layout::kApart;
  }
  return ByBytes(accesses, source, read, written);
}

Lanes LanesOf(std::span<const Access> accesses, std::string_view operand,
              std::int64_t lanes) {
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  for (const Access& access : accesses) {
    if (access.iteration > 0) break;
    if (access.operand != operand) continue;
    const std::int64_t size = access.bytes / isa::SizeBytes(access.dtype);
    for (std::int64_t i = access.lane; i < access.lane + size; ++i) {
      (i < 64 ? low : high) |= std::uint64_t{1} << (i % 64);
    }
  }
  const int count = std::popcount(low) + std::popcount(high);
  if (count == 0) return Lanes::kNone;
  if (count == 1) return Lanes::kOne;
  if (count == lanes) return Lanes::kAll;
  const int first =
      low != 0 ? std::countr_zero(low) : 64 + std::countr_zero(high);
  const int last =
      high != 0 ? 127 - std::countl_zero(high) : 63 - std::countl_zero(low);
  if (last - first + 1 == count) {
    return first == 0 ? Lanes::kFirst : Lanes::kRun;
  }
  if (high == 0) return Lanes::kLow;
  return low == 0 ? Lanes::kHigh : Lanes::kSpread;
}

void Observer::Reach(std::size_t group,
                     std::initializer_list<std::size_t> values) {
  bins_.push_back(model_.group(group).At(values));
}

void Observer::operator()(const diff::ReferenceStep& step) {
  if (isa::IsOfKernel(step.step) || case_.edition != model_.edition()) {
    return;
  }
  const bool rejected =
      step.result.status != isa::StepResult::Status::kExecuted;
  const std::size_t end = rejected ? 1 : 0;
  const std::size_t kind = model_.StepClass(step.step);
  Reach(model_.sequence(), {step_before_, kind, end});
  step_before_ = kind + 1;
  if (const auto* set = std::get_if<isa::SetSaturation>(&step.step)) {
    if (!rejected) saturation_ = set->enabled;
  }
  if (const Instruction* instruction = model_.Find(step.step)) {
    ObserveCall(*instruction, step);
  }
}

void Observer::ObserveCall(const Instruction& i,
                           const diff::ReferenceStep& step) {
  const bool rejected =
      step.result.status != isa::StepResult::Status::kExecuted;
  const auto& call = std::get<isa::Call>(step.step);
  const isa::Signature& row = *call.signature;
  const std::size_t type = i.TypeClass(call.dtype);

  isa::Step copy = step.step;
  auto field = i.fields[call.form].begin();
  for (const isa::FieldRef& ref : isa::FieldsOf(copy)) {
    const auto* value = std::get_if<std::int64_t*>(&ref.value);
    if (value == nullptr) continue;
    const std::size_t of = field->classes.Of(**value);
    // Of values that the rules allow, only what came to be executed counts.
    if ((!rejected || !field->classes.allowed[of]) &&
        (i.all_types || type < i.types.size())) {
      Reach(field->group, {of, type});
    }
    ++field;
  }

  if (call.Is(isa::Family::kCopy)) {
    ReachRoute(i, call.src(0).position, call.dst().position, rejected);
  }
  if (rejected) {
    for (isa::RuleId rule : step.result.rules) {
      ReachRule(i, rule, step.result.rules.size() == 1);
    }
    return;
  }
  // Only a reference that forgets a rule executes another type.
  if (!i.all_types && type == i.types.size()) return;

  if (i.layouts != 0) {
    std::size_t source = 0;
    for (const auto& operand : row.operands.last(row.sources())) {
      if (operand.is_packed) continue;
      const Layout layout = LayoutOf(step.accesses, operand.name);
      Reach(i.layouts, {source++, Number(layout), type});
    }
  }
  if (i.masks != 0) {
    const std::int64_t lanes = kIterationBytes / isa::LaneBytes(call);
    const std::string_view operand =
        row.operands[row.sources() > 0 ? 1 : 0].name;
    const Lanes mask = LanesOf(step.accesses, operand, lanes);
    const bool from_register =
        call.Has(isa::Param::kIsSetMask) && !call.is_set_mask;
    const std::size_t origin =
        from_register ? std::max<std::size_t>(row.forms.size(), 1) : call.form;
    Reach(i.masks, {Number(mask), origin, type});
  }
  if (call.Is(isa::Family::kTile)) {
    const auto [repeats, tail] = ColumnsOf(call);
    Reach(i.special,
          {repeats, tail, Number(call.order.value_or(isa::Order::kDocumented)),
           type, Number(call.tiles[0].layout)});
  }
  if (call.Has(isa::Param::kIsPad) && !step.accesses.empty()) {
    const std::int64_t left = call[isa::Param::kLeftPadding];
    const std::int64_t right = call[isa::Param::kRightPadding];
    const std::int64_t bytes = (left + right) * isa::SizeBytes(call.dtype) +
                               call[isa::Param::kBlockLen];
    Reach(i.paddings,
          {(left > 0 ? 2u : 0u) + (right > 0 ? 1u : 0u),
           bytes % isa::kDataBlockBytes != 0 ? 1u : 0u, call.is_pad ? 1u : 0u});
  }
  const auto product = static_cast<std::size_t>(
      std::ranges::find(i.products, case_.product) - i.products.begin());
  if (product == i.products.size()) return;
  Reach(i.types_of, {i.all_types ? Number(call.dtype) : type, product});
  const bool has_dst = !row.operands.empty();
  ObserveEvents(i, has_dst ? call.TypeOf(0) : call.dtype, step.events);
}

void Observer::ObserveEvents(const Instruction& i, DType dtype,
                             const isa::NumericEvents& events) {
  const auto mode = i.Mode(case_.product, saturation_);
  if (!mode) return;
  const auto reach = [&](std::size_t group, const auto& kinds,
                         std::size_t type) {
    for (std::size_t e = 0; e < kinds.size(); ++e) {
      if (events.counts[Number(kinds[e])] != 0) Reach(group, {e, type, *mode});
    }
  };
  if (dtype == DType::kHalf || dtype == DType::kFloat) {
    reach(i.events, i.distinct_events, dtype == DType::kHalf ? 0u : 1u);
  }
  const auto integer = std::ranges::find(i.integer_types, dtype);
  if (integer != i.integer_types.end()) {
    reach(i.integer_events, i.distinct_integer_events,
          static_cast<std::size_t>(integer - i.integer_types.begin()));
  }
}

void Observer::ReachRoute(const Instruction& i, isa::Position from,
                          isa::Position to, bool rejected) {
  if (rejected) {
    Reach(i.rejected_routes, {Number(from), Number(to)});
    return;
  }
  const auto route = std::ranges::find(i.routes, Route(from, to));
  if (route == i.routes.end()) return;
  Reach(i.special, {static_cast<std::size_t>(route - i.routes.begin())});
}

void Observer::ReachRule(const Instruction& i, isa::RuleId rule, bool alone) {
  if (isa::TopicOf(rule) == isa::Topic::kProduct) {
    if (alone) Reach(i.unsupported, {Number(case_.product)});
    return;
  }
  const std::size_t number = model_.RuleNumber(rule.text());
  const auto product = std::ranges::find(i.products, case_.product);
  if (!alone) {
    Reach(i.together, {number});
  } else if (product != i.products.end()) {
    Reach(i.rules,
          {number, static_cast<std::size_t>(product - i.products.begin())});
  }
}

std::size_t Reached::Add(const std::vector<Bin>& bins) {
  std::size_t found = 0;
  for (Bin bin : bins) {
    found += !reached_[bin];
    reached_.set(bin);
  }
  return found;
}

}  // namespace lanediff::make::coverage
