// What shows that a value of a call is not among those that a rule allows.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "differential/testcase/element.h"
#include "isa/catalogue.h"
#include "isa/fields.h"
#include "isa/footprint.h"
#include "isa/memory_map.h"
#include "isa/units.h"
#include "sanitizer/slots.h"
#include "sanitizer/witness.h"

namespace lanediff::lint {
namespace {

/// Every value of the kind of `value`, if that is a word of a list.
std::vector<SlotValue> Alternatives(const SlotValue& value) {
  return std::visit(
      []<class T>(const T&) {
        std::vector<SlotValue> all;
        if constexpr (std::is_enum_v<T>) {
          for (std::size_t i = 0; i < isa::kCount<T>; ++i) {
            all.emplace_back(static_cast<T>(i));
          }
        }
        return all;
      },
      value);
}

std::string Or(const std::vector<std::string>& words) {
  if (words.empty()) return "";
  if (words.size() == 1) return words[0];
  return fmt::format("{} or {}",
                     fmt::join(words.begin(), words.end() - 1, ", "),
                     words.back());
}

/// "VECIN, VECCALC or VECOUT is allowed".
std::string Allowed(const std::vector<std::string>& words) {
  return words.empty() ? "no value of it alone is allowed here"
                       : Or(words) + " is allowed";
}

/// Rule and step in question, and witnesses of them.
class ValueWitness {
 public:
  ValueWitness(const Situation& s, isa::RuleId rule)
      : s_(s), rule_(rule), step_(s.step()) {}

  std::vector<Witness> Look() {
    const auto operands = [&](std::string_view part) {
      Strings fields = OperandsOf(step_);
      for (std::string& field : fields) field += part;
      return fields;
    };
    const auto* const call = std::get_if<isa::Call>(&step_);
    // `rules`, and those of the step's row if it has one.
    const auto of = [&](std::initializer_list<isa::CallRule> of_row,
                        std::vector<isa::RuleId> rules = {}) {
      for (const isa::CallRule rule : of_row) {
        if (call != nullptr) rules.push_back(call->Rule(rule));
      }
      return rules;
    };
    const auto not_zero = [&](std::string_view field) {
      Add(field, Is(field), "any other value is allowed");
    };
    const auto like = [&](std::string_view mine, std::string_view theirs) {
      if (Number(mine) == Number(theirs)) return;
      Add(mine, Is(mine),
          fmt::format("{}, {}, is allowed", Number(theirs), theirs));
    };
    using enum isa::CallRule;
    // The catalogue has the ranges of all others.
    const std::pair<std::vector<isa::RuleId>, std::function<void()>>
        searches[] = {
            {of({kDtype}), [&] { Type(); }},
            {of({kDtypeMatch}), [&] { OwnTypes(); }},
            {of({kPosition, kLocation, kScope}, {isa::scalar::kPosition}),
             [&] { Choose(operands(".position")); }},
            {of({kAlign, kDstAlign, kSrcAlign}, {isa::scalar::kAlign}),
             [&] { Align(); }},
            {of({kDstBlkStrideZero}),
             [&] {
               not_zero(
                   isa::NameOf(*call->signature, isa::Param::kDstBlkStride));
             }},
            {of({kDstRepStrideZero}), [&] { not_zero("dstRepStride"); }},
            {of({kMaskBits}), [&] { MaskWords(); }},
            {of({kPlaceholder}), [&] { Placeholder(); }},
            {of({kBlockLen}), [&] { BlockLen(); }},
            {of({kPaddingValue}),
             [&] {
               Add("paddingValue",
                   fmt::format("paddingValue is {:#x}", call->scalar),
                   "0 is allowed for types of 64 bits");
             }},
            {of({kScalarRange}),
             [&] {
               Add("scalar",
                   "scalar is " + ElementToText(call->dtype, call->scalar).text,
                   fmt::format("0 to {} is allowed",
                               8 * isa::SizeBytes(call->dtype)));
             }},
            {of({kRoundEn}),
             [&] { Add("roundEn", "roundEn is true", "false is allowed"); }},
            {of({kRoundMode}), [&] { RoundMode(); }},
            {of({kReduceOrder}), [&] { ReduceOrder(); }},
            {of({kCmpMode}), [&] { CmpMode(); }},
            {of({kCountLength}), [&] { CountLength(); }},
            {of({kSelMode}), [&] { SelMode(); }},
            {of({kRoute}), [&] { Route(); }},
            {of({kMixed}), [&] { Mixed(); }},
            {of({kSrcLayout}), [&] { Choose({"src.layout"}); }},
            {of({kDstLayout}),
             [&] {
               Add("dst.layout",
                   fmt::format("{} with {} columns", Is("dst.layout"),
                               Number("dst.cols")),
                   "ND, or DN with one column, is allowed");
             }},
            {of({kValidZero}),
             [&] {
               for (const auto* field : {"src.validRow", "src.validCol"}) {
                 if (Number(field) == 0) not_zero(field);
               }
             }},
            {of({kValidRows}), [&] { like("dst.validRow", "src.validRow"); }},
            {of({kTmpShape}),
             [&] {
               like("tmp.rows", "src.rows");
               like("tmp.cols", "src.cols");
             }},
            {of({kTile}), [&] {
               for (const auto& tile : OperandsOf(step_)) Tile(tile);
             }}};
    const auto search = std::ranges::find_if(searches, [&](const auto& one) {
      return std::ranges::find(one.first, rule_) != one.first.end();
    });
    if (search != std::end(searches)) {
      search->second();
    } else if (isa::TopicOf(rule_) == isa::Topic::kProduct) {
      Product();
    } else {
      Ranges();
    }
    return std::move(all_);
  }

