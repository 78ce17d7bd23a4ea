#include <fmt/format.h>

#include "isa/memory_map.h"
#include "isa/units.h"
#include "reports/export/ascendc.h"
#include "reports/export/cpp_data.h"

namespace lanediff::exports {
namespace {

using isa::Memory;
using isa::Position;

using isa::kDataBlockBytes;

void DeclareGlobal(std::string_view name, const isa::Operand& operand,
                   std::string_view type, const Literal& elements,
                   Source& out) {
  out.Line(fmt::format("AscendC::GlobalTensor<{}> {};", type, name));
  out.Line(fmt::format("{}.SetGlobalBuffer((__gm__ {}*)(gm + {}), {});", name,
                       type, SignedLiteral(operand.at), elements.text));
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
      "AscendC::LocalTensor<uint8_t>(AscendC::TPosition::{}, {}, {})[{}]"
      ".ReinterpretCast<{}>()",
      isa::Name(operand.position), at.text, bytes, skipped, type);
}

}  // namespace

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
  out.Comment(fmt::format("{}: {}, {} bytes from {} byte {} on", name,
                          isa::Name(operand.position), operand.bytes,
                          isa::Name(memory), operand.at));
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
    std::string base = MemoryWord(memory);
    base[0] = static_cast<char>(base[0] - 'A' + 'a');
    out.Line(fmt::format("{} = {}All[{}].ReinterpretCast<{}>();", head, base,
                         at.text, type));
  } else if (at.remark.empty() && operand.at % kDataBlockBytes != 0) {
    out.Line(fmt::format("{} =", head));
    out.Line("    " + CutTensor(operand, type) + ";");
  } else {
    out.Line(fmt::format("{}(AscendC::TPosition::{}, {}, {});", head,
                         isa::Name(operand.position), at.text, elements.text));
  }
}

}  // namespace lanediff::exports
