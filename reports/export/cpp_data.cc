#include <fmt/format.h>

#include <algorithm>

#include "isa/memory_map.h"
#include "reports/export/snippet.h"

namespace lanediff::exports {
namespace {

using Kind = Piece::Kind;

constexpr std::string_view kRun =
    R"(template <typename Bits>
inline void Run(uint8_t* at, size_t count, Bits bits) {
  for (size_t i = 0; i < count; ++i) {
    std::memcpy(at + i * sizeof(bits), &bits, sizeof(bits));
  }
})";

constexpr std::string_view kIntegerRamp =
    R"(template <typename Bits>
inline void Ramp(uint8_t* at, size_t count, Bits from, Bits step) {
  Bits bits = from;
  for (size_t i = 0; i < count; ++i) {
    std::memcpy(at + i * sizeof(bits), &bits, sizeof(bits));
    bits = static_cast<Bits>(bits + step);
  }
})";

constexpr std::string_view kFloatRamp =
    R"(inline void FloatRamp(uint8_t* at, size_t count, double from, double step) {
  for (size_t i = 0; i < count; ++i) {
    const float value = static_cast<float>(from + step * static_cast<double>(i));
    std::memcpy(at + i * sizeof(value), &value, sizeof(value));
  }
})";

/// Every element of a ramp is a half exactly, so that nothing has to be
/// rounded.
constexpr std::string_view kHalfRamp =
    R"(inline void HalfRamp(uint8_t* at, size_t count, double from, double step) {
  for (size_t i = 0; i < count; ++i) {
    const double value = from + step * static_cast<double>(i);
    int exponent = 0;
    const double fraction = std::frexp(std::fabs(value), &exponent);
    unsigned bits = 0;
    if (exponent <= -14) {
      bits = static_cast<unsigned>(std::ldexp(std::fabs(value), 24));
    } else if (value != 0) {
      bits = (static_cast<unsigned>(exponent + 14) << 10) |
             (static_cast<unsigned>(std::ldexp(fraction, 11)) - 1024u);
    }
    if (value < 0) bits |= 0x8000u;
    const uint16_t half = static_cast<uint16_t>(bits);
    std::memcpy(at + i * sizeof(half), &half, sizeof(half));
  }
})";

constexpr std::string_view kList =
    R"(template <typename Bits, size_t N>
inline void List(uint8_t* at, const Bits (&bits)[N]) {
  std::memcpy(at, bits, sizeof(bits));
})";

constexpr std::string_view kFile =
    R"(inline void Load(uint8_t* at, const char* name, size_t count) {
  std::FILE* file = std::fopen(name, "rb");
  if (file == nullptr || std::fread(at, 1, count, file) != count) {
    std::fprintf(stderr, "%s: can't be read or is too short\n", name);
    std::exit(2);
  }
  std::fclose(file);
})";

constexpr std::string_view kHelpers[] = {kRun,      kIntegerRamp, kFloatRamp,
                                         kHalfRamp, kList,        kFile};

/// The helper that writes `piece`.
std::string_view HelperOf(const Piece& piece) {
  switch (piece.kind) {
    case Kind::kRun:
      return kRun;
    case Kind::kRamp:
      return piece.dtype == isa::DType::kHalf    ? kHalfRamp
             : piece.dtype == isa::DType::kFloat ? kFloatRamp
                                                 : kIntegerRamp;
    case Kind::kList:
      return kList;
    case Kind::kFile:
      return kFile;
  }
  return kList;
}

bool Uses(const std::vector<MemoryData>& data, std::string_view helper) {
  return std::ranges::any_of(data, [&](const MemoryData& one) {
    return std::ranges::any_of(
        one.pieces, [&](const Piece& p) { return HelperOf(p) == helper; });
  });
}

/// sizeof of the type of elements of `dtype` as a number of bits in C++'s name:
/// "uint16_t".
std::string BitsType(isa::DType dtype) {
  return fmt::format("uint{}_t", 8 * isa::SizeBytes(dtype));
}

std::string HexOf(isa::DType dtype, std::uint64_t bits) {
  return fmt::format("0x{:0{}x}{}", bits, 2 * isa::SizeBytes(dtype),
                     isa::SizeBytes(dtype) == 8 ? "ULL" : "");
}

