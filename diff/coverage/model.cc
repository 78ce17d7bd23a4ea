#include "diff/coverage/model.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <variant>

#include "isa/catalogue.h"
#include "isa/fields.h"
#include "oracle/oracle.h"

namespace lanediff::diff::coverage {
namespace {

using isa::DType;
using isa::Product;

template <class E>
std::vector<std::string> WordsOf() {
  const auto& words = isa::Words<E>::kSpelling;
  return {words.begin(), words.end()};
}

template <class E>
std::vector<std::string> WordsOf(const std::vector<E>& values,
                                 bool and_others) {
  std::vector<std::string> words;
  for (E value : values) words.emplace_back(isa::Name(value));
  if (and_others) words.emplace_back("other");
  return words;
}

const std::vector<std::string> kEnd = {"executed", "rejected"};

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

std::size_t ValueClasses::Of(std::int64_t value) const {
  const auto next = std::ranges::upper_bound(starts, value);
  return static_cast<std::size_t>(next - starts.begin()) - 1;
}

std::size_t Group::size() const {
  return std::accumulate(
      dimensions.begin(), dimensions.end(), std::size_t{1},
      [](std::size_t n, const auto& words) { return n * words.size(); });
}

Bin Group::At(std::initializer_list<std::size_t> values) const {
  std::size_t index = 0;
  auto dimension = dimensions.begin();
  for (std::size_t value : values) index = index * dimension++->size() + value;
  return static_cast<Bin>(base + index);
}

std::size_t Instruction::TypeClass(DType type) const {
  return static_cast<std::size_t>(std::ranges::find(types, type) -
                                  types.begin());
}

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

  template <class Step>
  Instruction& AddInstruction(std::vector<DType> types,
                              std::vector<Product> products,
                              std::size_t forms) {
    Instruction i{.op = Step::kOp,
                  .room = Step::kRoom,
                  .types = std::move(types),
                  .products = std::move(products),
                  .fields = {}};
    for (std::size_t form = 0; form < forms; ++form) {
      i.fields.push_back(FieldsOfForm<Step>(i, form));
    }
    const auto rules = RulesOf(i.op);
    i.rules = Add(i.room, "alone", {rules, WordsOf<Product>()});
    i.together = Add(i.room, "together", {rules});
    i.types_of =
        Add(i.room, "dtype",
            {WordsOf<DType>(), WordsOf(i.products, /*and_others=*/true)});
    return model_.instructions_[i.op] = std::move(i);
  }

  void AddLayouts(Instruction& i, std::vector<std::string> sources) {
    i.layouts = Add(i.room, "layout",
                    {std::move(sources), WordsOf<Layout>(),
                     WordsOf(i.types, /*and_others=*/true)});
  }

  void AddMasks(Instruction& i, std::vector<std::string> origins) {
    i.masks = Add(i.room, "mask",
                  {WordsOf<Lanes>(), std::move(origins),
                   WordsOf(i.types, /*and_others=*/false)});
  }

  void AddEvents(Instruction& i) {
    i.events = Add(i.room, "event",
                   {WordsOf<oracle::NumericEvent>(),
                    WordsOf(i.types, false),
                    WordsOf(i.products, false),
                    {"saturating", "not"}});
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
      f.group = Add(i.room, f.name,
                    {f.classes.names, WordsOf(i.types, /*and_others=*/true)});
      fields.push_back(std::move(f));
    }
    return fields;
  }

  std::vector<std::string> RulesOf(std::string_view op) {
    std::vector<std::string> ids;
    for (const isa::Rule& rule : isa::Catalogue()) {
      if (rule.instruction != op || rule.effect != isa::Effect::kReject) {
        continue;
      }
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
  Builder add(*this);
  const auto orders = WordsOf<isa::Order>();

  Instruction& rrs = add.AddInstruction<isa::RepeatReduceSum>(
      {kHalf, kFloat}, {kAtlasTraining, kAtlasInferenceAicore, kAtlasA2}, 1);
  add.AddLayouts(rrs, {"src"});
  add.AddMasks(rrs, {"call", "register"});
  add.AddEvents(rrs);

  Instruction& min = add.AddInstruction<isa::Min>(
      {kHalf, kFloat, kInt32, kInt16},
      {kAtlasTraining, kAtlasInferenceAicore, kAtlasA2, kAtlas200i500A2}, 3);
  add.AddLayouts(min, {"src0", "src1"});
  add.AddMasks(min, {"count", "contiguous", "bitwise", "register"});
  add.AddEvents(min);

  Instruction& copy =
      add.AddInstruction<isa::DataCopy>({kHalf}, {kAtlasA2, kAtlasA3}, 2);
  add.AddEvents(copy);
  copy.special =
      add.Add(copy.room, "route",
              {WordsOf<isa::Position>(), WordsOf<isa::Position>(), kEnd});

  Instruction& product = add.AddInstruction<isa::Trowprod>(
      {kHalf, kFloat}, {kAtlasA2, kAtlasA3}, 1);
  add.AddEvents(product);
  product.special = add.Add(product.room, "columns",
                            {{"0", "1", "2", "3", "4", "5", "6", "7", "8+"},
                             {"no-tail", "tail"},
                             orders,
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
               kEnd});
}

const Model& Model::Get() {
  static const Model model;
  return model;
}

const Instruction* Model::Find(const isa::Step& step) const {
  const auto found = instructions_.find(isa::OpName(step));
  return found == instructions_.end() ? nullptr : &found->second;
}

std::size_t Model::RuleNumber(std::string_view id) const {
  return rule_numbers_.at(id);
}

namespace {

const Group& GroupOf(std::span<const Group> groups, Bin bin) {
  const auto behind = std::ranges::upper_bound(groups, bin, {}, &Group::base);
  return *std::prev(behind);
}

}  // namespace

std::string_view Model::Room(Bin bin) const {
  return GroupOf(groups_, bin).room;
}

std::string Model::Name(Bin bin) const {
  const Group& group = GroupOf(groups_, bin);
  std::size_t index = bin - group.base;
  std::string words;
  for (std::size_t d = group.dimensions.size(); d-- > 0;) {
    const auto& dimension = group.dimensions[d];
    words = " " + dimension[index % dimension.size()] + words;
    index /= dimension.size();
  }
  return group.room + ": " + group.name + words;
}

}  // namespace lanediff::diff::coverage