 private:
  using Strings = std::vector<std::string>;

  void Add(std::string_view field, std::string found, std::string needed) {
    Witness witness;
    witness.rule = rule_;
    witness.field = field;
    const std::size_t dot = witness.field.find('.');
    if (dot != std::string::npos)
      witness.operand = witness.field.substr(0, dot);
    witness.found = std::move(found);
    witness.needed = std::move(needed);
    all_.push_back(std::move(witness));
  }
  /// "src.at is 100".
  std::string Is(std::string_view field) const {
    const auto value = ValueOf(step_, field);
    return std::string(field) + " is " + (value ? Text(*value) : "not there");
  }
  std::int64_t Number(std::string_view field) const {
    return IntegerOf(step_, field).value_or(0);
  }
  bool Breaks(const isa::Step& step) const { return s_.Breaks(step, rule_); }

  /// Values of the first field with which all fields keep the rule; the step
  /// with the last of them.
  Strings Legal(const isa::Step& step, const Strings& fields,
                isa::Step* healed = nullptr) const {
    Strings words;
    for (const SlotValue& value : Alternatives(*ValueOf(step, fields[0]))) {
      isa::Step all = step;
      for (const std::string& field : fields) all = With(all, field, value);
      if (Breaks(all)) continue;
      words.push_back(Text(value));
      if (healed != nullptr) *healed = all;
    }
    return words;
  }

  /// By which masks go; 0 without a type.
  std::int64_t LaneBits() const {
    if (const auto* const call = std::get_if<isa::Call>(&step_)) {
      return 8 * isa::LaneBytes(*call);
    }
    const auto type = TypeOf(step_);
    return type ? 8 * isa::SizeBytes(*type) : 0;
  }

  void Ranges() {
    const std::int64_t bits = LaneBits();
    for (const isa::Range& range :
         isa::FindRule(rule_.text())->RangesIn(s_.c.edition)) {
      const auto value = IntegerOf(step_, range.field);
      const bool of_width =
          range.element_bits == 0 || bits == range.element_bits;
      if (!value || !of_width) continue;
      if (*value >= range.low && *value <= range.high) continue;
      std::string needed =
          fmt::format("{} to {} is allowed", range.low, range.high);
      if (range.element_bits != 0) {
        needed += fmt::format(" for types of {} bits", range.element_bits);
      }
      Add(range.field, Is(range.field), std::move(needed));
    }
  }

