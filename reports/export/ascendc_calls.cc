#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "differential/compare/unspecified.h"
#include "differential/testcase/element.h"
#include "isa/fields.h"
#include "isa/memory_map.h"
#include "isa/units.h"
#include "reports/export/ascendc.h"
#include "reports/export/cpp_data.h"

namespace lanediff::exports {
namespace {

using isa::DType;
using isa::kDataBlockBytes;
using isa::Memory;
using isa::Param;
using isa::Pipe;
using isa::Position;

/// Writes one step; one overload for each kind.
class StepWriter {
 public:
  StepWriter(const Case& c, std::size_t index, Source& out)
      : c_(c), index_(index), out_(out) {}

  void operator()(const isa::Call& s) {
    const isa::Signature& row = *s.signature;
    if (row.Has(Param::kIsPad)) return WritePaddedCopy(s);
    if (s.Is(isa::Family::kCopy)) return WriteCopy(s);
    WarnOfOneType(s.used_operands(), s.dtype);
    std::vector<std::string> given;
    for (std::size_t i = 0; i < row.operands.size(); ++i) {
      given.push_back(fmt::format("{}Local", row.operands[i].name));
      Tensor(given.back(), s.operands[i], s.dtype);
    }
    for (const isa::ParamSpec& spec : row.params) {
      if (!s.Has(spec.param) || spec.param == Param::kIsSetMask) continue;
      const std::string argument = Argument(s, spec);
      if (given.back() != argument) given.push_back(argument);
    }
    const std::string_view type = CppType(s.dtype);
    if (s.IsByCount()) {
      out_.Line("AscendC::{}<{}>({});", row.op, type, fmt::join(given, ", "));
      return;
    }
    out_.Line("AscendC::{}<{}, {}>(", row.op, type, s.is_set_mask);
    constexpr std::size_t kWidth = 76;  // of lines that are broken
    std::string line = "   ";
    for (const std::string& one : given) {
      if (s.Is(isa::Family::kReduction) &&
          line.size() + one.size() + 2 > kWidth) {
        out_.Line(line);
        line = "   ";
      }
      line += fmt::format(" {}{}", one, &one == &given.back() ? ");" : ",");
    }
    out_.Line(line);
  }

  void operator()(const isa::SetVectorMask& s) {
    out_.Line("AscendC::SetMaskNorm();");
    out_.Line("const uint64_t maskHigh = {};", HexWord(s.high));
    out_.Line("const uint64_t maskLow = {};", HexWord(s.low));
    out_.Line(
        "AscendC::SetVectorMask<{}, AscendC::MaskMode::NORMAL>(maskHigh, "
        "maskLow);",
        CppType(TypeOfNextMasked()));
  }

  void operator()(const isa::SetSaturation& s) {
    if (s.enabled && !HasSaturationModes(c_.product)) {
      out_.Comment("On: this product has no other mode, there is no call.");
      return;
    }
    out_.Comment(
        "The documents of these intrinsics name no call. Bit 48 of CTRL: 0 "
        "saturates half arithmetic, 1 keeps inf and NaN; newer tools call it "
        "AscendC::SetCtrlSpr<48, 48>.");
    out_.Line(SaturationLine(s.enabled));
  }

  void operator()(const isa::PipeBarrier& s) {
    out_.Line("AscendC::PipeBarrier<PIPE_{}>();", isa::Name(s.pipe));
  }

  void operator()(const isa::SetFlag& s) { WriteFlag("Set", s); }
  void operator()(const isa::WaitFlag& s) { WriteFlag("Wait", s); }
  void operator()(const isa::SetMaskCount&) {
    out_.Line("AscendC::SetMaskCount();");
  }
  void operator()(const isa::SetMaskNorm&) {
    out_.Line("AscendC::SetMaskNorm();");
  }
  void operator()(const isa::ResetMask&) { out_.Line("AscendC::ResetMask();"); }
  void operator()(const isa::GetValue& s) {
    Tensor("src", s.src, s.dtype);
    out_.Line("(void)src.GetValue({});", s.index);
  }
  void operator()(const isa::SetValue& s) {
    Tensor("dst", s.dst, s.dtype);
    const std::string value = Element(s.dtype, s.value);
    out_.Line("dst.SetValue({}, {});", s.index, value);
  }

  void operator()(const isa::Carried&) {}   // refused
  void operator()(const isa::Resource&) {}  // likewise

