#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "differential/compare/unspecified.h"
#include "differential/testcase/element.h"
#include "isa/fields.h"
#include "isa/memory_map.h"
#include "isa/units.h"
#include "reports/export/snippet.h"

namespace lanediff::exports {
namespace {

using isa::DType;
using isa::kDataBlockBytes;
using isa::Memory;
using isa::Param;
using isa::Position;

/// The integer type of a parameter.
const ParameterType& TypeOf(const isa::Call& s, Param param) {
  if (param == Param::kMask && !s.Is(isa::Family::kReduction)) return kUint64;
  if (s.Is(isa::Family::kCopy)) {
    if (param == Param::kLeftPadding || param == Param::kRightPadding) {
      return kUint8;
    }
    const bool wide = param == Param::kCount || s.signature->Has(Param::kIsPad);
    return wide && param != Param::kBlockCount ? kUint32 : kUint16;
  }
  if (param == Param::kCount &&
      (s.signature->Converts() || s.signature->NumbersLanes() ||
       s.signature->PacksBits() || s.signature->Has(Param::kSelMode))) {
    return kUint32;
  }
  if (s.Is(isa::Family::kReduction) || param == Param::kCount) return kInt32;
  const bool wide = isa::IsRepStride(param)
                        ? !s.signature->Has(Param::kCount)
                        : isa::IsBlkStride(param) && s.signature->sources() < 2;
  return wide ? kUint16 : kUint8;
}

/// The type of the object that the parameters of a group are members of, where
/// `first` is the first of them; empty for any other parameter.
std::string ObjectType(const isa::Call& s, const isa::ParamSpec& first) {
  if (first.group.empty()) return "";
  switch (first.param) {
    case Param::kBlockCount:
      return s.signature->Has(Param::kIsPad) ? "DataCopyExtParams"
                                             : "DataCopyParams";
    case Param::kIsPad:
      return fmt::format("DataCopyPadExtParams<{}>", CppType(s.dtype));
    case Param::kDstBlkStride:
      if (s.Is(isa::Family::kBroadcast)) return "BrcbRepeatParams";
      return !s.signature->Has(Param::kCount) ? "CopyRepeatParams"
             : s.signature->sources() == 1    ? "UnaryRepeatParams"
                                              : "BinaryRepeatParams";
    default:
      return "";
  }
}

/// The name of the object; cases call that of a copy otherwise.
std::string_view ObjectName(const isa::ParamSpec& spec) {
  return spec.group == "params" ? "repeatParams" : spec.group;
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

/// Writes one step; one overload for each kind.
class StepWriter {
 public:
  StepWriter(const CppWriter& writer, std::size_t index)
      : c_(writer.c_), index_(index), out_(writer.out_) {}

  void operator()(const isa::Call& s) {
    const isa::Signature& row = *s.signature;
    const bool copies = s.Is(isa::Family::kCopy);
    Warn(s);
    std::vector<std::string> given;
    for (std::size_t i = 0; i < s.used_operands().size(); ++i) {
      given.push_back(
          fmt::format("{}{}", row.operands[i].name, copies ? "" : "Local"));
      Tensor(given.back(), s.operands[i],
             row.operands[i].is_packed ? s.TypeOf(i) : s.dtype);
    }
    // selMask comes before src0.
    if (row.Has(Param::kSelMode)) std::swap(given[1], given[2]);
    for (const isa::ParamSpec& spec : row.params) {
      if (copies && s.Has(spec.param)) DeclareObject(s, spec);
    }
    if (s.Has(Param::kSelMode) && s.Has(Param::kScalar)) {
      given.push_back(Element(s.dtype, s.scalar));  // in the place of src1
    }
    for (const isa::ParamSpec& spec : row.params) {
      if (!s.Has(spec.param) || spec.param == Param::kIsSetMask ||
          (spec.param == Param::kScalar && row.Has(Param::kSelMode))) {
        continue;
      }
      const std::string argument = Argument(s, spec);
      if (given.back() != argument) given.push_back(argument);
    }
    if (row.Has(Param::kIsPad) && !diff::ScratchOf(c_, s).empty()) {
      out_.Comment("The bytes that pad a block are not compared.");
    }
    // T, and U of a conversion; of a comparison U comes last.
    std::string type(CppType(row.operands.empty() ? s.dtype : s.TypeOf(0)));
    if (row.Converts()) {
      type += fmt::format(", {}", CppType(s.dtype));
    } else if (row.PacksBits()) {
      type = fmt::format("{}, {}", CppType(s.dtype), type);
    } else if (row.Has(Param::kSelMode)) {
      type += fmt::format(", {}", CppType(s.TypeOf(2)));
    }
    if (!s.Has(Param::kIsSetMask)) {
      const bool any_type = copies && !row.Has(Param::kIsPad);
      out_.Line("AscendC::{}{}({});", row.op,
                any_type ? "" : fmt::format("<{}>", type),
                fmt::join(given, ", "));
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
    if (s.enabled && !HasMixedCores(c_.product)) {
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
  void WriteFlag(std::string_view word, const auto& flag) {
    out_.Line(
        "AscendC::{}Flag<AscendC::HardEvent::{}>(static_cast<event_t>({}));",
        word, isa::Name(flag.event), flag.id);
  }

  /// What a compiler refuses of the call.
  void Warn(const isa::Call& s) {
    const auto operands = s.used_operands();
    const auto has = [&](Position position) {
      return std::ranges::count(operands, position, &isa::Operand::position) >
             0;
    };
    const auto type = [&](const isa::Operand& o) {
      return o.dtype.value_or(s.dtype);
    };
    const bool pads = s.Has(Param::kIsPad);
    if (s.Is(isa::Family::kCopy) && !s.signature->Has(Param::kIsPad)) {
      if (s.dst().position == s.src(0).position && has(Position::kGm)) {
        out_.Comment("Does not compile: no prototype copies from GM to GM.");
      }
      if (type(s.dst()) != type(s.src(0)) &&
          (has(Position::kGm) || s.Has(Param::kCount))) {
        out_.Comment(
            "Does not compile: only Local to Local with DataCopyParams takes "
            "two types.");
      }
    } else {
      // dst may have a type of its own.
      const bool own = s.signature->Converts() || s.signature->PacksBits();
      bool alike = true;
      for (std::size_t i = own ? 1 : 0; i < operands.size(); ++i) {
        const isa::OperandSpec& spec = s.signature->operands[i];
        if (spec.is_packed && !spec.is_written) continue;  // of any type
        alike = alike && type(operands[i]) == s.dtype;
      }
      if (!alike) {
        out_.Comment(own ? "Does not compile: the sources have one type."
                         : "Does not compile: the prototype has one type T.");
      }
    }
    if (s.signature->Has(Param::kIsPad)) {
      if ((s.dst().position == Position::kGm) == pads ||
          (s.src(0).position == Position::kGm) != pads) {
        out_.Comment(
            "Does not compile: padParams are for copies from GM, and none for "
            "those to GM.");
      }
    } else if (!s.Is(isa::Family::kCopy) && has(Position::kGm)) {
      out_.Comment("Does not compile: the prototype takes no GlobalTensor.");
    }
    if (has(Position::kUb)) {
      out_.Comment("Does not compile: TPosition has no UB.");
    }
  }

  void DeclareObject(const isa::Call& s, const isa::ParamSpec& spec) {
    const std::string type = ObjectType(s, spec);
    if (!type.empty()) out_.Line("AscendC::{} {};", type, ObjectName(spec));
  }

  /// Declares a parameter, alone or as a member of an object that its first one
  /// declares; the argument that it is or stands in.
  std::string Argument(const isa::Call& s, const isa::ParamSpec& spec) {
    if (spec.param == Param::kRoundMode) {
      return fmt::format("AscendC::RoundMode::{}", isa::Name(s.round_mode));
    }
    if (spec.param == Param::kCmpMode) {
      return fmt::format("AscendC::CMPMODE::{}", isa::Name(s.cmp_mode));
    }
    if (spec.param == Param::kSelMode) {
      return fmt::format("AscendC::SELMODE::{}", isa::Name(s.sel_mode));
    }
    if (spec.param == Param::kReduceOrder) {
      return fmt::format("AscendC::ReduceOrder::{}", isa::Name(s.reduce_order));
    }
    const ParameterType& type = TypeOf(s, spec.param);
    if (spec.param == Param::kMask || spec.param == Param::kMaskWords) {
      Mask(s, spec.name, type);
      return std::string(spec.name);
    }
    const bool copies = s.Is(isa::Family::kCopy);
    if (!copies) DeclareObject(s, spec);
    std::string value =
        spec.param == Param::kScalar    ? Element(s.dtype, s.scalar)
        : spec.param == Param::kIsPad   ? fmt::format("{}", s.is_pad)
        : spec.param == Param::kRoundEn ? fmt::format("{}", s.round_en)
                                        : out_.Value(s[spec.param], type);
    if (!spec.group.empty()) {
      out_.Line("{}.{} = {};", ObjectName(spec), spec.name, value);
      return std::string(ObjectName(spec));
    }
    if (spec.param == Param::kScalar || spec.param == Param::kRoundEn) {
      return value;
    }
    const std::string_view name =
        spec.param == Param::kCount && !copies ? "calCount" : spec.name;
    out_.Line("const {} {} = {};", type.name, name, value);
    return std::string(name);
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
      // It is a word of 64 bits.
      constexpr std::string_view kWord = "AscendC::MASK_PLACEHOLDER";
      out_.Line("const {} {} = {};", number.name, name,
                number.bits == 64
                    ? std::string(kWord)
                    : fmt::format("static_cast<{}>({})", number.name, kWord));
    } else {
      const std::string value = out_.Value(lanes, number);
      out_.Line("const {} {} = {};", number.name, name, value);
    }
  }

  /// SetVectorMask wants the type of the operands that the mask is for, the
  /// wider one of a conversion.
  DType TypeOfNextMasked() const {
    for (std::size_t i = index_; i < c_.program.size(); ++i) {
      const auto* const call = std::get_if<isa::Call>(&c_.program[i]);
      if (call != nullptr && call->signature->IsMasked()) {
        const DType dst = call->TypeOf(0);
        const bool widens = isa::SizeBytes(dst) > isa::SizeBytes(call->dtype);
        return widens ? dst : call->dtype;
      }
    }
    return DType::kHalf;
  }

  void Tensor(std::string_view name, const isa::Operand& o, DType step_dtype) {
    const DType dtype = o.dtype.value_or(step_dtype);
    const std::string_view type = CppType(dtype);
    const Memory memory = isa::MemoryAt(c_.product, o.position);
    const std::int64_t elements = o.bytes / isa::SizeBytes(dtype);
    out_.Comment("{}: {}, {} bytes from {} byte {} on", name,
                 isa::Name(o.position), o.bytes, isa::Name(memory), o.at);
    if (o.position == Position::kGm) {
      const std::string count = out_.Value(elements, kUint32);
      out_.Line("AscendC::GlobalTensor<{}> {};", type, name);
      out_.Line("{}.SetGlobalBuffer((__gm__ {}*)(gm + {}), {});", name, type,
                SignedLiteral(o.at), count);
      return;
    }
    const std::string at = out_.Value(o.at, kUint32);
    const std::string count = out_.Value(elements, kUint32);
    const bool fits = ToLiteral(o.at, kUint32).remark.empty();
    const std::string head =
        fmt::format("AscendC::LocalTensor<{}> {}", type, name);
    if (!HasStaticTensors(c_.product) && memory != Memory::kGm &&
        o.position != Position::kUb) {
      out_.Line("{} = {}All[{}].ReinterpretCast<{}>();", head,
                MemoryVariable(memory), at, type);
    } else if (fits && o.at % kDataBlockBytes != 0) {
      out_.Line("{} =", head);
      out_.Line("    " + CutTensor(o, type) + ";");
    } else {
      out_.Line("{}(AscendC::TPosition::{}, {}, {});", head,
                isa::Name(o.position), at, count);
    }
  }

  const Case& c_;
  std::size_t index_;
  Source& out_;
};

}  // namespace

void WriteAscendcCall(const CppWriter& writer, std::size_t index) {
  std::visit(StepWriter(writer, index), writer.c_.program[index]);
}

}  // namespace lanediff::exports
