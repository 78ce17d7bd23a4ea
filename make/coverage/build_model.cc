// Which bins there are: the groups of each instruction, in an order that never
// depends on anything.

#include <algorithm>
#include <limits>
#include <utility>
#include <variant>

#include "isa/catalogue.h"
#include "isa/fields.h"
#include "make/coverage/model.h"
#include "oracle/oracle.h"

namespace lanediff::make::coverage {
namespace {

using isa::DType;
using isa::Product;

template <class E>
std::vector<std::string> WordsOf() {
  const auto& words = isa::Words<E>::kSpelling;
  return {words.begin(), words.end()};
}

template <class E>
std::vector<std::string> WordsOf(const std::vector<E>& values) {
  std::vector<std::string> words;
  for (E value : values) words.emplace_back(isa::Name(value));
  return words;
}

/// The widest range that the catalogue gives the field.
isa::Range RangeOf(std::string_view op, std::string_view field) {
  isa::Range widest{field, 0, 65535};
  bool found = false;
  for (const isa::Rule& rule : isa::Catalogue()) {
    if (rule.instruction != op) continue;
    for (const isa::Range& range : rule.ranges) {
      if (range.field != field) continue;
      widest.low = found ? std::min(widest.low, range.low) : range.low;
      widest.high = found ? std::max(widest.high, range.high) : range.high;
      found = true;
    }
  }
  return widest;
}

/// Below the range, its first two values, small, middling and large ones, its
/// last two, above it; classes that the range has no room for are left out.
ValueClasses ClassesOf(const isa::Range& range) {
  const auto [name, low, high, bits] = range;
  ValueClasses classes;
  const auto add = [&](std::int64_t start, std::string what, bool allowed) {
    if (!classes.starts.empty() && start <= classes.starts.back()) return;
    if (allowed && start > high) return;
    classes.starts.push_back(start);
    classes.names.push_back(std::move(what));
    classes.allowed.push_back(allowed);
  };
  add(std::numeric_limits<std::int64_t>::min(), "below", false);
  add(low, "low", true);
  add(low + 1, "low+1", true);
  add(low + 2, "small", true);
  if (high - low > 40) {
    const std::int64_t origin = std::max<std::int64_t>(low, 0);
    add(origin + 16, "medium", true);
    add(origin + 64, "large", true);
  }
  add(high - 1, "high-1", true);
  add(high, "high", true);
  add(high + 1, "above", false);
  return classes;
}

}  // namespace

/// Adds the groups of one instruction after the other.
class Builder {
 public:
  explicit Builder(Model& model) : model_(model) {}

  std::size_t Add(std::string_view room, std::string name,
                  std::vector<std::vector<std::string>> dimensions) {
    Group group{.room = std::string(room),
                .name = std::move(name),
                .dimensions = std::move(dimensions),
                .base = static_cast<Bin>(model_.bins_)};
    model_.bins_ += group.size();
    model_.groups_.push_back(std::move(group));
    return model_.groups_.size() - 1;
  }

  /// `types` and `products` are those that execute it; without types all do,
  /// and half is told from the others.
  template <class Step>
  Instruction& AddInstruction(std::vector<DType> types,
                              std::vector<Product> products,
                              std::size_t forms) {
    Instruction i{.op = Step::kOp,
                  .room = Step::kRoom,
                  .types = types,
                  .products = std::move(products),
                  .modes = {},
                  .events_told = {},
                  .routes = {},
                  .fields = {}};
    i.all_types = types.empty();
    if (i.all_types) i.types = {DType::kHalf};
    for (std::size_t form = 0; form < forms; ++form) {
      i.fields.push_back(FieldsOfForm<Step>(i, form));
    }
    const auto rules = RulesOf(i.op);
    i.rules = Add(i.room, "alone", {rules, WordsOf(i.products)});
    i.unsupported = Add(i.room, "unsupported", {WordsOf<Product>()});
    i.together = Add(i.room, "together", {rules});
    i.types_of = Add(i.room, "dtype",
                     {i.all_types ? WordsOf<DType>() : WordsOf(i.types),
                      WordsOf(i.products)});
    return model_.instructions_[i.op] = std::move(i);
  }