  void Product() {
    std::vector<std::string> have;
    for (std::size_t p = 0; p < isa::kCount<isa::Product>; ++p) {
      const auto product = static_cast<isa::Product>(p);
      if (s_.judge.BrokenOn(product, step_).Contains(rule_)) continue;
      have.emplace_back(isa::Name(product));
    }
    Add("product", fmt::format("the product is {}", isa::Name(s_.c.product)),
        have.empty() ? "no product has such a call"
                     : fmt::format("{} has it", Or(have)));
  }

  static bool HoldsBits(isa::DType type) {
    using enum isa::DType;
    return type == kUint8 || type == kUint16 || type == kUint32 ||
           type == kUint64;
  }

  /// Operands whose own type is not the call's.
  void OwnTypes() {
    const auto type = TypeOf(step_);
    const auto* const call = std::get_if<isa::Call>(&step_);
    for (const std::string& operand : OperandsOf(step_)) {
      if (call != nullptr && Converts(*call) && operand == "dst") continue;
      if (call != nullptr && call->signature->PacksBits() && operand == "dst") {
        const auto types = Legal(step_, {"dst.dtype"});
        if (!types.empty()) Add("dst.dtype", Is("dst.dtype"), Allowed(types));
        continue;
      }
      const std::string field = operand + ".dtype";
      const auto value = ValueOf(step_, field);
      if (!value || !type) continue;
      const auto own = std::get<std::optional<isa::DType>>(*value);
      if (operand == "selMask") {
        if (own && !HoldsBits(*own)) {
          Add(field, Is(field), "uint8, uint16, uint32 or uint64 is allowed");
        }
        continue;
      }
      if (!own || own == type) continue;
      Add(field, Is(field),
          fmt::format("{}, the call's type, is", isa::Name(*type)));
    }
  }

  /// Words that are to be of a list: each field that is none, while the others
  /// are.
  void Choose(const Strings& fields) {
    if (!ValueOf(step_, fields[0])) return;
    isa::Step healed = step_;
    const Strings words = Legal(step_, fields, &healed);
    for (const std::string& field : fields) {
      const auto mine = ValueOf(step_, field);
      if (words.empty() || (mine && Breaks(With(healed, field, *mine)))) {
        Add(field, Is(field), Allowed(words));
      }
    }
  }

  void Align() {
    isa::Step healed = step_;
    const auto operands = OperandsOf(step_);
    for (const std::string& operand : operands) {
      healed = With(healed, operand + ".at", std::int64_t{0});
    }
    for (const std::string& operand : operands) {
      const std::string field = operand + ".at";
      if (!Breaks(With(healed, field, Number(field)))) continue;
      std::int64_t multiple = 1;
      while (multiple < isa::kMatrixBytes &&
             Breaks(With(healed, field, multiple))) {
        multiple *= 2;
      }
      const std::int64_t beyond =
          (Number(field) % multiple + multiple) % multiple;
      Add(field,
          fmt::format("{}, {} past a multiple of {}", Is(field),
                      Counted(beyond, "byte"), multiple),
          fmt::format("a multiple of {} is allowed", multiple));
    }
  }

  /// Of a copy that pads: what is in its range is no multiple.
  void BlockLen() {
    Ranges();
    const auto* const call = std::get_if<isa::Call>(&step_);
    if (!all_.empty() || call == nullptr ||
        !call->signature->Has(isa::Param::kIsPad)) {
      return;
    }
    Add("blockLen", Is("blockLen"),
        fmt::format(
            "a multiple of {} is allowed",
            isa::SizeBytes(TypeOf(step_).value_or(isa::DType::kUint8))));
  }

