#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>

#include "export/about.h"
#include "export/ascendc.h"
#include "isa/memory_map.h"

namespace lanediff::exports {
namespace {

using isa::DType;
using isa::Memory;
using isa::Pipe;
using isa::Position;

/// Writes one step; one overload for each kind.
class StepWriter {
 public:
  StepWriter(const Case& c, std::size_t index, Source& out)
      : c_(c), index_(index), out_(out) {}

  void operator()(const isa::RepeatReduceSum& s) {
    WarnOfOneType({&s.dst, &s.src}, s.dtype);
    Tensor("dstLocal", s.dst, s.dtype);
    Tensor("srcLocal", s.src, s.dtype);
    Parameter("repeat", s.repeat, kInt32);
    if (!s.is_set_mask && s.elems_in_one_repeat == 0) {
      out_.Line(
          "const int32_t elemsInOneRepeat = "
          "static_cast<int32_t>(AscendC::MASK_PLACEHOLDER);");
    } else {
      Parameter("elemsInOneRepeat", s.elems_in_one_repeat, kInt32);
    }
    Parameter("dstBlkStride", s.dst_blk_stride, kInt32);
    Parameter("srcBlkStride", s.src_blk_stride, kInt32);
    Parameter("dstRepStride", s.dst_rep_stride, kInt32);
    Parameter("srcRepStride", s.src_rep_stride, kInt32);
    out_.Line(fmt::format("AscendC::RepeatReduceSum<{}, {}>(", CppType(s.dtype),
                          s.is_set_mask));
    out_.Line(
        "    dstLocal, srcLocal, repeat, elemsInOneRepeat, dstBlkStride,");
    out_.Line("    srcBlkStride, dstRepStride, srcRepStride);");
  }

  void operator()(const isa::Min& s) {
    WarnOfOneType({&s.dst, &s.src0, &s.src1}, s.dtype);
    Tensor("dstLocal", s.dst, s.dtype);
    Tensor("src0Local", s.src0, s.dtype);
    Tensor("src1Local", s.src1, s.dtype);
    const std::string_view type = CppType(s.dtype);
    if (s.form == isa::Min::kCount) {
      Parameter("calCount", s.count, kInt32);
      out_.Line(fmt::format(
          "AscendC::Min<{}>(dstLocal, src0Local, src1Local, calCount);", type));
      return;
    }
    Mask(s);
    Parameter("repeatTimes", s.repeat_times, kUint8);
    out_.Line("AscendC::BinaryRepeatParams repeatParams;");
    Member("repeatParams.dstBlkStride", s.repeat_params.dst_blk_stride, kUint8);
    Member("repeatParams.src0BlkStride", s.repeat_params.src0_blk_stride,
           kUint8);
    Member("repeatParams.src1BlkStride", s.repeat_params.src1_blk_stride,
           kUint8);
    Member("repeatParams.dstRepStride", s.repeat_params.dst_rep_stride, kUint8);
    Member("repeatParams.src0RepStride", s.repeat_params.src0_rep_stride,
           kUint8);
    Member("repeatParams.src1RepStride", s.repeat_params.src1_rep_stride,
           kUint8);
    out_.Line(fmt::format("AscendC::Min<{}, {}>(", type, s.is_set_mask));
    out_.Line(
        "    dstLocal, src0Local, src1Local, mask, repeatTimes, "
        "repeatParams);");
  }

  void operator()(const isa::DataCopy& s) {
    const DType dst = s.dst.dtype.value_or(s.dtype);
    const DType src = s.src.dtype.value_or(s.dtype);
    const bool global =
        s.dst.position == Position::kGm || s.src.position == Position::kGm;
    if (s.dst.position == s.src.position && global) {
      out_.Comment("Does not compile: no prototype copies from GM to GM.");
    }
    if (dst != src && (global || s.form == isa::DataCopy::kCount)) {
      out_.Comment(
          "Does not compile: only Local to Local with DataCopyParams takes two "
          "types.");
    }
    WarnOfPosition({&s.dst, &s.src});
    Tensor("dst", s.dst, s.dtype);
    Tensor("src", s.src, s.dtype);
    if (s.form == isa::DataCopy::kCount) {
      Parameter("count", s.count, kUint32);
      out_.Line("AscendC::DataCopy(dst, src, count);");
      return;
    }
    out_.Line("AscendC::DataCopyParams repeatParams;");
    Member("repeatParams.blockCount", s.params.block_count, kUint16);
    Member("repeatParams.blockLen", s.params.block_len, kUint16);
    Member("repeatParams.srcGap", s.params.src_gap, kUint16);
    Member("repeatParams.dstGap", s.params.dst_gap, kUint16);
    out_.Line("AscendC::DataCopy(dst, src, repeatParams);");
  }

  void operator()(const isa::SetVectorMask& s) {
    out_.Line("AscendC::SetMaskNorm();");
    out_.Line(fmt::format("const uint64_t maskHigh = {};", HexWord(s.high)));
    out_.Line(fmt::format("const uint64_t maskLow = {};", HexWord(s.low)));
    out_.Line(fmt::format(
        "AscendC::SetVectorMask<{}, AscendC::MaskMode::NORMAL>(maskHigh, "
        "maskLow);",
        CppType(TypeOfNextSum())));
  }

