// Which bins there are: the groups of each instruction, in an order that never
// depends on anything.

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "differential/testcase/element.h"
#include "generators/coverage/model.h"
#include "generators/lanewise.h"
#include "generators/values.h"
#include "isa/catalogue.h"
#include "isa/fields.h"
#include "isa/numeric_events.h"
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

}  // namespace

/// Adds the groups of one instruction after the other.
class Builder {
 public:
  explicit Builder(Model& model) : model_(model) {}

  std::size_t Add(std::string_view slug, std::string name,
                  std::vector<std::vector<std::string>> dimensions) {
    Group group{.slug = std::string(slug),
                .name = std::move(name),
                .dimensions = std::move(dimensions),
                .base = static_cast<Bin>(model_.bins_)};
    model_.bins_ += group.size();
    model_.groups_.push_back(std::move(group));
    return model_.groups_.size() - 1;
  }

  /// Types and products are those that the catalogue has in the edition;
  /// without types it has all, and half is distinct from the others.
  Instruction& AddInstruction(const isa::Call& kind) {
    const auto forms = kind.signature->forms;
    const isa::Instruction& described =
        *isa::FindInstruction(kind.signature->op);
    Instruction i{.op = described.op,
                  .slug = described.slug,
                  .types = described.dtypes,
                  .products = described.products};
    i.all_types = i.types.empty();
    std::erase_if(i.products, [&](Product product) {
      return !described.Has({product, model_.edition()});
    });
    std::erase_if(i.types, [&](DType type) {
      return std::ranges::none_of(i.products, [&](Product product) {
        return described.Has({product, model_.edition()}, type);
      });
    });
    if (i.all_types) i.types = {DType::kHalf};
    for (const isa::FormKey& form : forms) {
      const bool words = form.shape == isa::FormShape::kWords;
      i.fields.push_back(FieldsOfForm(
          i, kind, i.fields.size(),
          form.key.empty()
              ? ""
              : fmt::format("{}{} ", form.key, words ? "[]" : "")));
    }
    if (forms.empty()) i.fields = {FieldsOfForm(i, kind, 0, "")};
    const auto rules = RulesOf(i.op);
    i.rules = Add(i.slug, "alone", {rules, WordsOf(i.products)});
    i.unsupported = Add(i.slug, "unsupported", {WordsOf<Product>()});
    i.together = Add(i.slug, "together", {rules});
    i.types_of = Add(i.slug, "dtype",
                     {i.all_types ? WordsOf<DType>() : WordsOf(i.types),
                      WordsOf(i.products)});
    return model_.instructions_[i.op] = std::move(i);
  }

  void AddLayouts(Instruction& i, std::vector<std::string> sources) {
    i.layouts = Add(i.slug, "layout",
                    {std::move(sources), WordsOf<Layout>(), TypesOf(i)});
  }

  void AddMasks(Instruction& i, std::vector<std::string> origins) {
    i.masks = Add(i.slug, "mask",
                  {WordsOf<Lanes>(), std::move(origins), WordsOf(i.types)});
  }

  /// What the arithmetic of floating types can meet. Saturation mode can be
  /// left on two products only.
  void AddEvents(Instruction& i, std::vector<isa::NumericEvent> events) {
    i.distinct_events = std::move(events);
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
    i.events = Add(i.slug, "event",
                   {WordsOf(i.distinct_events), {"half", "float"}, modes});
  }

  /// What integers can meet, in the modes of `AddEvents`.
  void AddIntegerEvents(Instruction& i, std::vector<isa::NumericEvent> events) {
    i.distinct_integer_events = std::move(events);
    for (DType type : i.types) {
      if (!IsFloating(type)) i.integer_types.push_back(type);
    }
    i.integer_events =
        Add(i.slug, "integer",
            {WordsOf(i.distinct_integer_events), WordsOf(i.integer_types),
             model_.groups_[i.events].dimensions[2]});
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
    i.special = Add(i.slug, "route", {names});
    i.rejected_routes =
        Add(i.slug, "rejected",
            {WordsOf<isa::Position>(), WordsOf<isa::Position>()});
  }

 private:
  std::vector<IntegerField> FieldsOfForm(const Instruction& i, isa::Call call,
                                         std::size_t form,
                                         const std::string& prefix) {
    call.form = static_cast<std::uint8_t>(form);
    isa::Step step = call;
    std::vector<IntegerField> fields;
    for (const isa::FieldRef& field : isa::FieldsOf(step)) {
      if (!std::holds_alternative<std::int64_t*>(field.value)) continue;
      IntegerField f{.name = prefix + std::string(field.name),
                     .classes = ClassesOf(i.op, field.name, model_.edition())};
      f.group = Add(i.slug, f.name, {f.classes.names, TypesOf(i)});
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
      if (rule.topic == isa::Topic::kProduct) continue;
      if (!rule.HoldsIn(model_.edition())) continue;
      model_.rule_numbers_[rule.id.text()] = ids.size();
      ids.emplace_back(rule.id.text());
    }
    return ids;
  }

  Model& model_;
};