  void MaskWords() {
    const std::int64_t bits = LaneBits();
    const std::string needed =
        bits == 64
            ? "mask[1] is 0 and mask[0] is 0x1 to 0xffffffff with 64 bits"
        : bits == 32
            ? "mask[1] is 0 and mask[0] is not, with the 64 lanes of 32 bits"
            : "at least one lane of both words";
    const SlotValue none(std::uint64_t{0});
    const bool wide = bits >= 32;
    const bool high = ValueOf(step_, "mask[1]") != none;
    const std::string found =
        fmt::format("{}, {}", Is("mask[0]"), Is("mask[1]"));
    if (wide && high) Add("mask[1]", found, needed);
    const bool low = ValueOf(step_, "mask[0]") != none;
    if (!low || !(wide && high)) Add("mask[0]", found, needed);
  }

  void Placeholder() {
    for (const std::string_view field :
         {"mask", "elemsInOneRepeat", "mask[0]", "mask[1]"}) {
      const auto value = ValueOf(step_, field);
      if (!value || *value == SlotValue(std::int64_t{0}) ||
          *value == SlotValue(std::uint64_t{0})) {
        continue;
      }
      Add(field, Is(field) + " although isSetMask is false",
          "0 is allowed: the mask register selects the lanes");
    }
  }

  static bool Converts(const isa::Call& call) {
    return call.signature->Converts();
  }

  /// "half to int32".
  static std::string Pair(const isa::Call& call) {
    return fmt::format("{} to {}", isa::Name(call.dtype),
                       isa::Name(call.TypeOf(0)));
  }

  void Conversion(const isa::Call& call) {
    Strings from;
    Strings to;
    const auto list = [](Strings& types, isa::DType type) {
      std::string word(isa::Name(type));
      if (std::ranges::count(types, word) == 0) types.push_back(word);
    };
    for (const auto& one :
         isa::FindInstruction(call.signature->op)->conversions) {
      if (std::ranges::find(one.products, s_.c.product) == one.products.end()) {
        continue;
      }
      if (one.from == call.dtype) list(to, one.to);
      if (one.to == call.TypeOf(0)) list(from, one.from);
    }
    Add(to.empty() ? "dtype" : "dst.dtype",
        fmt::format("dtype {} to dst.dtype {} is no conversion on {}",
                    isa::Name(call.dtype), isa::Name(call.TypeOf(0)),
                    isa::Name(s_.c.product)),
        Allowed(to.empty() ? from : to));
  }

  /// Where the types are a pair.
  void RoundMode() {
    const auto& call = std::get<isa::Call>(step_);
    Strings modes;
    for (const isa::RoundMode mode :
         isa::FindInstruction(call.signature->op)
             ->Find(s_.c.product, call.dtype, call.TypeOf(0))
             ->modes) {
      modes.emplace_back(isa::Name(mode));
    }
    Add("roundMode",
        fmt::format("roundMode is {}, of {}", isa::Name(call.round_mode),
                    Pair(call)),
        Allowed(modes));
  }

  void CmpMode() {
    isa::Step step = step_;
    auto& call = std::get<isa::Call>(step);
    const std::string found =
        fmt::format("cmpMode is {}, of {}", isa::Name(call.cmp_mode),
                    isa::Name(call.dtype));
    Add("cmpMode", found, Allowed(AllowedWords(step, call.cmp_mode)));
  }

  /// Of packed bits.
  void CountLength() {
    const auto& call = std::get<isa::Call>(step_);
    Add("count", Is("count"),
        fmt::format("a multiple of {}, for 256 bytes each, is allowed",
                    isa::kIterationBytes / isa::LaneBytes(call)));
  }

  void ReduceOrder() {
    isa::Step step = step_;
    auto& call = std::get<isa::Call>(step);
    const std::string found =
        "order is " + std::string(isa::Name(call.reduce_order));
    Add("order", found, Allowed(AllowedWords(step, call.reduce_order)));
  }

  /// Those of `word`, which is the step's, that break no rule.
  template <class Word>
  Strings AllowedWords(const isa::Step& step, Word& word) {
    Strings words;
    for (std::size_t i = 0; i < isa::kCount<Word>; ++i) {
      word = static_cast<Word>(i);
      if (!Breaks(step)) words.emplace_back(isa::Name(word));
    }
    return words;
  }

