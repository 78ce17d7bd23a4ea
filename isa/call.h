#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>

#include "isa/form.h"
#include "isa/operand.h"
#include "isa/rule.h"
#include "isa/vocabulary.h"

/// Calls described by rows: `Call` is one call of any instruction that has a
/// row in isa/instructions/, and its `Signature` is what that row states.
namespace lanediff::isa {

/// What a parameter is to its instruction, whatever the document calls it.
enum class Param : std::uint8_t {
  kCount,         ///< elements
  kMask,          ///< lanes, from the first one
  kRepeatTimes,   ///< iterations
  kDstBlkStride,  ///< strides in DataBlocks of 32 bytes, of dst and the sources
  kSrc0BlkStride,
  kSrc1BlkStride,
  kSrc2BlkStride,
  kDstRepStride,
  kSrc0RepStride,
  kSrc1RepStride,
  kSrc2RepStride,
  // Those above are integers, in `Call::params`.
  kMaskWords,  ///< lanes, a bit each
  kScalar,     ///< an element of type T
  kIsSetMask,  ///< whether the call sets its mask itself
};
inline constexpr std::size_t kIntegerParams = 11;

struct ParamSpec {
  Param param;
  std::string_view name;        ///< the document's
  std::string_view group = {};  ///< of the object that it stands in; or none
  std::uint8_t forms = 0xff;    ///< bit i: form i has it
};

struct OperandSpec {
  std::string_view name;  ///< the document's
  bool is_written = false;
};

/// How an instruction lies in memory and what its parameters mean.
enum class Family : std::uint8_t {
  kLanewise,  ///< element i of dst from the elements i of the sources
};

/// The rules of a lane-wise instruction: the number of an id in
/// `Signature::rules`.
enum class LaneRule : std::uint8_t {
  kProduct,
  kDtype,
  kDtypeMatch,
  kPosition,
  kAlign,
  kCount,
  kRepeat,
  kStrideRange,
  kDstBlkStrideZero,
  kMaskContiguous,
  kMaskBits,
  kPlaceholder,
  kBounds,
  kOverlapIteration,
  kOverlapDependency,
  kOverlapSources,  ///< of calls with two sources
  kOverlapCount,
  kAddress,
  kMaskLanes,
  kValue,
  kIntegerOverflow,  ///< of calls whose results may leave an integer type
  kUnmasked,
  kInOrder,
  kClobbersMask,
  kNop,
};

/// The words of the documents for an instruction, without what is legal and
/// what is computed.
struct Signature {
  std::string_view op;    ///< the document's name
  std::string_view slug;  ///< our folders' word
  Family family;
  /// The number of its steps in fuzz inputs and in the plugin ABI.
  std::uint8_t number;
  std::span<const OperandSpec> operands;  ///< dst first
  std::span<const ParamSpec> params;      ///< in the document's order
  std::span<const FormKey> forms;
  std::span<const RuleId> rules;  ///< by the rules of the family

