#include "kernel/engine/audited.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "isa/catalogue.h"
#include "isa/memory_map.h"
#include "isa/units.h"
#include "kernel/carried/carried.h"
#include "kernel/carried/parameters.h"

namespace lanediff::kernel {
namespace {

using Made = std::expected<isa::Call, std::string>;

/// Names of parameters in other documents.
constexpr std::pair<isa::Param, std::string_view> kOtherNames[] = {
    {isa::Param::kRepeatTimes, "repeatTimes"},
    {isa::Param::kRepeatTimes, "repeatTime"},
    {isa::Param::kRepeatTimes, "repeat"},
    {isa::Param::kDstBlkStride, "dstBlkStride"},
    {isa::Param::kDstRepStride, "dstRepStride"},
    {isa::Param::kSrcGap, "srcStride"},
    {isa::Param::kDstGap, "dstStride"}};

/// Reads a call and its operands by name, and stores the first missing name.
class CallReader {
 public:
  CallReader(const lanediff_call& call, std::span<const Placed> operands)
      : call_(call), operands_(operands) {}

  std::int64_t Number(std::string_view name) {
    const lanediff_parameter* const one = Find(name);
    if (one == nullptr) Miss(name);
    return one == nullptr ? 0 : one->value;
  }
  std::int64_t Number(const isa::ParamSpec& spec) {
    return Number(NameOf(spec));
  }
  bool Has(const isa::ParamSpec& spec) const {
    return Find(NameOf(spec)) != nullptr;
  }
  std::string_view Word(std::string_view name) {
    return ParametersIn(call_).Word(name);
  }
  const Placed& Of(std::string_view name) {
    const auto found = std::ranges::find(operands_, name, &Placed::name);
    if (found != operands_.end()) return *found;
    Miss(name);
    static const Placed kNone;
    return kNone;
  }
  isa::DType Type(std::string_view operand) {
    const auto type = TypeOf(Of(operand).dtype);
    const std::uint8_t own = Of(operand).dtype;
    if (!type && own != LANEDIFF_NO_DTYPE) {
      refused_ = fmt::format("{} of {}, {}", call_.name,
                             carried::DTypeName(own), operand);
    } else if (!type) {
      missing_ = fmt::format("the type of {}", operand);
    }
    return type.value_or(isa::DType::kUint8);
  }
  isa::Operand Operand(std::string_view name, isa::DType of_step) {
    isa::Operand operand = Of(name).operand;
    const isa::DType own = Type(name);
    if (own != of_step) operand.dtype = own;
    return operand;
  }
  /// The scalar's bits, of the type of the step.
  std::uint64_t Scalar(isa::DType of_step) {
    if (TypeOf(call_.scalar_dtype) != of_step) {
      refused_ = fmt::format("{} of {} with a scalar of {}", call_.name,
                             carried::DTypeName(Of("dst").dtype),
                             carried::DTypeName(call_.scalar_dtype));
    }
    return Low(call_.scalar, of_step);
  }
  /// An element's bits in a parameter.
  std::uint64_t Element(std::string_view name, isa::DType of_step) {
    return Low(static_cast<std::uint64_t>(Number(name)), of_step);
  }
  isa::RoundMode Mode(std::string_view name) {
    const auto mode = isa::Parse<isa::RoundMode>(Word(name));
    if (!mode && !Word(name).empty()) {
      refused_ = fmt::format("{} with {}", call_.name, Word(name));
    } else if (!mode) {
      Miss(name);
    }
    return mode.value_or(isa::RoundMode::kNone);
  }
  isa::CmpMode Relation(std::string_view name) {
    const auto mode = isa::Parse<isa::CmpMode>(Word(name));
    if (!mode && !Word(name).empty()) {
      refused_ = fmt::format("{} with {}", call_.name, Word(name));
    } else if (!mode) {
      Miss(name);
    }
    return mode.value_or(isa::CmpMode::kLt);
  }
  /// The document's default where there is none.
  isa::ReduceOrder Order(std::string_view name) {
    const auto order = isa::Parse<isa::ReduceOrder>(Word(name));
    if (!order && !Word(name).empty()) {
      refused_ = fmt::format("{} with {}", call_.name, Word(name));
    }
    return order.value_or(isa::ReduceOrder::kValueIndex);
  }
  isa::Tile Tile(const std::string& name, isa::DType of_step) {
    const isa::Operand window = Operand(name, of_step);
    return {.position = window.position,
            .at = window.at,
            .rows = Number(name + ".rows"),
            .cols = Number(name + ".cols"),
            .valid_row = Number(name + ".validRow"),
            .valid_col = Number(name + ".validCol"),
            .layout = Word(name + ".layout") == "DN" ? isa::Layout::kDn
                                                     : isa::Layout::kNd,
            .dtype = window.dtype};
  }