namespace {

/// The events of floating arithmetic that a use of values can meet. The smaller
/// or larger of two values is one of them, and a magnitude the value without
/// its sign: nothing is rounded or made.
std::vector<isa::NumericEvent> EventsOf(const Values& values) {
  using enum isa::NumericEvent;
  const DataUse use = values.use;
  if (use == DataUse::kCopy) return {};
  std::vector<isa::NumericEvent> events = {kRounded,
                                           kTie,
                                           kSaturatedHigh,
                                           kSaturatedLow,
                                           kNanSaturated,
                                           kOverflowed,
                                           kNanMade,
                                           kNanSwallowed,
                                           kSubnormal,
                                           kMinusZero,
                                           kMinusZeroAgainstPlusZero,
                                           kInfinityInput,
                                           kCancellation};
  const bool product = use == DataUse::kProduct || use == DataUse::kPairProduct;
  std::erase_if(events, [&](isa::NumericEvent event) {
    if (product) {
      return event == kMinusZeroAgainstPlusZero || event == kCancellation;
    }
    if (use == DataUse::kIndex && event == kMinusZero) return true;
    if (use == DataUse::kConversion || use == DataUse::kIndex) {
      return event == kNanMade || event == kMinusZeroAgainstPlusZero ||
             event == kCancellation ||
             (values.rectifies &&
              (event == kSaturatedLow || event == kMinusZero));
    }
    const bool magnitude = use == DataUse::kMagnitude;
    if ((magnitude || values.rectifies) &&
        (event == kSaturatedLow || event == kMinusZero)) {
      return true;
    }
    if (magnitude && event == kMinusZeroAgainstPlusZero) return true;
    return !Computes(use) &&
           (event == kRounded || event == kTie || event == kOverflowed ||
            event == kNanMade || event == kCancellation);
  });
  return events;
}

/// What an instruction has beyond what every call has.
void AddOwn(Builder& add, Instruction& call, const isa::Call& kind) {
  using enum isa::NumericEvent;
  using enum isa::Position;
  const isa::Signature& row = *kind.signature;
  if (row.Has(isa::Param::kIsPad)) {
    call.paddings = add.Add(call.slug, "padding",
                            {{"none", "right", "left", "both"},
                             {"no-rest", "rest"},
                             {"unspecified", "isPad"}});
    add.AddRoutes(
        call, {{kGm, kVecin}, {kGm, kVecout}, {kVecin, kGm}, {kVecout, kGm}});
    return;
  }
  if (kind.Is(isa::Family::kCopy)) {
    add.AddRoutes(call,
                  {{kGm, kVecin},       {kGm, kA1},         {kGm, kB1},
                   {kGm, kC1},          {kVecin, kVeccalc}, {kVecin, kVecout},
                   {kVeccalc, kVecout}, {kVecin, kA1},      {kVecin, kB1},
                   {kVecin, kTscm},     {kVeccalc, kA1},    {kVeccalc, kB1},
                   {kVeccalc, kTscm},   {kVecout, kA1},     {kVecout, kB1},
                   {kVecout, kTscm},    {kA1, kC2pipe2gm},  {kB1, kC2pipe2gm},
                   {kC1, kC2pipe2gm},   {kC1, kC2},         {kVecout, kGm},
                   {kCo2, kGm},         {kA1, kGm},         {kB1, kGm}});
    return;
  }
  std::vector<std::string> sources;
  for (const auto& operand : row.operands.last(row.sources())) {
    if (operand.is_packed) continue;
    sources.emplace_back(operand.name);
  }
  if (!sources.empty()) add.AddLayouts(call, std::move(sources));
  if (row.IsMasked()) {
    std::vector<std::string> masks;
    for (std::uint8_t form = 0; form < row.forms.size(); ++form) {
      masks.emplace_back(row.Has(isa::Param::kCount, form)  ? "count"
                         : row.Has(isa::Param::kMask, form) ? "contiguous"
                                                            : "bitwise");
    }
    if (masks.empty()) masks.emplace_back("call");
    if (row.Has(isa::Param::kIsSetMask)) masks.emplace_back("register");
    add.AddMasks(call, std::move(masks));
  }
  if (!isa::FindInstruction(call.op)->arithmetic) return;
  Values values = ValuesOf(call.op);
  if (row.Converts()) {  // and only what dst is given is counted
    const auto& pairs = isa::FindInstruction(call.op)->conversions;
    if (std::ranges::none_of(
            pairs, [](const auto& pair) { return IsFloating(pair.to); })) {
      return;
    }
    values.use = DataUse::kConversion;
  }
  add.AddEvents(call, EventsOf(values));
  if (isa::FindRule(kind.Rule(isa::CallRule::kIntegerOverflow).text())) {
    add.AddIntegerEvents(call, {kIntegerSaturated, kIntegerWrapped});
  }
  if (!kind.Is(isa::Family::kTile)) return;
  call.special = add.Add(call.slug, "columns",
                         {{"0", "1", "2", "3", "4", "5", "6", "7", "8+"},
                          {"no-tail", "tail"},
                          WordsOf<isa::Order>(),
                          WordsOf(call.types),
                          {"ND", "DN"}});
}

}  // namespace

Model::Model(isa::Edition edition) : edition_(edition) {
  Builder add(*this);
  for (const isa::Call& kind : isa::CallKinds()) {
    AddOwn(add, add.AddInstruction(kind), kind);
  }
  std::vector<std::string> steps;
  for (const isa::Step& kind : isa::StepKinds()) {
    const auto* const call = std::get_if<isa::Call>(&kind);
    if (call != nullptr && &InPrograms(*call->signature) != call->signature) {
      step_classes_.push_back(
          step_classes_[InPrograms(*call->signature).number]);
      continue;
    }
    step_classes_.push_back(steps.size());
    if (!isa::IsOfKernel(kind)) steps.emplace_back(isa::OpName(kind));
  }
  std::vector<std::string> before = {"first"};
  before.insert(before.end(), steps.begin(), steps.end());
  sequence_ =
      add.Add("program", "step", {before, steps, {"executed", "rejected"}});
  for (std::size_t bin = 0; bin < bins_; ++bin) {
    by_name_.emplace(Name(static_cast<Bin>(bin)), static_cast<Bin>(bin));
  }
}

}  // namespace lanediff::make::coverage