  void operator()(const isa::SetSaturation& s) {
    const bool has_mode = c_.product == isa::Product::kAtlasA2 ||
                          c_.product == isa::Product::kAtlasA3;
    if (s.enabled && !has_mode) {
      out_.Comment("On: this product has no other mode, there is no call.");
      return;
    }
    out_.Comment(
        "The documents of these intrinsics name no call. Bit 48 of CTRL: 0 "
        "saturates half arithmetic, 1 keeps inf and NaN; newer tools call it "
        "AscendC::SetCtrlSpr<48, 48>.");
    out_.Line(
        fmt::format("set_ctrl(sbitset{}(get_ctrl(), 48));", s.enabled ? 0 : 1));
  }

  void operator()(const isa::PipeBarrier& s) {
    out_.Line(
        fmt::format("AscendC::PipeBarrier<PIPE_{}>();", isa::Name(s.pipe)));
  }

  void operator()(const isa::Trowprod&) {}  // of PTO
  void operator()(const isa::VecTrans&) {}  // of TIK

 private:
  using Operands = std::initializer_list<const isa::Operand*>;

  void Tensor(std::string_view name, const isa::Operand& o, DType dtype) {
    DeclareTensor(c_, name, o, dtype, out_);
  }

  void Parameter(std::string_view name, std::int64_t value,
                 const ParameterType& type) {
    const Literal literal = ToLiteral(value, type);
    if (!literal.remark.empty()) out_.Comment(literal.remark);
    out_.Line(fmt::format("const {} {} = {};", type.name, name, literal.text));
  }

  void Member(std::string_view name, std::int64_t value,
              const ParameterType& type) {
    const Literal literal = ToLiteral(value, type);
    if (!literal.remark.empty()) out_.Comment(literal.remark);
    out_.Line(fmt::format("{} = {};", name, literal.text));
  }

  void Mask(const isa::Min& s) {
    const bool bitwise = s.form == isa::Min::kBitwise;
    if (!s.is_set_mask && s.mask == 0 &&
        s.mask_words == std::array<std::uint64_t, 2>{}) {
      out_.Line(bitwise ? "uint64_t mask[2] = {AscendC::MASK_PLACEHOLDER, "
                          "AscendC::MASK_PLACEHOLDER};"
                        : "const uint64_t mask = AscendC::MASK_PLACEHOLDER;");
    } else if (bitwise) {
      out_.Line(fmt::format("uint64_t mask[2] = {{{}, {}}};",
                            HexWord(s.mask_words[0]),
                            HexWord(s.mask_words[1])));
    } else {
      Parameter("mask", s.mask, kUint64);
    }
  }

  void WarnOfPosition(Operands operands) {
    if (std::ranges::any_of(operands, [](const isa::Operand* o) {
          return o->position == Position::kUb;
        })) {
      out_.Comment("Does not compile: TPosition has no UB.");
    }
  }

  /// Of intrinsics whose operands are all LocalTensor<T>.
  void WarnOfOneType(Operands operands, DType dtype) {
    for (const isa::Operand* o : operands) {
      if (o->dtype.value_or(dtype) == dtype) continue;
      out_.Comment("Does not compile: the prototype has one type T.");
      break;
    }
    for (const isa::Operand* o : operands) {
      if (o->position != Position::kGm) continue;
      out_.Comment("Does not compile: the prototype takes no GlobalTensor.");
      break;
    }
    WarnOfPosition(operands);
  }

  /// SetVectorMask wants the type of the operands that the mask is for.
  DType TypeOfNextSum() const {
    for (std::size_t i = index_; i < c_.program.size(); ++i) {
      if (const auto* sum = std::get_if<isa::RepeatReduceSum>(&c_.program[i])) {
        return sum->dtype;
      }
      if (const auto* min = std::get_if<isa::Min>(&c_.program[i])) {
        return min->dtype;
      }
    }
    return DType::kHalf;
  }

  const Case& c_;
  std::size_t index_;
  Source& out_;
};

}  // namespace

std::optional<Pipe> PipeOf(const isa::Step& step, isa::Product product) {
  if (std::holds_alternative<isa::RepeatReduceSum>(step) ||
      std::holds_alternative<isa::Min>(step)) {
    return Pipe::kV;
  }
  const auto* copy = std::get_if<isa::DataCopy>(&step);
  if (copy == nullptr) return std::nullopt;
  const std::pair route{isa::MemoryAt(product, copy->src.position),
                        isa::MemoryAt(product, copy->dst.position)};
  using Route = std::pair<Memory, Memory>;
  if (route.first == Memory::kGm) return Pipe::kMte2;
  if (route.second == Memory::kGm || route == Route{Memory::kUb, Memory::kL1}) {
    return Pipe::kMte3;
  }
  if (route == Route{Memory::kUb, Memory::kUb}) return Pipe::kV;
  if (route.second == Memory::kBt) return Pipe::kMte1;
  if (route.second == Memory::kFb) return Pipe::kFix;
  return std::nullopt;
}

void WriteAscendcStep(const Case& c, std::size_t index,
                      const diff::ExpectedResult& expected, Source& out) {
  WriteStepHead(c.program[index], index, expected, out);
  out.Line("{");
  out.Indent(2);
  std::visit(StepWriter(c, index, out), c.program[index]);
  out.Outdent(2);
  out.Line("}");
}

}  // namespace lanediff::exports
