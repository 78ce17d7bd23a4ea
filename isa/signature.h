#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "isa/rule.h"

/// Instructions described by rows, the lines of isa/instructions/: their names,
/// operands, parameters and forms, and the ids of their rules.
namespace lanediff::isa {

/// How the field that gives a form away looks in a document.
enum class FormShape : std::uint8_t { kInteger, kWords, kObject };

/// One of several alternative forms of a step: it has the field `key`, of this
/// shape, and no key of the other forms. An empty key: it has no key.
struct FormKey {
  std::string_view key;
  FormShape shape;
};

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
  kBlockCount,  ///< of a copy: blocks, their length, and the gaps from the
  kBlockLen,    ///< tail of one to the head of the next
  kSrcGap,
  kDstGap,
  kLeftPadding,  ///< elements that a copy puts before and behind a block
  kRightPadding,
  // Those above are integers, in `Call::params`.
  kMaskWords,    ///< lanes, a bit each
  kScalar,       ///< an element of type T
  kIsSetMask,    ///< whether the call sets its mask itself
  kIsPad,        ///< whether `kScalar` is what padding is
  kOrder,        ///< of additions or multiplications; none: the target's own
  kRoundEn,      ///< whether a shift to the right adds the bit shifted out last
  kRoundMode,    ///< of a conversion from the type of src to that of dst
  kReduceOrder,  ///< of a lane's value and its index, and which is written
  kCmpMode,      ///< the relation of the two values of a lane
  kSelMode,      ///< what a bit of 0 selects; decides which operands there are
};
inline constexpr std::size_t kIntegerParams = 17;

struct ParamSpec {
  Param param;
  std::string_view name;        ///< the document's
  std::string_view group = {};  ///< of the object that it stands in; or none
  std::uint8_t forms = 0xff;    ///< bit i: form i has it
};

struct OperandSpec {
  std::string_view name;  ///< the document's
  bool is_written = false;
  bool is_scratch = false;  ///< unspecified afterwards, and never compared
  /// Its own type is no error: where it has none, it has the step's.
  bool has_own_type = false;
  /// Of dst: its elements are inputs, too, behind all others.
  bool is_updated = false;
  /// Of dst: no document determines its elements to the last bit, special
  /// values aside.
  bool is_open = false;
  /// Of dst: its elements depend on the numbers of their lanes, which count on
  /// from one iteration to the next, lanes that take no part included.
  bool is_numbered = false;
  /// A bit of each lane of an iteration, the lowest bit of a byte first. Of
  /// dst: iterations one behind the other, whatever its strides; its type is
  /// that of a byte. Of a source, which is not written: its type is that of the
  /// words that hold them.
  bool is_packed = false;
};

/// How an instruction lies in memory and what its parameters mean.
enum class Family : std::uint8_t {
  kLanewise,  ///< element i of dst from the elements i of the sources
  /// An element of dst from each `Group` of the lanes of 256 bytes of src that
  /// take part in an iteration, side by side; `kDstRepStride` counts all of an
  /// iteration. With `kReduceOrder` the result is a value, its index or both.
  kReduction,
  /// `kCount` elements, or blocks with gaps. `kBlockLen` and `kDstGap` count 32
  /// bytes, or 64 where dst is at C2, or 128 where it is at C2PIPE2GM;
  /// `kSrcGap` counts 32. Of a row with padding `kBlockLen` counts bytes, and a
  /// gap bytes at GM and 32 elsewhere.
  kCopy,
  kTranspose,  ///< 16×16 elements of 16 bits; strides count 512 bytes
  /// Each of 8 elements of src, side by side through all iterations, fills a
  /// DataBlock of dst.
  kBroadcast,
  kTile,  ///< rows and columns of tiles
};

/// The lanes of an iteration that a reduction makes one result of.
enum class Group : std::uint8_t { kIteration, kDataBlock, kPair };