  void SelMode() {
    const auto& call = std::get<isa::Call>(step_);
    Add("selMode", "selMode is " + std::string(isa::Name(call.sel_mode)),
        std::string(isa::Name(isa::SelMode::kSameBits)) + " is allowed");
  }

  /// An operand's own type hides the call's in a copy.
  void Type() {
    const auto* const call = std::get_if<isa::Call>(&step_);
    if (call != nullptr && Converts(*call)) return Conversion(*call);
    isa::Step plain = step_;
    for (const std::string& operand : OperandsOf(step_)) {
      plain = With(plain, operand + ".dtype", std::optional<isa::DType>());
    }
    const bool of_call = Breaks(plain);
    Add(of_call ? "dtype" : "src.dtype", Is(of_call ? "dtype" : "src.dtype"),
        Allowed(Legal(plain, {"dtype"})));
  }

  /// Where a copy could go from here, or else where it could come from.
  void Route() {
    const std::string src = Text(*ValueOf(step_, "src.position"));
    const std::string dst = Text(*ValueOf(step_, "dst.position"));
    const std::string found = fmt::format("src {} to dst {} is no route on {}",
                                          src, dst, isa::Name(s_.c.product));
    if (const auto to = Legal(step_, {"dst.position"}); !to.empty()) {
      Add("dst.position", found,
          fmt::format("from {} to {} is one", src, Or(to)));
    } else if (const auto from = Legal(step_, {"src.position"});
               !from.empty()) {
      Add("src.position", found,
          fmt::format("none leads from {}; to {} from {} is one", src, dst,
                      Or(from)));
    } else {
      Add("dst.position", found,
          fmt::format("none leads from {} or to {}", src, dst));
    }
  }

  void Mixed() {
    const auto type = TypeOf(step_);
    const auto own = [&](std::string_view field) {
      const auto value = ValueOf(step_, field);
      const auto dtype = std::get<std::optional<isa::DType>>(*value);
      return isa::Name(dtype.value_or(*type));
    };
    const bool by_count = ValueOf(step_, "count").has_value();
    Add("dst.dtype",
        fmt::format("src {} at {} to dst {} at {}{}", own("src.dtype"),
                    Text(*ValueOf(step_, "src.position")), own("dst.dtype"),
                    Text(*ValueOf(step_, "dst.position")),
                    by_count ? " by count" : ""),
        "half at C1 to float at C2 with params is allowed, or one type");
  }

  void Tile(const std::string& tile) {
    const std::int64_t element =
        isa::SizeBytes(TypeOf(step_).value_or(isa::DType::kFloat));
    for (const auto& [size, valid] :
         {std::pair{"rows", "validRow"}, std::pair{"cols", "validCol"}}) {
      const std::string all = fmt::format("{}.{}", tile, size);
      const std::string part = fmt::format("{}.{}", tile, valid);
      if (Number(all) < 1) Add(all, Is(all), "1 or more is allowed");
      if (Number(part) < 0 ||
          (Number(part) > Number(all) && Number(all) >= 1)) {
        Add(part, Is(part),
            fmt::format("0 to {}, {}, is allowed", Number(all), all));
      }
    }
    const bool nd =
        ValueOf(step_, tile + ".layout") == SlotValue(isa::Layout::kNd);
    const std::string length = tile + (nd ? ".cols" : ".rows");
    const std::int64_t in_block = isa::kDataBlockBytes / element;
    if (Number(length) % in_block == 0) return;
    Add(length,
        fmt::format("{}, a {} of {} elements of {} bytes", Is(length),
                    nd ? "row" : "column", Number(length), element),
        fmt::format("a multiple of {} elements, 32 bytes, is allowed",
                    in_block));
  }

  const Situation& s_;
  isa::RuleId rule_;
  const isa::Step& step_;
  std::vector<Witness> all_;
};

}  // namespace

std::vector<Witness> ValueWitnesses(const Situation& situation,
                                    isa::RuleId rule) {
  return ValueWitness(situation, rule).Look();
}

}  // namespace lanediff::lint