  Made Give(const isa::Call& step) const {
    if (!refused_.empty()) return std::unexpected(refused_);
    if (missing_.empty()) return step;
    return std::unexpected(fmt::format("{} without {}", call_.name, missing_));
  }

 private:
  static std::uint64_t Low(std::uint64_t bits, isa::DType type) {
    return bits & ~0ULL >> (64 - 8 * isa::SizeBytes(type));
  }
  const lanediff_parameter* Find(std::string_view name) const {
    return ParametersIn(call_).Find(name);
  }
  /// Its name, or the first of its other names where the call has that one.
  std::string_view NameOf(const isa::ParamSpec& spec) const {
    if (Find(spec.name) != nullptr) return spec.name;
    for (const auto& [param, name] : kOtherNames) {
      if (param == spec.param && Find(name) != nullptr) return name;
    }
    return spec.name;
  }
  void Miss(std::string_view what) {
    if (missing_.empty()) missing_ = what;
  }

  const lanediff_call& call_;
  std::span<const Placed> operands_;
  std::string missing_;
  std::string refused_;  ///< a type that cases do not have
};

/// Whether the operands of the call are of several types.
bool IsMixed(const lanediff_call& call) {
  const std::span operands(call.operands, call.operand_count);
  return std::ranges::any_of(operands, [&](const lanediff_operand& one) {
    return one.dtype != operands.front().dtype;
  });
}

}  // namespace

bool IsAudited(std::string_view name) {
  const isa::Signature* const row = isa::FindSignature(name);
  // Which source a lane of a selection reads is known to the plain loop alone.
  return row != nullptr && row->family != isa::Family::kTranspose &&
         !row->Has(isa::Param::kSelMode);
}

bool IsAudited(const lanediff_call& call, isa::Product product) {
  if (!IsAudited(call.name)) return false;
  const isa::Signature& row = *isa::FindSignature(call.name);
  if (!IsCarried(call.name)) return true;
  if (row.PacksBits()) {  // the other one is into a register
    return std::ranges::any_of(
        std::span(call.operands, call.operand_count),
        [](const auto& one) { return std::string_view(one.name) == "dst"; });
  }
  // The rules of calls that are both are of one type, but for conversions.
  if (!row.Converts()) return !IsMixed(call);
  std::optional<isa::DType> to;
  std::optional<isa::DType> from;
  for (std::uint32_t i = 0; i < call.operand_count; ++i) {
    const lanediff_operand& one = call.operands[i];
    if (one.dtype == LANEDIFF_INT4) return false;
    (std::string_view(one.name) == "dst" ? to : from) = TypeOf(one.dtype);
  }
  return from != isa::DType::kInt32 || to != isa::DType::kHalf ||
         isa::FindInstruction(row.op)->Find(product, *from, *to) != nullptr;
}

std::expected<isa::Call, std::string> AuditedStep(
    const lanediff_call& call, std::span<const Placed> operands,
    isa::Product product) {
  using isa::Param;
  const isa::Signature* const found = isa::FindSignature(call.name);
  if (found == nullptr) {
    return std::unexpected(fmt::format("{} has no rules", call.name));
  }
  const isa::Signature& signature = *found;
  const bool is_set_mask = call.is_set_mask != 0;
  CallReader reader(call, operands);
  isa::Call step = isa::CallOf(signature);
  const bool own_type =
      !signature.operands.empty() && signature.operands.front().has_own_type;
  step.dtype = reader.Type(own_type ? signature.operands[1].name : "dst");
  for (std::size_t i = 0; i < signature.operands.size(); ++i) {
    step.operands[i] = reader.Operand(signature.operands[i].name, step.dtype);
  }
  for (std::size_t i = 0; i < signature.tiles.size(); ++i) {
    step.tiles[i] =
        reader.Tile(std::string(signature.tiles[i].name), step.dtype);
  }
  const bool lanewise = signature.family == isa::Family::kLanewise;
  const bool by_count = lanewise && call.form == LANEDIFF_COUNT;
  // 掩码 · 接口外设置Mask: a count without isSetMask has no effect; the
  // register's lanes of one iteration take part.
  const bool by_register = by_count && !is_set_mask;
  const Param lanes = by_register                       ? Param::kMask
                      : call.form == LANEDIFF_COUNT     ? Param::kCount
                      : call.form == LANEDIFF_MASK_BITS ? Param::kMaskWords
                                                        : Param::kMask;
  const Param otherwise =
      step.Is(isa::Family::kCopy) ? Param::kBlockCount : Param::kMask;
  step.form = signature.FormWith(signature.Has(lanes) ? lanes : otherwise);
  if (signature.Has(Param::kIsPad)) {
    const GivenParameters given = ParametersIn(call);
    // Without padParams it goes out of UB, by its last form.
    if (given.Find("isPad") == nullptr) ++step.form;
    // The older struct's fields have 16 bits; the rules have the newer one's.
    const bool older = given.Word("params") == "DataCopyParams";
    for (const std::string_view name : {"blockLen", "srcStride", "dstStride"}) {
      const std::int64_t value = given.Number(name);
      if (!older || value <= 0xffff) continue;
      return std::unexpected(
          fmt::format("{} {} in a field of 16 bits", name, value));
    }
  }
  // And, Or · 约束说明: a count of int32_t or uint32_t is one of 16-bit
  // elements on atlas-a2 and -a3.
  const isa::Instruction& known = *isa::FindInstruction(signature.op);
  const bool is_int32 = step.dtype == isa::DType::kInt32;
  if (by_count && carried::IsA2(product) && !known.arithmetic &&
      signature.sources() == 2 && !signature.PacksBits() &&
      (is_int32 || step.dtype == isa::DType::kUint32)) {
    step.dtype = is_int32 ? isa::DType::kInt16 : isa::DType::kUint16;
    for (isa::Operand& operand : step.used_operands()) operand.dtype.reset();
  }
  // What a call leaves out of these: one iteration, without gaps.
  const bool has_defaults = lanewise && !step.IsByCount();
  if (has_defaults) {
    step[Param::kRepeatTimes] = 1;
    for (std::size_t i = 0; i < signature.operands.size(); ++i) {
      step.BlkStride(i) = 1;
      step.RepStride(i) = isa::kIterationBytes / isa::kDataBlockBytes;
    }
  }
  for (const isa::ParamSpec& spec : signature.params) {
    if ((spec.forms >> step.form & 1) == 0) continue;
    if (by_register && spec.param != Param::kScalar &&
        spec.param != Param::kCmpMode && spec.param != Param::kIsSetMask) {
      continue;
    }
    const bool has_default = has_defaults &&
                             spec.param >= Param::kRepeatTimes &&
                             spec.param <= Param::kSrc2RepStride;
    if (has_default && !reader.Has(spec)) continue;
    if (spec.name == "mask") {  // which is no parameter of the record
      step[Param::kMask] = static_cast<std::int64_t>(call.mask[0]);
      step.mask_words = {call.mask[0], call.mask[1]};
      continue;
    }
    switch (spec.param) {
      case Param::kRoundEn:
        step.round_en = reader.Has(spec) && reader.Number(spec.name) != 0;
        break;
      case Param::kIsPad:
        step.is_pad = reader.Number(spec.name) != 0;
        break;
      case Param::kScalar:
        if (!spec.group.empty()) {  // a field, and not the record's own
          step.scalar = reader.Element(spec.name, step.dtype);
          break;
        }
        step.scalar = reader.Scalar(step.dtype);
        break;
      case Param::kIsSetMask:
        step.is_set_mask = is_set_mask;
        break;
      case Param::kOrder:  // of the run, not of the record
        break;
      case Param::kReduceOrder:
        step.reduce_order = reader.Order(spec.name);
        break;
      case Param::kCmpMode:
        step.cmp_mode = reader.Relation(spec.name);
        break;
      case Param::kRoundMode:
        step.round_mode = reader.Mode(spec.name);
        break;
      default:
        step[spec.param] = reader.Number(spec);
    }
  }
  return reader.Give(step);
}

isa::Call WithLegalPositions(isa::Call call, isa::Product product) {
  using isa::Position;
  const auto in_ub = [&](Position position) {
    return isa::MemoryAt(product, position) == isa::Memory::kUb;
  };
  if (isa::HasRule(*call.signature, isa::CallRule::kRoute)) {
    Position& dst = call.dst().position;
    Position& src = call.src(0).position;
    const bool into = in_ub(dst);
    const bool from = in_ub(src);
    if (into) dst = from ? Position::kVeccalc : Position::kVecin;
    if (from) src = into ? Position::kVecin : Position::kVecout;
    return call;
  }
  for (isa::Operand& operand : call.used_operands()) {
    if (in_ub(operand.position)) operand.position = Position::kVeccalc;
  }
  return call;
}

isa::Call MovedInGm(isa::Call call, std::int64_t bytes) {
  ForEachOperand(call, [&](auto& operand) {
    if (operand.position == isa::Position::kGm) operand.at += bytes;
  });
  return call;
}

std::vector<isa::Access> MovedInGm(std::vector<isa::Access> accesses,
                                   std::int64_t bytes) {
  for (isa::Access& access : accesses) {
    if (access.memory == isa::Memory::kGm) access.at += bytes;
  }
  return accesses;
}

}  // namespace lanediff::kernel