/// What the rules of instructions speak of, and how their ids end.
#define LANEDIFF_CALL_RULES(X, prefix)                                  \
  X(kProduct, prefix, "PRODUCT")                                        \
  X(kDtype, prefix, "DTYPE")                                            \
  X(kDtypeMatch, prefix, "DTYPE-MATCH")                                 \
  X(kRoundMode, prefix, "ROUND-MODE")                                   \
  X(kCmpMode, prefix, "CMP-MODE")                                       \
  X(kSelMode, prefix, "SEL-MODE")                                       \
  X(kPosition, prefix, "POSITION")                                      \
  X(kAlign, prefix, "ALIGN")                                            \
  X(kDstAlign, prefix, "DST-ALIGN")                                     \
  X(kSrcAlign, prefix, "SRC-ALIGN")                                     \
  X(kCount, prefix, "COUNT")                                            \
  X(kRepeat, prefix, "REPEAT")                                          \
  X(kStrideRange, prefix, "STRIDE-RANGE")                               \
  X(kDstBlkStrideZero, prefix, "DST-BLK-STRIDE-ZERO")                   \
  X(kDstRepStrideZero, prefix, "DST-REP-STRIDE-ZERO")                   \
  X(kMaskContiguous, prefix, "MASK-CONTIGUOUS") /* a number of lanes */ \
  X(kMaskBits, prefix, "MASK-BITS")                                     \
  X(kPlaceholder, prefix, "PLACEHOLDER")                                \
  X(kBounds, prefix, "BOUNDS")                                          \
  X(kOverlapIteration, prefix, "OVERLAP-ITERATION")                     \
  X(kOverlapDependency, prefix, "OVERLAP-DEPENDENCY")                   \
  X(kOverlapSources, prefix, "OVERLAP-SOURCES")                         \
  X(kOverlapCount, prefix, "OVERLAP-COUNT")                             \
  X(kAddress, prefix, "ADDRESS")                                        \
  X(kMaskLanes, prefix, "MASK-LANES")                                   \
  X(kValue, prefix, "VALUE")                                            \
  X(kTree, prefix, "TREE")                                              \
  X(kSaturate, prefix, "SATURATE")                                      \
  X(kIntegerOverflow, prefix, "INTEGER-OVERFLOW")                       \
  X(kUnmasked, prefix, "UNMASKED")                                      \
  X(kInOrder, prefix, "IN-ORDER")                                       \
  X(kClobbersMask, prefix, "CLOBBERS-MASK")                             \
  X(kNop, prefix, "NOP")                                                \
  X(kRepeatZero, prefix, "REPEAT-ZERO")                                 \
  X(kMaskEmpty, prefix, "MASK-EMPTY")                                   \
  X(kDstBlkStride, prefix, "DST-BLK-STRIDE")                            \
  X(kRoute, prefix, "ROUTE")                                            \
  X(kRouteExample, prefix, "ROUTE-EXAMPLE")                             \
  X(kMixed, prefix, "MIXED")                                            \
  X(kBlockCount, prefix, "BLOCK-COUNT")                                 \
  X(kBlockLen, prefix, "BLOCK-LEN")                                     \
  X(kBlockEmpty, prefix, "BLOCK-EMPTY")                                 \
  X(kPadding, prefix, "PADDING")                                        \
  X(kPaddingValue, prefix, "PADDING-VALUE")                             \
  X(kFill, prefix, "FILL")                                              \
  X(kGap, prefix, "GAP")                                                \
  X(kBarrier, prefix, "BARRIER")                                        \
  X(kCountFloor, prefix, "COUNT-FLOOR")                                 \
  X(kCountEmpty, prefix, "COUNT-EMPTY")                                 \
  X(kCountLength, prefix, "COUNT-LENGTH")                               \
  X(kOverlap, prefix, "OVERLAP")                                        \
  X(kBits, prefix, "BITS")                                              \
  X(kScope, prefix, "SCOPE")                                            \
  X(kDstStride, prefix, "DST-STRIDE")                                   \
  X(kSrcStride, prefix, "SRC-STRIDE")                                   \
  X(kTranspose, prefix, "TRANSPOSE")                                    \
  X(kLocation, prefix, "LOCATION")                                      \
  X(kSrcLayout, prefix, "SRC-LAYOUT")                                   \
  X(kDstLayout, prefix, "DST-LAYOUT")                                   \
  X(kDstNdDeprecated, prefix, "DST-ND-DEPRECATED")                      \
  X(kValidZero, prefix, "VALID-ZERO")                                   \
  X(kValidRows, prefix, "VALID-ROWS")                                   \
  X(kTmpShape, prefix, "TMP-SHAPE")                                     \
  X(kTile, prefix, "TILE")                                              \
  X(kOrder, prefix, "ORDER")                                            \
  X(kScalarRange, prefix, "RANGE")                                      \
  X(kRoundEn, prefix, "ROUND-EN")                                       \
  X(kPreferWholeReduceSum, prefix, "PREFER-WHOLE-REDUCE-SUM")           \
  X(kReduceOrder, prefix, "REDUCE-ORDER")                               \
  X(kIndex, prefix, "INDEX")

