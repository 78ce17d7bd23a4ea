#include "kernel/engine/audited.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <variant>

#include "isa/catalogue.h"
#include "isa/memory_map.h"
#include "kernel/carried/parameters.h"

namespace lanediff::kernel {
namespace {

using Made = std::expected<isa::Step, std::string>;

/// Reads a call and its operands by name, and stores the first missing name.
class CallReader {
 public:
  CallReader(const lanediff_call& call, std::span<const Placed> operands)
      : call_(call), operands_(operands) {}

  /// By the first of its names that the call has.
  std::int64_t Number(std::span<const std::string_view> names) {
    for (std::string_view name : names) {
      if (const auto* one = Find(name)) return one->value;
    }
    Miss(names.front());
    return 0;
  }
  std::int64_t Number(std::string_view name) {
    return Number(std::span(&name, 1));
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
                             isa::Name(of_step),
                             carried::DTypeName(call_.scalar_dtype));
    }
    return call_.scalar & ~0ULL >> (64 - 8 * isa::SizeBytes(of_step));
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

  const lanediff_call& call() const { return call_; }
  bool is_set_mask() const { return call_.is_set_mask != 0; }

  Made Give(isa::Step step) const {
    if (!refused_.empty()) return std::unexpected(refused_);
    if (missing_.empty()) return step;
    return std::unexpected(fmt::format("{} without {}", call_.name, missing_));
  }

 private:
  const lanediff_parameter* Find(std::string_view name) const {
    return ParametersIn(call_).Find(name);
  }
  void Miss(std::string_view what) {
    if (missing_.empty()) missing_ = what;
  }

  const lanediff_call& call_;
  std::span<const Placed> operands_;
  std::string missing_;
  std::string refused_;  ///< a type that cases do not have
};

/// Names of one parameter in different documents.
constexpr std::string_view kRepeat[] = {"repeatTimes", "repeatTime", "repeat"};
constexpr std::string_view kSrcGap[] = {"srcGap", "srcStride"};
constexpr std::string_view kDstGap[] = {"dstGap", "dstStride"};

/// A call of any instruction that has a row.
Made CallStep(CallReader reader, const isa::Signature& signature) {
  using isa::Param;
  const lanediff_call& call = reader.call();
  isa::Call step;
  step.signature = &signature;
  step.dtype = reader.Type(signature.operands.front().name);
  for (std::size_t i = 0; i < signature.operands.size(); ++i) {
    step.operands[i] = reader.Operand(signature.operands[i].name, step.dtype);
  }
  const Param lanes = call.form == LANEDIFF_COUNT       ? Param::kCount
                      : call.form == LANEDIFF_MASK_BITS ? Param::kMaskWords
                                                        : Param::kMask;
  step.form = signature.FormWith(signature.Has(lanes) ? lanes : Param::kMask);
  if (step.Has(Param::kCount) && !reader.is_set_mask()) {
    return std::unexpected(
        fmt::format("{} of a count without isSetMask", call.name));
  }
  // The pages of And and Or have count in elements of 16 bits for these, on
  // some products: neither legal nor illegal here.
  const isa::Instruction& known = *isa::FindInstruction(signature.op);
  if (step.Has(Param::kCount) && !known.arithmetic &&
      signature.sources() == 2 && isa::SizeBytes(step.dtype) == 4 &&
      std::ranges::find(known.dtypes, step.dtype) == known.dtypes.end()) {
    return std::unexpected(
        fmt::format("{} of a count of {}", call.name, isa::Name(step.dtype)));
  }
  for (const isa::ParamSpec& spec : signature.params) {
    if ((spec.forms >> step.form & 1) == 0) continue;
    if (spec.name == "mask") {  // which is no parameter of the record
      step[Param::kMask] = static_cast<std::int64_t>(call.mask[0]);
      step.mask_words = {call.mask[0], call.mask[1]};
      continue;
    }
    switch (spec.param) {
      case Param::kScalar:
        step.scalar = reader.Scalar(step.dtype);
        break;
      case Param::kIsSetMask:
        step.is_set_mask = reader.is_set_mask();
        break;
      case Param::kRepeatTimes: {
        const std::string_view names[] = {spec.name, kRepeat[0], kRepeat[1],
                                          kRepeat[2]};
        step[spec.param] = reader.Number(names);
        break;
      }
      default:
        step[spec.param] = reader.Number(spec.name);
    }
  }
  return reader.Give(step);
}

Made CopyStep(CallReader reader) {
  isa::DataCopy step;
  step.dtype = reader.Type("dst");
  step.dst = reader.Operand("dst", step.dtype);
  step.src = reader.Operand("src", step.dtype);
  if (reader.call().form == LANEDIFF_COUNT) {
    step.form = isa::DataCopy::kCount;
    step.count = reader.Number("count");
    return reader.Give(step);
  }
  step.form = isa::DataCopy::kParams;
  step.params = {.block_count = reader.Number("blockCount"),
                 .block_len = reader.Number("blockLen"),
                 .src_gap = reader.Number(kSrcGap),
                 .dst_gap = reader.Number(kDstGap)};
  return reader.Give(step);
}

Made RowProductStep(CallReader reader) {
  isa::Trowprod step;
  step.dtype = reader.Type("dst");
  step.dst = reader.Tile("dst", step.dtype);
  step.src = reader.Tile("src", step.dtype);
  step.tmp = reader.Tile("tmp", step.dtype);
  return reader.Give(step);
}

/// Of calls without a row.
using Maker = Made (*)(CallReader);

constexpr std::pair<std::string_view, Maker> kMakers[] = {
    {"DataCopy", CopyStep},
    {"TROWPROD", RowProductStep},
};

Maker FindMaker(std::string_view name) {
  const auto* const found = std::ranges::find(
      kMakers, name, &std::pair<std::string_view, Maker>::first);
  return found == std::end(kMakers) ? nullptr : found->second;
}

}  // namespace