  constexpr RuleId Rule(LaneRule rule) const {
    return rules[static_cast<std::size_t>(rule)];
  }
  constexpr std::size_t sources() const { return operands.size() - 1; }
  constexpr bool Has(Param param) const {
    return std::ranges::find(params, param, &ParamSpec::param) != params.end();
  }
};

/// The forms of lane-wise calls: values of `Call::form`.
inline constexpr std::uint8_t kCountForm = 0;  ///< the first `kCount` elements
inline constexpr std::uint8_t kMaskForm = 1;   ///< the first `kMask` lanes
inline constexpr std::uint8_t kBitsForm = 2;   ///< the lanes of `mask_words`

namespace signatures {

inline constexpr std::array<FormKey, 3> kLaneForms = {{
    {"count", FormShape::kInteger},
    {"mask", FormShape::kInteger},
    {"mask", FormShape::kWords},
}};

inline constexpr std::array<OperandSpec, 1> kFill = {{{"dst", true}}};
inline constexpr std::array<OperandSpec, 2> kUnary = {{{"dst", true}, {"src"}}};
inline constexpr std::array<OperandSpec, 3> kBinary = {
    {{"dst", true}, {"src0"}, {"src1"}}};

inline constexpr std::uint8_t kIterations = 1 << kMaskForm | 1 << kBitsForm;
inline constexpr std::array<ParamSpec, 11> kBinaryParams = {{
    {Param::kCount, "count", {}, 1 << kCountForm},
    {Param::kMask, "mask", {}, 1 << kMaskForm},
    {Param::kMaskWords, "mask", {}, 1 << kBitsForm},
    {Param::kRepeatTimes, "repeatTimes", {}, kIterations},
    {Param::kDstBlkStride, "dstBlkStride", "repeatParams", kIterations},
    {Param::kSrc0BlkStride, "src0BlkStride", "repeatParams", kIterations},
    {Param::kSrc1BlkStride, "src1BlkStride", "repeatParams", kIterations},
    {Param::kDstRepStride, "dstRepStride", "repeatParams", kIterations},
    {Param::kSrc0RepStride, "src0RepStride", "repeatParams", kIterations},
    {Param::kSrc1RepStride, "src1RepStride", "repeatParams", kIterations},
    {Param::kIsSetMask, "isSetMask", {}, kIterations},
}};
inline constexpr std::array<ParamSpec, 9> kUnaryParams = {{
    {Param::kCount, "count", {}, 1 << kCountForm},
    {Param::kMask, "mask", {}, 1 << kMaskForm},
    {Param::kMaskWords, "mask", {}, 1 << kBitsForm},
    {Param::kRepeatTimes, "repeatTimes", {}, kIterations},
    {Param::kDstBlkStride, "dstBlkStride", "repeatParams", kIterations},
    {Param::kSrc0BlkStride, "srcBlkStride", "repeatParams", kIterations},
    {Param::kDstRepStride, "dstRepStride", "repeatParams", kIterations},
    {Param::kSrc0RepStride, "srcRepStride", "repeatParams", kIterations},
    {Param::kIsSetMask, "isSetMask", {}, kIterations},
}};
inline constexpr std::array<ParamSpec, 8> kFillParams = {{
    {Param::kScalar, "scalarValue"},
    {Param::kCount, "count", {}, 1 << kCountForm},
    {Param::kMask, "mask", {}, 1 << kMaskForm},
    {Param::kMaskWords, "mask", {}, 1 << kBitsForm},
    {Param::kRepeatTimes, "repeatTime", {}, kIterations},
    {Param::kDstBlkStride, "dstBlockStride", {}, kIterations},
    {Param::kDstRepStride, "dstRepeatStride", {}, kIterations},
    {Param::kIsSetMask, "isSetMask", {}, kIterations},
}};
/// `kUnaryParams` behind a scalar.
inline constexpr auto kScalarParams = [] {
  std::array<ParamSpec, kUnaryParams.size() + 1> all{
      ParamSpec{Param::kScalar, "scalar"}};
  std::ranges::copy(kUnaryParams, all.begin() + 1);
  return all;
}();

/// The rule ids that begin with `prefix`, by `LaneRule`.
#define LANEDIFF_LANE_RULES(prefix)                                            \
  RuleId(prefix "-PRODUCT"), RuleId(prefix "-DTYPE"),                          \
      RuleId(prefix "-DTYPE-MATCH"), RuleId(prefix "-POSITION"),               \
      RuleId(prefix "-ALIGN"), RuleId(prefix "-COUNT"),                        \
      RuleId(prefix "-REPEAT"), RuleId(prefix "-STRIDE-RANGE"),                \
      RuleId(prefix "-DST-BLK-STRIDE-ZERO"),                                   \
      RuleId(prefix "-MASK-CONTIGUOUS"), RuleId(prefix "-MASK-BITS"),          \
      RuleId(prefix "-PLACEHOLDER"), RuleId(prefix "-BOUNDS"),                 \
      RuleId(prefix "-OVERLAP-ITERATION"),                                     \
      RuleId(prefix "-OVERLAP-DEPENDENCY"), RuleId(prefix "-OVERLAP-SOURCES"), \
      RuleId(prefix "-OVERLAP-COUNT"), RuleId(prefix "-ADDRESS"),              \
      RuleId(prefix "-MASK-LANES"), RuleId(prefix "-VALUE"),                   \
      RuleId(prefix "-INTEGER-OVERFLOW"), RuleId(prefix "-UNMASKED"),          \
      RuleId(prefix "-IN-ORDER"), RuleId(prefix "-CLOBBERS-MASK"),             \
      RuleId(prefix "-NOP")

#define LANEDIFF_LANEWISE(op, slug, prefix, number, operands, params) \
  inline constexpr std::array kRulesOf##op = {LANEDIFF_LANE_RULES(prefix)};
#include "isa/instructions/lanewise.inc"
#undef LANEDIFF_LANEWISE

}  // namespace signatures

/// All rows, in the order of their numbers.
inline constexpr auto kSignatures = std::to_array<Signature>({
#define LANEDIFF_LANEWISE(op, slug, prefix, number, operands, params) \
  {#op,                                                               \
   slug,                                                              \
   Family::kLanewise,                                                 \
   number,                                                            \
   signatures::operands,                                              \
   signatures::params,                                                \
   signatures::kLaneForms,                                            \
   signatures::kRulesOf##op},
#include "isa/instructions/lanewise.inc"
#undef LANEDIFF_LANEWISE
#undef LANEDIFF_LANE_RULES
});

/// The row called `op`; null if there is none.
constexpr const Signature* FindSignature(std::string_view op) {
  const auto* const found = std::ranges::find(kSignatures, op, &Signature::op);
  return found == kSignatures.end() ? nullptr : found;
}
/// The place of `signature` among `kSignatures`, for tables by instruction.
constexpr std::size_t IndexOf(const Signature& signature) {
  return static_cast<std::size_t>(&signature - kSignatures.data());
}

/// One call. What its instruction or its form does not have is zero and means
/// nothing.
struct Call {
  static constexpr std::size_t kMostOperands = 4;

  const Signature* signature = kSignatures.data();  ///< never null
  DType dtype = DType::kHalf;
  std::uint8_t form = 0;
  bool is_set_mask = true;
  std::array<Operand, kMostOperands> operands;  ///< dst first
  std::array<std::int64_t, kIntegerParams> params = {};
  /// Bit i of the first word is lane i, of the second lane 64 + i.
  std::array<std::uint64_t, 2> mask_words = {};
  std::uint64_t scalar = 0;  ///< an element's bits, zero above its width

  bool operator==(const Call&) const = default;

  std::int64_t& operator[](Param param) {
    return params[static_cast<std::size_t>(param)];
  }
  std::int64_t operator[](Param param) const {
    return params[static_cast<std::size_t>(param)];
  }
  Operand& dst() { return operands[0]; }
  const Operand& dst() const { return operands[0]; }
  /// Source `i`, from 0.
  Operand& src(std::size_t i) { return operands[i + 1]; }
  const Operand& src(std::size_t i) const { return operands[i + 1]; }
  /// Those that the instruction has.
  std::span<Operand> used_operands() {
    return std::span(operands).first(signature->operands.size());
  }
  std::span<const Operand> used_operands() const {
    return std::span(operands).first(signature->operands.size());
  }
  /// Strides of operand `i`, in DataBlocks.
  std::int64_t BlkStride(std::size_t i) const {
    return params[static_cast<std::size_t>(Param::kDstBlkStride) + i];
  }
  std::int64_t RepStride(std::size_t i) const {
    return params[static_cast<std::size_t>(Param::kDstRepStride) + i];
  }
  RuleId Rule(LaneRule rule) const { return signature->Rule(rule); }

  static void Fields(auto& s, auto& v);
};

/// A call of the instruction `op`, which must have a row.
constexpr Call CallOf(std::string_view op) {
  Call call;
  call.signature = FindSignature(op);
  return call;
}

/// The parameters of a call that stand in one object of it.
template <class C>
struct ParamGroup {
  C& call;
  std::span<const ParamSpec> params;

  static void Fields(auto& s, auto& v) {
    for (const ParamSpec& spec : s.params) {
      v.Integer(spec.name, s.call.params[static_cast<std::size_t>(spec.param)]);
    }
  }
};

void Call::Fields(auto& s, auto& v) {
  const Signature& signature = *s.signature;
  v.Word("dtype", s.dtype);
  for (std::size_t i = 0; i < signature.operands.size(); ++i) {
    v.Operand(signature.operands[i].name, s.operands[i]);
  }
  const auto all = signature.params;
  bool form_shown = false;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const ParamSpec& spec = all[i];
    if (spec.forms != 0xff && !form_shown) {
      v.Form(s.form, signature.forms);
      form_shown = true;
    }
    if ((spec.forms >> s.form & 1) == 0) continue;
    if (!spec.group.empty()) {
      std::size_t end = i + 1;
      while (end < all.size() && all[end].group == spec.group) ++end;
      ParamGroup<std::remove_reference_t<decltype(s)>> group{
          s, all.subspan(i, end - i)};
      v.Group(spec.group, group);
      i = end - 1;
      continue;
    }
    switch (spec.param) {
      case Param::kMaskWords:
        v.MaskWords(spec.name, s.mask_words);
        break;
      case Param::kScalar:
        v.Element(spec.name, s.dtype, s.scalar);
        break;
      case Param::kIsSetMask:
        v.Flag(spec.name, s.is_set_mask, true);
        break;
      default:
        v.Integer(spec.name, s.params[static_cast<std::size_t>(spec.param)]);
    }
  }
}

}  // namespace lanediff::isa