/// The number of an id in `Signature::rules`. An id that the catalogue doesn't
/// have is of no rule.
enum class CallRule : std::uint8_t {
#define LANEDIFF_NAME(name, prefix, end) name,
  LANEDIFF_CALL_RULES(LANEDIFF_NAME, "")
#undef LANEDIFF_NAME
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
  std::span<const OperandSpec> tiles;     ///< the same of the tile family
  std::span<const ParamSpec> params;      ///< in the document's order
  std::span<const FormKey> forms;
  std::span<const RuleId> rules;  ///< by `CallRule`
  /// Bit i of the number j: form j has `Param` i.
  std::array<std::uint32_t, 3> params_of_form;
  Group group = Group::kIteration;  ///< of reductions

  constexpr RuleId Rule(CallRule rule) const {
    return rules[static_cast<std::size_t>(rule)];
  }
  constexpr std::size_t sources() const {
    return operands.empty() ? 0 : operands.size() - 1;
  }
  /// Whether elements of dst are read before they are written.
  constexpr bool ReadsDst() const {
    return !operands.empty() && operands.front().is_updated;
  }
  /// Whether results become elements of a type that dst has for itself.
  constexpr bool Converts() const {
    return !operands.empty() && operands.front().has_own_type &&
           !operands.front().is_packed;
  }
  /// Whether results are compared by their distance from the correctly rounded
  /// value.
  constexpr bool LeavesOpen() const {
    return !operands.empty() && operands.front().is_open;
  }
  constexpr bool NumbersLanes() const {
    return !operands.empty() && operands.front().is_numbered;
  }
  constexpr bool PacksBits() const {
    return !operands.empty() && operands.front().is_packed;
  }
  constexpr bool Has(Param param) const {
    return std::ranges::find(params, param, &ParamSpec::param) != params.end();
  }
  constexpr bool Has(Param param, std::uint8_t form) const {
    return (params_of_form[form] >> static_cast<unsigned>(param) & 1) != 0;
  }
  /// Whether a form has a mask, its own or, with `kIsSetMask`, the register's.
  constexpr bool IsMasked() const { return Has(Param::kMask); }
  /// The first form that has `param`; the number of forms if none has. Always 0
  /// of a row without alternative forms.
  constexpr std::uint8_t FormWith(Param param) const {
    std::uint8_t form = 0;
    while (form < forms.size() && !Has(param, form)) ++form;
    return form;
  }
};

/// The forms of lane-wise calls that have a count: values of `Call::form`. The
/// others have those of masks alone, from 0 on: see `Signature::FormWith`.
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
inline constexpr std::array<OperandSpec, 1> kIndices = {
    {{.name = "dst", .is_written = true, .is_numbered = true}}};
inline constexpr std::array<OperandSpec, 2> kUnary = {{{"dst", true}, {"src"}}};
inline constexpr std::array<OperandSpec, 2> kConversion = {
    {{.name = "dst", .is_written = true, .has_own_type = true}, {"src"}}};
inline constexpr std::array<OperandSpec, 3> kBinary = {
    {{"dst", true}, {"src0"}, {"src1"}}};
inline constexpr std::array<OperandSpec, 3> kBinaryConversion = {
    {{.name = "dst", .is_written = true, .has_own_type = true},
     {"src0"},
     {"src1"}}};