bool IsAudited(std::string_view name) {
  return isa::FindSignature(name) != nullptr || FindMaker(name) != nullptr;
}

std::expected<isa::Step, std::string> AuditedStep(
    const lanediff_call& call, std::span<const Placed> operands) {
  if (const auto* const signature = isa::FindSignature(call.name)) {
    return CallStep({call, operands}, *signature);
  }
  const Maker maker = FindMaker(call.name);
  if (maker == nullptr) {
    return std::unexpected(fmt::format("{} has no rules", call.name));
  }
  return maker({call, operands});
}

isa::Step WithLegalPositions(isa::Step step, isa::Product product) {
  using isa::Position;
  const auto in_ub = [&](Position position) {
    return isa::MemoryAt(product, position) == isa::Memory::kUb;
  };
  if (auto* copy = std::get_if<isa::DataCopy>(&step)) {
    const bool into = in_ub(copy->dst.position);
    const bool from = in_ub(copy->src.position);
    if (into && from) {
      copy->src.position = Position::kVecin;
      copy->dst.position = Position::kVeccalc;
    } else if (into) {
      copy->dst.position = Position::kVecin;
    } else if (from) {
      copy->src.position = Position::kVecout;
    }
    return step;
  }
  if (std::holds_alternative<isa::Trowprod>(step)) return step;
  ForEachOperand(step, [&](auto& operand) {
    if (in_ub(operand.position)) operand.position = Position::kVeccalc;
  });
  return step;
}

isa::Step MovedInGm(isa::Step step, std::int64_t bytes) {
  ForEachOperand(step, [&](auto& operand) {
    if (operand.position == isa::Position::kGm) operand.at += bytes;
  });
  return step;
}

std::vector<isa::Access> MovedInGm(std::vector<isa::Access> accesses,
                                   std::int64_t bytes) {
  for (isa::Access& access : accesses) {
    if (access.memory == isa::Memory::kGm) access.at += bytes;
  }
  return accesses;
}

}  // namespace lanediff::kernel