  void AddLayouts(Instruction& i, std::vector<std::string> sources) {
    i.layouts = Add(i.room, "layout",
                    {std::move(sources), WordsOf<Layout>(), TypesOf(i)});
  }

  void AddMasks(Instruction& i, std::vector<std::string> origins) {
    i.masks = Add(i.room, "mask",
                  {WordsOf<Lanes>(), std::move(origins), WordsOf(i.types)});
  }

  /// What the arithmetic of floating types can meet. Saturation mode can be
  /// left on two products only.
  void AddEvents(Instruction& i, std::vector<oracle::NumericEvent> events) {
    i.events_told = std::move(events);
    std::vector<std::string> modes;
    for (Product product : i.products) {
      for (bool saturation : {true, false}) {
        const bool leaves =
            product == Product::kAtlasA2 || product == Product::kAtlasA3;
        if (!saturation && !leaves) continue;
        i.modes.emplace_back(product, saturation);
        modes.push_back(std::string(isa::Name(product)) +
                        (saturation ? " saturating" : " ieee"));
      }
    }
    i.events = Add(i.room, "event",
                   {WordsOf(i.events_told), {"half", "float"}, modes});
  }

  /// Pairs of positions that some product has a route between, and all pairs
  /// for calls that were rejected.
  void AddRoutes(Instruction& i, std::vector<Route> routes) {
    std::vector<std::string> names;
    for (auto [from, to] : routes) {
      names.push_back(std::string(isa::Name(from)) + ">" +
                      std::string(isa::Name(to)));
    }
    i.routes = std::move(routes);
    i.special = Add(i.room, "route", {names});
    i.rejected_routes =
        Add(i.room, "rejected",
            {WordsOf<isa::Position>(), WordsOf<isa::Position>()});
  }

 private:
  template <class Step>
  std::vector<IntegerField> FieldsOfForm(const Instruction& i,
                                         std::size_t form) {
    isa::Step step = Step{};
    std::string prefix;
    if constexpr (requires { Step::kForms; }) {
      for (const isa::FieldRef& field : isa::FieldsOf(step)) {
        if (const auto* f = std::get_if<isa::FormRef>(&field.value)) {
          *f->form = static_cast<std::uint8_t>(form);
        }
      }
      const isa::FormKey& key = Step::kForms[form];
      prefix = std::string(key.key) +
               (key.shape == isa::FormShape::kWords ? "[] " : " ");
    }
    std::vector<IntegerField> fields;
    for (const isa::FieldRef& field : isa::FieldsOf(step)) {
      if (!std::holds_alternative<std::int64_t*>(field.value)) continue;
      IntegerField f{.name = prefix + std::string(field.name),
                     .classes = ClassesOf(RangeOf(i.op, field.name))};
      f.group = Add(i.room, f.name, {f.classes.names, TypesOf(i)});
      fields.push_back(std::move(f));
    }
    return fields;
  }

  static std::vector<std::string> TypesOf(const Instruction& i) {
    auto words = WordsOf(i.types);
    if (i.all_types) words.emplace_back("other");
    return words;
  }

  /// All but the rule about products, which has a group of its own.
  std::vector<std::string> RulesOf(std::string_view op) {
    std::vector<std::string> ids;
    for (const isa::Rule& rule : isa::Catalogue()) {
      if (rule.instruction != op || rule.effect != isa::Effect::kReject) {
        continue;
      }
      if (rule.id.text().ends_with("-PRODUCT")) continue;
      model_.rule_numbers_[rule.id.text()] = ids.size();
      ids.emplace_back(rule.id.text());
    }
    return ids;
  }

