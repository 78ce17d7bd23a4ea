#include "reports/export/cpp_data.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/memory_map.h"
#include "reports/export/about.h"

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

void WriteHelpers(const std::vector<MemoryData>& data, Source& out) {
  for (const std::string_view helper : kHelpers) {
    if (!Uses(data, helper)) continue;
    out.Line(helper);
    out.Blank();
  }
}

std::string HexOf(isa::DType dtype, std::uint64_t bits) {
  return fmt::format("0x{:0{}x}{}", bits, 2 * isa::SizeBytes(dtype),
                     isa::SizeBytes(dtype) == 8 ? "ULL" : "");
}

void WriteList(const Piece& piece, Source& out) {
  const std::string name = fmt::format("at{}", piece.at);
  out.Line("static const {} {}[] = {{", BitsType(piece.dtype), name);
  out.Indent(4);
  for (std::size_t i = 0; i < piece.bits.size(); i += kElementsInALine) {
    const std::size_t n = std::min(kElementsInALine, piece.bits.size() - i);
    out.HangingComment(Decimals(piece.dtype, piece.bits.data() + i, n), 2);
    std::string line;
    for (std::size_t k = 0; k < n; ++k) {
      line += HexOf(piece.dtype, piece.bits[i + k]) + (k + 1 < n ? ", " : ",");
    }
    out.Line(line);
  }
  out.Outdent(4);
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
  switch (piece.kind) {
    case Kind::kRun:
      out.Comment("{} x {} {}", piece.count, isa::Name(piece.dtype),
                  Decimals(piece.dtype, piece.bits.data(), 1));
      out.Line("Run<{}>(bytes + {}, {}, {});", BitsType(piece.dtype), piece.at,
               piece.count, HexOf(piece.dtype, piece.bits[0]));
      return;
    case Kind::kRamp:
      out.Comment("{} {} in equal steps", piece.count, isa::Name(piece.dtype));
      WriteRamp(piece, out);
      return;
    case Kind::kList:
      out.Comment("{} {}", piece.count, isa::Name(piece.dtype));
      WriteList(piece, out);
      return;
    case Kind::kFile:
      out.Comment("{} {}", piece.count, isa::Name(piece.dtype));
      out.Line("Load(bytes + {}, {}, {});", piece.at, Quoted(piece.file),
               piece.count * isa::SizeBytes(piece.dtype));
      return;
  }
}

}  // namespace

std::string MemoryWord(isa::Memory memory) {
  std::string word = MemoryVariable(memory);
  word[0] = static_cast<char>(word[0] - 'a' + 'A');
  return word;
}

void WriteFillFunctions(const std::vector<MemoryData>& data, Source& out) {
  WriteHelpers(data, out);
  for (const MemoryData& one : data) {
    const std::string word = MemoryWord(one.memory);
    out.Line("inline void Fill{}(uint8_t* bytes) {{", word);
    out.Indent(2);
    out.Line("std::memset(bytes, 0x{:02x}, k{}Bytes);", one.fill, word);
    for (const Piece& piece : one.pieces) WritePiece(piece, out);
    out.Outdent(2);
    out.Line("}");
    out.Blank();
  }
}

void WriteIncludes(const std::vector<MemoryData>& data, std::string_view header,
                   Source& out) {
  if (Uses(data, kHalfRamp)) out.Line("#include <cmath>");
  out.Line("#include <cstddef>");
  out.Line("#include <cstdint>");
  if (Uses(data, kFile)) {
    out.Line("#include <cstdio>");
    out.Line("#include <cstdlib>");
  }
  out.Line("#include <cstring>");
  out.Blank();
  out.Line("#include {}", header);
  out.Blank();
}

void WriteSize(const MemoryData& one, std::int64_t bytes,
               std::string_view units, Source& out) {
  if (bytes != one.size) {
    out.Comment("{} bytes, in whole {}", one.size, units);
  }
  out.Line("constexpr uint32_t k{}Bytes = {};", MemoryWord(one.memory), bytes);
}

std::string SaturationLine(bool on) {
  return fmt::format("set_ctrl(sbitset{}(get_ctrl(), 48));", on ? 0 : 1);
}

void WriteStepBlock(const isa::Step& step, std::size_t index,
                    const diff::ExpectedResult& expected, Source& out,
                    const std::function<void()>& write) {
  WriteStepHead(step, index, expected, out);
  out.Line("{");
  out.Indent(2);
  write();
  out.Outdent(2);
  out.Line("}");
}

}  // namespace lanediff::exports