inline constexpr OperandSpec kPackedDst = {
    .name = "dst", .is_written = true, .has_own_type = true, .is_packed = true};
inline constexpr std::array<OperandSpec, 3> kComparison = {
    {kPackedDst, {"src0"}, {"src1"}}};
inline constexpr std::array<OperandSpec, 2> kScalarComparison = {
    {kPackedDst, {"src0"}}};
inline constexpr std::array<OperandSpec, 2> kUnaryOpen = {
    {{.name = "dst", .is_written = true, .is_open = true}, {"src"}}};
inline constexpr std::array<OperandSpec, 3> kBinaryOpen = {
    {{.name = "dst", .is_written = true, .is_open = true}, {"src0"}, {"src1"}}};
/// The last one is none where a scalar stands for it.
inline constexpr std::array<OperandSpec, 4> kSelection = {
    {{"dst", true},
     {"src0"},
     {.name = "selMask", .has_own_type = true, .is_packed = true},
     {"src1"}}};
inline constexpr std::array<OperandSpec, 2> kUnaryOnDst = {
    {{.name = "dst", .is_written = true, .is_updated = true}, {"src"}}};
inline constexpr std::array<OperandSpec, 3> kBinaryOnDst = {
    {{.name = "dst", .is_written = true, .is_updated = true},
     {"src0"},
     {"src1"}}};

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
inline constexpr auto kBinaryConversionParams = kBinaryParams;
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
inline constexpr std::array<ParamSpec, 7> kIndexParams = {{
    {Param::kScalar, "firstValue"},
    {Param::kCount, "count", {}, 1 << kCountForm},
    {Param::kMask, "mask", {}, 1 << kMaskForm},
    {Param::kMaskWords, "mask", {}, 1 << kBitsForm},
    {Param::kRepeatTimes, "repeatTime", {}, kIterations},
    {Param::kDstBlkStride, "dstBlkStride", {}, kIterations},
    {Param::kDstRepStride, "dstRepStride", {}, kIterations},
}};
inline constexpr std::array<ParamSpec, 12> kSelectionParams = {{
    {Param::kSelMode, "selMode"},
    {Param::kScalar, "scalar"},
    {Param::kCount, "count", {}, 1 << kCountForm},
    {Param::kMask, "mask", {}, 1 << kMaskForm},
    {Param::kMaskWords, "mask", {}, 1 << kBitsForm},
    {Param::kRepeatTimes, "repeatTime", {}, kIterations},
    {Param::kDstBlkStride, "dstBlkStride", "repeatParams", kIterations},
    {Param::kSrc0BlkStride, "src0BlkStride", "repeatParams", kIterations},
    // Strides have the numbers of their operands.
    {Param::kSrc2BlkStride, "src1BlkStride", "repeatParams", kIterations},
    {Param::kDstRepStride, "dstRepStride", "repeatParams", kIterations},
    {Param::kSrc0RepStride, "src0RepStride", "repeatParams", kIterations},
    {Param::kSrc2RepStride, "src1RepStride", "repeatParams", kIterations},
}};
inline constexpr std::array<FormKey, 2> kMaskForms = {{
    {"mask", FormShape::kInteger},
    {"mask", FormShape::kWords},
}};
inline constexpr std::array<ParamSpec, 8> kRepeatedCopyParams = {{
    {Param::kMask, "mask", {}, 1 << 0},
    {Param::kMaskWords, "mask", {}, 1 << 1},
    {Param::kRepeatTimes, "repeatTime"},
    {Param::kDstBlkStride, "dstStride", "repeatParams"},
    {Param::kSrc0BlkStride, "srcStride", "repeatParams"},
    {Param::kDstRepStride, "dstRepeatSize", "repeatParams"},
    {Param::kSrc0RepStride, "srcRepeatSize", "repeatParams"},
    {Param::kIsSetMask, "isSetMask"},
}};
inline constexpr std::array<ParamSpec, 7> kWholeParams = {{
    {Param::kMask, "mask", {}, 1 << 0},
    {Param::kMaskWords, "mask", {}, 1 << 1},
    {Param::kRepeatTimes, "repeatTimes"},
    {Param::kDstRepStride, "dstRepStride"},
    {Param::kSrc0BlkStride, "srcBlkStride"},
    {Param::kSrc0RepStride, "srcRepStride"},
    {Param::kIsSetMask, "isSetMask"},
}};
inline constexpr std::array<ParamSpec, 7> kGroupParams = {{
    {Param::kRepeatTimes, "repeatTime"},
    {Param::kMask, "mask", {}, 1 << 0},
    {Param::kMaskWords, "mask", {}, 1 << 1},
    {Param::kDstRepStride, "dstRepStride"},
    {Param::kSrc0BlkStride, "srcBlkStride"},
    {Param::kSrc0RepStride, "srcRepStride"},
    {Param::kIsSetMask, "isSetMask"},
}};
inline constexpr std::array<ParamSpec, 8> kExtremumParams = {{
    {Param::kMask, "mask", {}, 1 << 0},
    {Param::kMaskWords, "mask", {}, 1 << 1},
    {Param::kRepeatTimes, "repeatTime"},
    {Param::kDstRepStride, "dstRepStride"},
    {Param::kSrc0BlkStride, "srcBlkStride"},
    {Param::kSrc0RepStride, "srcRepStride"},
    {Param::kReduceOrder, "order"},
    {Param::kIsSetMask, "isSetMask"},
}};
inline constexpr std::array<FormKey, 0> kOneForm = {};
inline constexpr std::array<OperandSpec, 0> kNone = {};
inline constexpr std::array<ParamSpec, 7> kRepeatParams = {{
    {Param::kRepeatTimes, "repeat"},
    {Param::kMask, "elemsInOneRepeat"},
    {Param::kDstBlkStride, "dstBlkStride"},
    {Param::kSrc0BlkStride, "srcBlkStride"},
    {Param::kDstRepStride, "dstRepStride"},
    {Param::kSrc0RepStride, "srcRepStride"},
    {Param::kIsSetMask, "isSetMask"},
}};
inline constexpr std::array<FormKey, 2> kCopyForms = {{
    {"count", FormShape::kInteger},
    {"params", FormShape::kObject},
}};
inline constexpr std::array<ParamSpec, 5> kCopyParams = {{
    {Param::kCount, "count", {}, 1 << 0},
    {Param::kBlockCount, "blockCount", "params", 1 << 1},
    {Param::kBlockLen, "blockLen", "params", 1 << 1},
    {Param::kSrcGap, "srcGap", "params", 1 << 1},
    {Param::kDstGap, "dstGap", "params", 1 << 1},
}};
/// Into UB, and out of it.
inline constexpr std::array<FormKey, 2> kPadForms = {{
    {"padParams", FormShape::kObject},
    {},
}};
inline constexpr std::array<ParamSpec, 8> kPadParams = {{
    {Param::kBlockCount, "blockCount", "dataCopyParams"},
    {Param::kBlockLen, "blockLen", "dataCopyParams"},
    {Param::kSrcGap, "srcStride", "dataCopyParams"},
    {Param::kDstGap, "dstStride", "dataCopyParams"},
    {Param::kIsPad, "isPad", "padParams", 1 << 0},
    {Param::kLeftPadding, "leftPadding", "padParams", 1 << 0},
    {Param::kRightPadding, "rightPadding", "padParams", 1 << 0},
    {Param::kScalar, "paddingValue", "padParams", 1 << 0},
}};
inline constexpr std::array<ParamSpec, 3> kTransposeParams = {{
    {Param::kRepeatTimes, "repeat_times"},
    {Param::kDstRepStride, "dst_rep_stride"},
    {Param::kSrc0RepStride, "src_rep_stride"},
}};
inline constexpr std::array<ParamSpec, 3> kBroadcastParams = {{
    {Param::kRepeatTimes, "repeatTime"},
    {Param::kDstBlkStride, "dstBlkStride", "repeatParams"},
    {Param::kDstRepStride, "dstRepStride", "repeatParams"},
}};
inline constexpr std::array<OperandSpec, 3> kRowTiles = {
    {{"dst", true}, {"src"}, {"tmp", true, true}}};