 private:
  void WriteCopy(const isa::Call& s) {
    const isa::Operand& to = s.dst();
    const isa::Operand& from = s.src(0);
    const bool two_types =
        to.dtype.value_or(s.dtype) != from.dtype.value_or(s.dtype);
    const bool global =
        to.position == Position::kGm || from.position == Position::kGm;
    if (to.position == from.position && global) {
      out_.Comment("Does not compile: no prototype copies from GM to GM.");
    }
    if (two_types && (global || s.Has(Param::kCount))) {
      out_.Comment(
          "Does not compile: only Local to Local with DataCopyParams takes two "
          "types.");
    }
    WarnOfPosition(s.used_operands());
    Tensor("dst", to, s.dtype);
    Tensor("src", from, s.dtype);
    if (s.Has(Param::kCount)) {
      Parameter("count", s[Param::kCount], kUint32);
      out_.Line("AscendC::DataCopy(dst, src, count);");
      return;
    }
    out_.Line("AscendC::DataCopyParams repeatParams;");
    for (const isa::ParamSpec& spec : s.signature->params) {
      if (!s.Has(spec.param)) continue;
      Member(fmt::format("repeatParams.{}", spec.name), s[spec.param], kUint16);
    }
    out_.Line("AscendC::DataCopy(dst, src, repeatParams);");
  }

  void WritePaddedCopy(const isa::Call& s) {
    const isa::Signature& row = *s.signature;
    const bool pads = s.Has(Param::kIsPad);
    WarnOfTypes(s.used_operands(), s.dtype);
    if ((s.dst().position == Position::kGm) == pads ||
        (s.src(0).position == Position::kGm) != pads) {
      out_.Comment(
          "Does not compile: padParams are for copies from GM, and none for "
          "those to GM.");
    }
    WarnOfPosition(s.used_operands());
    Tensor("dst", s.dst(), s.dtype);
    Tensor("src", s.src(0), s.dtype);
    const std::string_view type = CppType(s.dtype);
    out_.Line("AscendC::DataCopyExtParams dataCopyParams;");
    if (pads) out_.Line("AscendC::DataCopyPadExtParams<{}> padParams;", type);
    for (const isa::ParamSpec& spec : row.params) {
      if (!s.Has(spec.param)) continue;
      const std::string name = fmt::format("{}.{}", spec.group, spec.name);
      if (spec.param == Param::kIsPad) {
        out_.Line("{} = {};", name, s.is_pad);
      } else if (spec.param == Param::kScalar) {
        const std::string value = Element(s.dtype, s.scalar);
        out_.Line("{} = {};", name, value);
      } else {
        Member(name, s[spec.param],
               spec.param == Param::kBlockCount ? kUint16
               : spec.param == Param::kLeftPadding ||
                       spec.param == Param::kRightPadding
                   ? kUint8
                   : kUint32);
      }
    }
    if (!diff::ScratchOf(c_, s).empty()) {
      out_.Comment("The bytes that pad a block are not compared.");
    }
    out_.Line("AscendC::{}<{}>(dst, src, dataCopyParams{});", row.op, type,
              pads ? ", padParams" : "");
  }

  void WriteFlag(std::string_view word, const auto& flag) {
    out_.Line(
        "AscendC::{}Flag<AscendC::HardEvent::{}>(static_cast<event_t>({}));",
        word, isa::Name(flag.event), flag.id);
  }

  void Tensor(std::string_view name, const isa::Operand& o, DType dtype) {
    DeclareTensor(c_, name, o, dtype, out_);
  }

  void Parameter(std::string_view name, std::int64_t value,
                 const ParameterType& type) {
    const Literal literal = ToLiteral(value, type);
    if (!literal.remark.empty()) out_.Comment(literal.remark);
    out_.Line("const {} {} = {};", type.name, name, literal.text);
  }

  void Member(std::string_view name, std::int64_t value,
              const ParameterType& type) {
    const Literal literal = ToLiteral(value, type);
    if (!literal.remark.empty()) out_.Comment(literal.remark);
    out_.Line("{} = {};", name, literal.text);
  }

