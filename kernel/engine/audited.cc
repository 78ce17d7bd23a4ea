#include "kernel/engine/audited.h"

#include <fmt/format.h>

#include <optional>
#include <utility>
#include <variant>

#include "isa/memory_map.h"
#include "kernel/carried/parameters.h"

namespace lanediff::kernel {
namespace {

using Made = std::expected<isa::Step, std::string>;

/// A call and its operands, asked by name. What is missing is remembered.
class Asked {
 public:
  Asked(const lanediff_call& call, std::span<const Placed> operands)
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
    const auto* const one = Find(name);
    return one == nullptr || one->text == nullptr ? std::string_view()
                                                  : one->text;
  }
  const Placed& Of(std::string_view name) {
    for (const Placed& one : operands_) {
      if (one.name == name) return one;
    }
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
    for (std::uint32_t i = 0; i < call_.parameter_count; ++i) {
      if (call_.parameters[i].name == name) return &call_.parameters[i];
    }
    return nullptr;
  }
  void Miss(std::string_view what) {
    if (missing_.empty()) missing_ = what;
  }

  const lanediff_call& call_;
  std::span<const Placed> operands_;
  std::string missing_;
  std::string refused_;  ///< a type that cases do not have
};

/// Which document says which.
constexpr std::string_view kRepeat[] = {"repeatTimes", "repeatTime", "repeat"};
constexpr std::string_view kSrcGap[] = {"srcGap", "srcStride"};
constexpr std::string_view kDstGap[] = {"dstGap", "dstStride"};

template <class Call>
Made ElementwiseStep(Asked asked) {
  Call step;
  step.dtype = asked.Type("dst");
  step.dst = asked.Operand("dst", step.dtype);
  step.src0 = asked.Operand("src0", step.dtype);
  step.src1 = asked.Operand("src1", step.dtype);
  const lanediff_call& call = asked.call();
  if (call.form == LANEDIFF_COUNT) {
    step.form = Call::kCount;
    step.count = asked.Number("count");
    return asked.Give(step);
  }
  step.form =
      call.form == LANEDIFF_MASK_BITS ? Call::kBitwise : Call::kContiguous;
  step.mask = static_cast<std::int64_t>(call.mask[0]);
  step.mask_words = {call.mask[0], call.mask[1]};
  step.repeat_times = asked.Number(kRepeat);
  step.repeat_params = {.dst_blk_stride = asked.Number("dstBlkStride"),
                        .src0_blk_stride = asked.Number("src0BlkStride"),
                        .src1_blk_stride = asked.Number("src1BlkStride"),
                        .dst_rep_stride = asked.Number("dstRepStride"),
                        .src0_rep_stride = asked.Number("src0RepStride"),
                        .src1_rep_stride = asked.Number("src1RepStride")};
  step.is_set_mask = asked.is_set_mask();
  return asked.Give(step);
}

Made CopyStep(Asked asked) {
  isa::DataCopy step;
  step.dtype = asked.Type("dst");
  step.dst = asked.Operand("dst", step.dtype);
  step.src = asked.Operand("src", step.dtype);
  if (asked.call().form == LANEDIFF_COUNT) {
    step.form = isa::DataCopy::kCount;
    step.count = asked.Number("count");
    return asked.Give(step);
  }
  step.form = isa::DataCopy::kParams;
  step.params = {.block_count = asked.Number("blockCount"),
                 .block_len = asked.Number("blockLen"),
                 .src_gap = asked.Number(kSrcGap),
                 .dst_gap = asked.Number(kDstGap)};
  return asked.Give(step);
}

Made RepeatStep(Asked asked) {
  isa::RepeatReduceSum step;
  step.dtype = asked.Type("dst");
  step.dst = asked.Operand("dst", step.dtype);
  step.src = asked.Operand("src", step.dtype);
  step.repeat = asked.Number(kRepeat);
  step.elems_in_one_repeat = asked.Number("elemsInOneRepeat");
  step.dst_blk_stride = asked.Number("dstBlkStride");
  step.src_blk_stride = asked.Number("srcBlkStride");
  step.dst_rep_stride = asked.Number("dstRepStride");
  step.src_rep_stride = asked.Number("srcRepStride");
  step.is_set_mask = asked.is_set_mask();
  return asked.Give(step);
}

Made WholeStep(Asked asked) {
  isa::WholeReduceSum step;
  step.dtype = asked.Type("dst");
  step.dst = asked.Operand("dst", step.dtype);
  step.src = asked.Operand("src", step.dtype);
  const lanediff_call& call = asked.call();
  step.form = call.form == LANEDIFF_MASK_BITS
                  ? isa::WholeReduceSum::kBitwise
                  : isa::WholeReduceSum::kContiguous;
  step.mask = static_cast<std::int64_t>(call.mask[0]);
  step.mask_words = {call.mask[0], call.mask[1]};
  step.repeat_times = asked.Number(kRepeat);
  step.dst_rep_stride = asked.Number("dstRepStride");
  step.src_blk_stride = asked.Number("srcBlkStride");
  step.src_rep_stride = asked.Number("srcRepStride");
  step.is_set_mask = asked.is_set_mask();
  return asked.Give(step);
}

Made RowProductStep(Asked asked) {
  isa::Trowprod step;
  step.dtype = asked.Type("dst");
  step.dst = asked.Tile("dst", step.dtype);
  step.src = asked.Tile("src", step.dtype);
  step.tmp = asked.Tile("tmp", step.dtype);
  return asked.Give(step);
}

using Maker = Made (*)(Asked);

constexpr std::pair<std::string_view, Maker> kMakers[] = {
    {"Add", ElementwiseStep<isa::Add>}, {"Sub", ElementwiseStep<isa::Sub>},
    {"Mul", ElementwiseStep<isa::Mul>}, {"Max", ElementwiseStep<isa::Max>},
    {"Min", ElementwiseStep<isa::Min>}, {"DataCopy", CopyStep},
    {"RepeatReduceSum", RepeatStep},    {"WholeReduceSum", WholeStep},
    {"TROWPROD", RowProductStep},
};

Maker FindMaker(std::string_view name) {
  for (const auto& [known, maker] : kMakers) {
    if (known == name) return maker;
  }
  return nullptr;
}

/// Every operand of a step, to be changed.
template <class Change>
void ForEachOperand(isa::Step& step, Change change) {
  std::visit(
      [&]<class S>(S& s) {
        if constexpr (requires { s.src0; }) {
          change(s.dst);
          change(s.src0);
          change(s.src1);
        } else if constexpr (requires {
                               s.dst;
                               s.src;
                             }) {
          change(s.dst);
          change(s.src);
        } else if constexpr (requires {
                               s.dst;
                               s.index;
                             }) {
          change(s.dst);
        } else if constexpr (requires {
                               s.src;
                               s.index;
                             }) {
          change(s.src);
        }
      },
      step);
}

}  // namespace

bool IsAudited(std::string_view name) { return FindMaker(name) != nullptr; }

std::expected<isa::Step, std::string> AuditedStep(
    const lanediff_call& call, std::span<const Placed> operands) {
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