  Model& model_;
};

Model::Model() {
  using enum isa::DType;
  using enum isa::Product;
  using enum isa::Position;
  using enum oracle::NumericEvent;
  Builder add(*this);

  Instruction& rrs = add.AddInstruction<isa::RepeatReduceSum>(
      {kHalf, kFloat}, {kAtlasTraining, kAtlasInferenceAicore, kAtlasA2}, 1);
  add.AddLayouts(rrs, {"src"});
  add.AddMasks(rrs, {"call", "register"});
  add.AddEvents(rrs,
                {kRounded, kTie, kSaturatedHigh, kSaturatedLow, kNanSaturated,
                 kOverflowed, kNanMade, kNanSwallowed, kSubnormal, kMinusZero,
                 kMinusZeroAgainstPlusZero, kInfinityInput, kCancellation});

  Instruction& min = add.AddInstruction<isa::Min>(
      {kHalf, kFloat, kInt32, kInt16},
      {kAtlasTraining, kAtlasInferenceAicore, kAtlasA2, kAtlas200i500A2}, 3);
  add.AddLayouts(min, {"src0", "src1"});
  add.AddMasks(min, {"count", "contiguous", "bitwise", "register"});
  // The smaller of two values is one of them: nothing is rounded or made.
  add.AddEvents(
      min, {kSaturatedHigh, kSaturatedLow, kNanSaturated, kNanSwallowed,
            kSubnormal, kMinusZero, kMinusZeroAgainstPlusZero, kInfinityInput});

  Instruction& copy = add.AddInstruction<isa::DataCopy>(
      {},
      {kAtlasTraining, kAtlasInferenceAicore, kAtlasInferenceVectorcore,
       kAtlasA2, kAtlasA3, kAtlas200i500A2},
      2);
  add.AddRoutes(copy,
                {{kGm, kVecin},       {kGm, kA1},         {kGm, kB1},
                 {kGm, kC1},          {kVecin, kVeccalc}, {kVecin, kVecout},
                 {kVeccalc, kVecout}, {kVecin, kA1},      {kVecin, kB1},
                 {kVecin, kTscm},     {kVeccalc, kA1},    {kVeccalc, kB1},
                 {kVeccalc, kTscm},   {kVecout, kA1},     {kVecout, kB1},
                 {kVecout, kTscm},    {kA1, kC2pipe2gm},  {kB1, kC2pipe2gm},
                 {kC1, kC2pipe2gm},   {kC1, kC2},         {kVecout, kGm},
                 {kCo2, kGm},         {kA1, kGm},         {kB1, kGm}});

  Instruction& product = add.AddInstruction<isa::Trowprod>(
      {kHalf, kFloat}, {kAtlasA2, kAtlasA3}, 1);
  add.AddEvents(product, {kRounded, kTie, kSaturatedHigh, kSaturatedLow,
                          kNanSaturated, kOverflowed, kNanMade, kNanSwallowed,
                          kSubnormal, kMinusZero, kInfinityInput});
  product.special = add.Add(product.room, "columns",
                            {{"0", "1", "2", "3", "4", "5", "6", "7", "8+"},
                             {"no-tail", "tail"},
                             WordsOf<isa::Order>(),
                             {"half", "float"},
                             {"ND", "DN"}});

  Instruction& trans = add.AddInstruction<isa::VecTrans>(
      {kHalf, kInt16, kUint16},
      {kAtlasTraining, kAtlasInferenceAicore, kAtlasInferenceVectorcore,
       kAtlasA2, kAtlas200i500A2, kAtlas200_300_500},
      1);
  add.AddLayouts(trans, {"src"});

  sequence_ =
      add.Add("program", "step",
              {{"first", "SetVectorMask", "SetSaturation", "PipeBarrier",
                "RepeatReduceSum", "Min", "DataCopy", "TROWPROD", "vec_trans"},
               {"SetVectorMask", "SetSaturation", "PipeBarrier",
                "RepeatReduceSum", "Min", "DataCopy", "TROWPROD", "vec_trans"},
               {"executed", "rejected"}});
}

}  // namespace lanediff::make::coverage