  /// Declares a parameter, alone or as a member of an object that its first one
  /// declares; the argument that it is or stands in.
  std::string Argument(const isa::Call& s, const isa::ParamSpec& spec) {
    const isa::Signature& row = *s.signature;
    const bool blk = isa::IsBlkStride(spec.param);
    const ParameterType& type =
        s.Is(isa::Family::kReduction) || spec.param == Param::kCount ? kInt32
        : spec.param == Param::kMask                                 ? kUint64
        : blk && row.sources() < 2                                   ? kUint16
                                                                     : kUint8;
    if (spec.param == Param::kScalar) return Element(s.dtype, s.scalar);
    if (spec.param == Param::kMask || spec.param == Param::kMaskWords) {
      Mask(s, spec.name, type);
      return std::string(spec.name);
    }
    if (spec.group.empty()) {
      const std::string_view name =
          spec.param == Param::kCount ? "calCount" : spec.name;
      Parameter(name, s[spec.param], type);
      return std::string(name);
    }
    if (spec.param == Param::kDstBlkStride) {
      out_.Line("AscendC::{}RepeatParams {};",
                row.sources() == 1 ? "Unary" : "Binary", spec.group);
    }
    Member(fmt::format("{}.{}", spec.group, spec.name), s[spec.param], type);
    return std::string(spec.group);
  }

  /// Declares an element's bits; the expression for it.
  std::string Element(DType dtype, std::uint64_t bits) {
    out_.Comment("The element's bits are 0x{:x}: {}.", bits,
                 ElementToText(dtype, bits).text);
    out_.Line("const uint64_t bits = 0x{:x};", bits);
    return fmt::format("*reinterpret_cast<const {}*>(&bits)", CppType(dtype));
  }

  /// `number`: the type of a number of lanes.
  void Mask(const isa::Call& s, std::string_view name,
            const ParameterType& number) {
    const std::int64_t lanes = s[Param::kMask];
    const bool bitwise = s.Has(Param::kMaskWords);
    const bool placeholder = !s.is_set_mask && lanes == 0 &&
                             s.mask_words == std::array<std::uint64_t, 2>{};
    if (bitwise && placeholder) {
      out_.Line(
          "uint64_t {}[2] = {{AscendC::MASK_PLACEHOLDER, "
          "AscendC::MASK_PLACEHOLDER}};",
          name);
    } else if (bitwise) {
      out_.Line("uint64_t {}[2] = {{{}, {}}};", name, HexWord(s.mask_words[0]),
                HexWord(s.mask_words[1]));
    } else if (placeholder) {
      Placeholder(name, number);
    } else {
      Parameter(name, lanes, number);
    }
  }

  /// MASK_PLACEHOLDER is a word of 64 bits.
  void Placeholder(std::string_view name, const ParameterType& type) {
    constexpr std::string_view kWord = "AscendC::MASK_PLACEHOLDER";
    const std::string value =
        type.bits == 64 ? std::string(kWord)
                        : fmt::format("static_cast<{}>({})", type.name, kWord);
    out_.Line("const {} {} = {};", type.name, name, value);
  }

  void WarnOfPosition(std::span<const isa::Operand> operands) {
    if (std::ranges::find(operands, Position::kUb, &isa::Operand::position) !=
        operands.end()) {
      out_.Comment("Does not compile: TPosition has no UB.");
    }
  }

  void WarnOfTypes(std::span<const isa::Operand> operands, DType dtype) {
    for (const isa::Operand& o : operands) {
      if (o.dtype.value_or(dtype) == dtype) continue;
      out_.Comment("Does not compile: the prototype has one type T.");
      break;
    }
  }

  /// Of intrinsics whose operands are all LocalTensor<T>.
  void WarnOfOneType(std::span<const isa::Operand> operands, DType dtype) {
    WarnOfTypes(operands, dtype);
    for (const isa::Operand& o : operands) {
      if (o.position != Position::kGm) continue;
      out_.Comment("Does not compile: the prototype takes no GlobalTensor.");
      break;
    }
    WarnOfPosition(operands);
  }

  /// SetVectorMask wants the type of the operands that the mask is for.
  DType TypeOfNextMasked() const {
    for (std::size_t i = index_; i < c_.program.size(); ++i) {
      const auto* const call = std::get_if<isa::Call>(&c_.program[i]);
      if (call != nullptr && call->signature->Has(Param::kIsSetMask)) {
        return call->dtype;
      }
    }
    return DType::kHalf;
  }