void WriteList(const Piece& piece, Source& out) {
  const std::string name = fmt::format("at{}", piece.at);
  out.Line("static const {} {}[] = {{", BitsType(piece.dtype), name);
  WriteElements(
      piece, [&](auto bits) { return HexOf(piece.dtype, bits); }, ",", out);
  out.Line("};");
  out.Line("List(bytes + {}, {});", piece.at, name);
}

void WriteRamp(const Piece& piece, Source& out) {
  if (RampsInDoubles(piece.dtype)) {
    out.Line("{}Ramp(bytes + {}, {}, {:.17g}, {:.17g});",
             piece.dtype == isa::DType::kHalf ? "Half" : "Float", piece.at,
             piece.count, piece.from, piece.step);
    return;
  }
  const std::string type = BitsType(piece.dtype);
  out.Line("Ramp<{}>(bytes + {}, {}, {}, {});", type, piece.at, piece.count,
           HexOf(piece.dtype, piece.bits[0]),
           HexOf(piece.dtype, piece.bits[1]));
}

void WritePiece(const Piece& piece, Source& out) {
  WriteSummary(piece, isa::Name(piece.dtype), out);
  switch (piece.kind) {
    case Kind::kRun:
      out.Line("Run<{}>(bytes + {}, {}, {});", BitsType(piece.dtype), piece.at,
               piece.count, HexOf(piece.dtype, piece.bits[0]));
      return;
    case Kind::kRamp:
      WriteRamp(piece, out);
      return;
    case Kind::kList:
      WriteList(piece, out);
      return;
    case Kind::kFile:
      out.Line("Load(bytes + {}, {}, {});", piece.at, Quoted(piece.file),
               piece.bytes());
      return;
  }
}

}  // namespace

std::string MemoryWord(isa::Memory memory) {
  std::string word = MemoryVariable(memory);
  word[0] = static_cast<char>(word[0] - 'a' + 'A');
  return word;
}

void CppWriter::WriteFillFunctions() const {
  for (const std::string_view helper : kHelpers) {
    if (!Uses(data_, helper)) continue;
    out_.Line(helper);
    out_.Blank();
  }
  for (const MemoryData& one : data_) {
    const std::string word = MemoryWord(one.memory);
    out_.Line("inline void Fill{}(uint8_t* bytes) {{", word);
    out_.Indent(2);
    out_.Line("std::memset(bytes, 0x{:02x}, k{}Bytes);", one.fill, word);
    for (const Piece& piece : one.pieces) WritePiece(piece, out_);
    out_.Outdent(2);
    out_.Line("}");
    out_.Blank();
  }
}

void CppWriter::WriteIncludes(std::string_view header) const {
  if (Uses(data_, kHalfRamp)) out_.Line("#include <cmath>");
  out_.Line("#include <cstddef>");
  out_.Line("#include <cstdint>");
  if (Uses(data_, kFile)) {
    out_.Line("#include <cstdio>");
    out_.Line("#include <cstdlib>");
  }
  out_.Line("#include <cstring>");
  out_.Blank();
  out_.Line("#include {}", header);
  out_.Blank();
}

void CppWriter::WriteSize(const MemoryData& one, std::int64_t bytes,
                          std::string_view units) const {
  if (bytes != one.size) {
    out_.Comment("{} bytes, in whole {}", one.size, units);
  }
  out_.Line("constexpr uint32_t k{}Bytes = {};", MemoryWord(one.memory), bytes);
}

void CppWriter::WriteBlock(std::size_t index,
                           const std::function<void()>& write) const {
  WriteStepHead(index);
  out_.Line("{");
  out_.Indent(2);
  write();
  out_.Outdent(2);
  out_.Line("}");
}

std::string SaturationLine(bool on) {
  return fmt::format("set_ctrl(sbitset{}(get_ctrl(), 48));", on ? 0 : 1);
}

std::string_view CppType(isa::DType dtype) {
  constexpr std::string_view kTypes[] = {
      "int8_t",  "uint8_t",  "int16_t", "uint16_t",   "int32_t", "uint32_t",
      "int64_t", "uint64_t", "half",    "bfloat16_t", "float",   "double"};
  return kTypes[static_cast<std::size_t>(dtype)];
}

}  // namespace lanediff::exports