inline constexpr std::array<ParamSpec, 1> kTileParams = {
    {{Param::kOrder, "order"}}};
/// `kUnaryParams` behind a scalar.
inline constexpr auto kScalarParams = [] {
  std::array<ParamSpec, kUnaryParams.size() + 1> all{
      ParamSpec{Param::kScalar, "scalar"}};
  std::ranges::copy(kUnaryParams, all.begin() + 1);
  return all;
}();
inline constexpr auto kShiftRightParams = [] {
  std::array<ParamSpec, kScalarParams.size() + 1> all{};
  std::ranges::copy(kScalarParams, all.begin());
  all.back() = {Param::kRoundEn, "roundEn", {}, kIterations};
  return all;
}();

/// `kUnaryParams` behind a rounding mode.
inline constexpr auto kConversionParams = [] {
  std::array<ParamSpec, kUnaryParams.size() + 1> all{
      ParamSpec{Param::kRoundMode, "roundMode"}};
  std::ranges::copy(kUnaryParams, all.begin() + 1);
  return all;
}();

/// `kBinaryParams` behind a mode; `kUnaryParams` behind a scalar and a mode.
inline constexpr auto kComparisonParams = [] {
  std::array<ParamSpec, kBinaryParams.size() + 1> all{
      ParamSpec{Param::kCmpMode, "cmpMode"}};
  std::ranges::copy(kBinaryParams, all.begin() + 1);
  return all;
}();
inline constexpr auto kScalarComparisonParams = [] {
  std::array<ParamSpec, kUnaryParams.size() + 2> all{
      ParamSpec{Param::kScalar, "src1Scalar"},
      ParamSpec{Param::kCmpMode, "cmpMode"}};
  std::ranges::copy(kUnaryParams, all.begin() + 2);
  return all;
}();