  const Case& c_;
  std::size_t index_;
  Source& out_;
};

void DeclareGlobal(std::string_view name, const isa::Operand& operand,
                   std::string_view type, const Literal& elements,
                   Source& out) {
  out.Line("AscendC::GlobalTensor<{}> {};", type, name);
  out.Line("{}.SetGlobalBuffer((__gm__ {}*)(gm + {}), {});", name, type,
           SignedLiteral(operand.at), elements.text);
}

/// A tensor of bytes from the DataBlock before `at`, cut at `at`.
std::string CutTensor(const isa::Operand& operand, std::string_view type) {
  const std::int64_t skipped = operand.at % kDataBlockBytes;
  const Literal at = ToLiteral(operand.at - skipped, kUint32);
  // The sum would overflow for the largest number of bytes of a case.
  const std::string bytes =
      operand.bytes <= INT64_MAX - skipped
          ? ToLiteral(operand.bytes + skipped, kUint32).text
          : fmt::format("{} + {}", ToLiteral(operand.bytes, kUint32).text,
                        skipped);
  return fmt::format(
      "AscendC::LocalTensor<uint8_t>(AscendC::TPosition::{}, {}, "
      "{})[{}].ReinterpretCast<{}>()",
      isa::Name(operand.position), at.text, bytes, skipped, type);
}

}  // namespace

std::optional<Pipe> PipeOf(const isa::Step& step, isa::Product product) {
  const auto* const call = std::get_if<isa::Call>(&step);
  if (call == nullptr) return std::nullopt;
  if (!call->Is(isa::Family::kCopy)) return Pipe::kV;
  using Route = std::pair<Memory, Memory>;
  const Route route{isa::MemoryAt(product, call->src(0).position),
                    isa::MemoryAt(product, call->dst().position)};
  if (route.first == Memory::kGm) return Pipe::kMte2;
  if (route.second == Memory::kGm || route == Route{Memory::kUb, Memory::kL1}) {
    return Pipe::kMte3;
  }
  if (route == Route{Memory::kUb, Memory::kUb}) return Pipe::kV;
  if (route.second == Memory::kBt) return Pipe::kMte1;
  if (route.second == Memory::kFb) return Pipe::kFix;
  return std::nullopt;
}

bool HasSaturationModes(isa::Product product) {
  return product == isa::Product::kAtlasA2 || product == isa::Product::kAtlasA3;
}

void WriteAscendcStep(const Case& c, std::size_t index,
                      const diff::ExpectedResult& expected, Source& out) {
  WriteStepBlock(c.program[index], index, expected, out, [&] {
    std::visit(StepWriter(c, index, out), c.program[index]);
  });
}

bool HasStaticTensors(isa::Product product) {
  return product != isa::Product::kAtlasTraining &&
         product != isa::Product::kAtlas200i500A2;
}

std::string_view CppType(isa::DType dtype) {
  constexpr std::string_view kTypes[] = {
      "int8_t",  "uint8_t",  "int16_t", "uint16_t",   "int32_t", "uint32_t",
      "int64_t", "uint64_t", "half",    "bfloat16_t", "float",   "double"};
  return kTypes[static_cast<std::size_t>(dtype)];
}

void DeclareTensor(const Case& c, std::string_view name,
                   const isa::Operand& operand, isa::DType step_dtype,
                   Source& out) {
  const isa::DType dtype = operand.dtype.value_or(step_dtype);
  const std::string_view type = CppType(dtype);
  const Memory memory = isa::MemoryAt(c.product, operand.position);
  const Literal elements =
      ToLiteral(operand.bytes / isa::SizeBytes(dtype), kUint32);
  out.Comment("{}: {}, {} bytes from {} byte {} on", name,
              isa::Name(operand.position), operand.bytes, isa::Name(memory),
              operand.at);
  if (operand.position == Position::kGm) {
    if (!elements.remark.empty()) out.Comment(elements.remark);
    DeclareGlobal(name, operand, type, elements, out);
    return;
  }
  const Literal at = ToLiteral(operand.at, kUint32);
  if (!at.remark.empty()) out.Comment(at.remark);
  if (!elements.remark.empty()) out.Comment(elements.remark);
  const std::string head =
      fmt::format("AscendC::LocalTensor<{}> {}", type, name);
  if (!HasStaticTensors(c.product) && memory != Memory::kGm &&
      operand.position != Position::kUb) {
    out.Line("{} = {}All[{}].ReinterpretCast<{}>();", head,
             MemoryVariable(memory), at.text, type);
  } else if (at.remark.empty() && operand.at % kDataBlockBytes != 0) {
    out.Line("{} =", head);
    out.Line("    " + CutTensor(operand, type) + ";");
  } else {
    out.Line("{}(AscendC::TPosition::{}, {}, {});", head,
             isa::Name(operand.position), at.text, elements.text);
  }
}

}  // namespace lanediff::exports
