#include "reports/export/tik_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "isa/memory_map.h"

namespace lanediff::exports {
namespace {

using isa::DType;
using Kind = Piece::Kind;

constexpr std::size_t kElementsInALine = 8;

/// The character of Python's struct module for the bits of an element.
char BitsFormat(DType dtype) {
  switch (isa::SizeBytes(dtype)) {
    case 1:
      return 'B';
    case 2:
      return 'H';
    case 4:
      return 'I';
    default:
      return 'Q';
  }
}

/// The same for the values of a ramp that is counted in doubles.
char ValueFormat(DType dtype) { return dtype == DType::kHalf ? 'e' : 'f'; }

/// "ub", "l1".
std::string MemoryVariable(isa::Memory memory) {
  std::string name(isa::Name(memory));
  std::ranges::transform(name, name.begin(), [](char ch) {
    return ch >= 'A' && ch <= 'Z' ? static_cast<char>(ch - 'A' + 'a') : ch;
  });
  return name;
}

/// "data[at:end] = ", the place of a piece.
std::string Place(const Piece& piece) {
  return fmt::format("data[{}:{}] = ", piece.at,
                     piece.at + piece.count * isa::SizeBytes(piece.dtype));
}

void WriteRamp(const Piece& piece, Source& out) {
  out.Comment(
      fmt::format("{} {} in equal steps", piece.count, TikType(piece.dtype)));
  out.Line(Place(piece) + "b\"\".join(");
  out.Indent(4);
  if (RampsInDoubles(piece.dtype)) {
    out.Line(fmt::format("struct.pack(\"<{}\", {:.17g} + {:.17g} * i)",
                         ValueFormat(piece.dtype), piece.from, piece.step));
  } else {
    const int width = static_cast<int>(8 * isa::SizeBytes(piece.dtype));
    out.Line(fmt::format(
        "struct.pack(\"<{}\", (0x{:x} + 0x{:x} * i) % (1 << {}))",
        BitsFormat(piece.dtype), piece.bits[0], piece.bits[1], width));
  }
  out.Line(fmt::format("for i in range({}))", piece.count));
  out.Outdent(4);
}

void WriteList(const Piece& piece, Source& out) {
  out.Line(fmt::format("{}struct.pack(\"<{}{}\",", Place(piece), piece.count,
                       BitsFormat(piece.dtype)));
  out.Indent(4);
  for (std::size_t i = 0; i < piece.bits.size(); i += kElementsInALine) {
    const std::size_t n = std::min(kElementsInALine, piece.bits.size() - i);
    out.Comment(Decimals(piece.dtype, piece.bits.data() + i, n), 2);
    std::string line;
    for (std::size_t k = 0; k < n; ++k) {
      line += fmt::format("{}0x{:x}", k == 0 ? "" : ", ", piece.bits[i + k]);
    }
    out.Line(line + (i + n < piece.bits.size() ? "," : ")"));
  }
  out.Outdent(4);
}

void WritePiece(const Piece& piece, Source& out) {
  const char bits = BitsFormat(piece.dtype);
  switch (piece.kind) {
    case Kind::kRun:
      out.Comment(fmt::format("{} x {} {}", piece.count, TikType(piece.dtype),
                              Decimals(piece.dtype, piece.bits.data(), 1)));
      out.Line(fmt::format("{}struct.pack(\"<{}\", 0x{:x}) * {}", Place(piece),
                           bits, piece.bits[0], piece.count));
      return;
    case Kind::kRamp:
      WriteRamp(piece, out);
      return;
    case Kind::kList:
      WriteList(piece, out);
      return;
    case Kind::kFile:
      out.Line(
          fmt::format("with open({}, \"rb\") as file:", Quoted(piece.file)));
      out.Line(fmt::format("    {}file.read({})", Place(piece),
                           piece.count * isa::SizeBytes(piece.dtype)));
      return;
  }
}

}  // namespace

std::string_view TikType(DType dtype) {
  switch (dtype) {
    case DType::kHalf:
      return "float16";
    case DType::kFloat:
      return "float32";
    case DType::kDouble:
      return "float64";
    default:
      return isa::Name(dtype);
  }
}

void WriteFillFunction(const MemoryData& one, Source& out) {
  out.Line(fmt::format("def fill_{}():", MemoryVariable(one.memory)));
  out.Indent(4);
  out.Line(
      fmt::format("data = bytearray([0x{:02x}]) * {}", one.fill, one.size));
  for (const Piece& piece : one.pieces) WritePiece(piece, out);
  out.Line("return data");
  out.Outdent(4);
  out.Blank();
  out.Blank();
}

}  // namespace lanediff::exports