#define LANEDIFF_ID(name, prefix, end) RuleId(prefix "-" end),
#define LANEDIFF_IDS(op, prefix)               \
  inline constexpr std::array kRulesOf##op = { \
      LANEDIFF_CALL_RULES(LANEDIFF_ID, prefix)};
#define LANEDIFF_LANEWISE(op, slug, prefix, number, operands, params) \
  LANEDIFF_IDS(op, prefix)
#define LANEDIFF_REDUCTION(op, slug, prefix, lanes, number, params, forms, \
                           group)                                          \
  inline constexpr auto kRulesOf##op = [] {                                \
    std::array ids = {LANEDIFF_CALL_RULES(LANEDIFF_ID, prefix)};           \
    ids[static_cast<std::size_t>(CallRule::kMaskContiguous)] =             \
        RuleId(prefix "-" lanes);                                          \
    return ids;                                                            \
  }();
#define LANEDIFF_MOVE(op, slug, prefix, number, family, params, forms) \
  LANEDIFF_IDS(op, prefix)
#define LANEDIFF_TILES(op, slug, prefix, number, tiles, params) \
  LANEDIFF_IDS(op, prefix)
#include "isa/instructions/lanewise.inc"
#include "isa/instructions/moves.inc"
#include "isa/instructions/reductions.inc"
#include "isa/instructions/tiles.inc"
#undef LANEDIFF_TILES
#undef LANEDIFF_MOVE
#undef LANEDIFF_REDUCTION
#undef LANEDIFF_LANEWISE
#undef LANEDIFF_IDS
#undef LANEDIFF_ID

/// Of a lane-wise call, which has a count or none.
constexpr std::span<const FormKey> LaneFormsOf(
    std::span<const ParamSpec> params) {
  if (params.front().param == Param::kMask) return kMaskForms;
  return kLaneForms;
}

constexpr std::array<std::uint32_t, 3> ByForm(
    std::span<const ParamSpec> params) {
  std::array<std::uint32_t, 3> all{};
  for (const ParamSpec& spec : params) {
    for (std::size_t form = 0; form < all.size(); ++form) {
      const std::uint32_t has = spec.forms >> form & 1;
      all[form] |= has << static_cast<unsigned>(spec.param);
    }
  }
  return all;
}

}  // namespace signatures

/// All rows: those of a family side by side, in the order of their numbers.
inline constexpr auto kSignatures = std::to_array<Signature>({
#define LANEDIFF_ROW(op, slug, number, family, operands, tiles, params, forms, \
                     ...)                                                      \
  {#op,                                                                        \
   slug,                                                                       \
   Family::family,                                                             \
   number,                                                                     \
   signatures::operands,                                                       \
   signatures::tiles,                                                          \
   signatures::params,                                                         \
   signatures::forms,                                                          \
   signatures::kRulesOf##op,                                                   \
   signatures::ByForm(signatures::params) __VA_OPT__(, ) __VA_ARGS__},
#define LANEDIFF_LANEWISE(op, slug, prefix, number, operands, params) \
  LANEDIFF_ROW(op, slug, number, kLanewise, operands, kNone, params,  \
               LaneFormsOf(signatures::params))
#define LANEDIFF_REDUCTION(op, slug, prefix, lanes, number, params, forms, \
                           group)                                          \
  LANEDIFF_ROW(op, slug, number, kReduction, kUnary, kNone, params, forms, \
               Group::group)
#define LANEDIFF_MOVE(op, slug, prefix, number, family, params, forms) \
  LANEDIFF_ROW(op, slug, number, family, kUnary, kNone, params, forms)
#define LANEDIFF_TILES(op, slug, prefix, number, tiles, params) \
  LANEDIFF_ROW(op, slug, number, kTile, kNone, tiles, params, kOneForm)
#include "isa/instructions/lanewise.inc"
#include "isa/instructions/moves.inc"
#include "isa/instructions/reductions.inc"
#include "isa/instructions/tiles.inc"
#undef LANEDIFF_TILES
#undef LANEDIFF_MOVE
#undef LANEDIFF_REDUCTION
#undef LANEDIFF_LANEWISE
#undef LANEDIFF_ROW
});

inline constexpr auto kRowsByFamily = [] {
  std::array<std::span<const Signature>, 6> all;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto of = [i](const Signature& row) {
      return row.family == static_cast<Family>(i);
    };
    const auto* const first = std::ranges::find_if(kSignatures, of);
    const auto* const end = std::find_if_not(first, kSignatures.end(), of);
    all[i] = {first, end};
  }
  return all;
}();
static_assert(
    [] {
      std::size_t all = 0;
      for (const auto rows : kRowsByFamily) all += rows.size();
      return all;
    }() == kSignatures.size(),
    "the rows of a family stand side by side");
/// The rows of one family.
constexpr std::span<const Signature> RowsOf(Family family) {
  return kRowsByFamily[static_cast<std::size_t>(family)];
}
inline constexpr std::span<const Signature> kLanewiseRows =
    RowsOf(Family::kLanewise);
inline constexpr std::span<const Signature> kReductionRows =
    RowsOf(Family::kReduction);
inline constexpr std::span<const Signature> kCopyRows = RowsOf(Family::kCopy);
inline constexpr std::span<const Signature> kTransposeRows =
    RowsOf(Family::kTranspose);
inline constexpr std::span<const Signature> kBroadcastRows =
    RowsOf(Family::kBroadcast);
inline constexpr std::span<const Signature> kTileRows = RowsOf(Family::kTile);

/// Whether `id` is what a row of the family calls `rule`.
constexpr bool IsRuleOf(Family family, CallRule rule, RuleId id) {
  return std::ranges::any_of(RowsOf(family), [&](const Signature& row) {
    return row.Rule(rule) == id;
  });
}

/// The row called `op`; null if there is none.
constexpr const Signature* FindSignature(std::string_view op) {
  const auto* const found = std::ranges::find(kSignatures, op, &Signature::op);
  return found == kSignatures.end() ? nullptr : found;
}
/// The place of `signature` among `kSignatures`, for tables by instruction.
constexpr std::size_t IndexOf(const Signature& signature) {
  return static_cast<std::size_t>(&signature - kSignatures.data());
}
/// The same among the rows of its family.
constexpr std::size_t PlaceOf(const Signature& signature) {
  return static_cast<std::size_t>(&signature - RowsOf(signature.family).data());
}

}  // namespace lanediff::isa
