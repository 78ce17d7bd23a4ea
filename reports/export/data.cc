#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <span>

#include "differential/compare/expected_result.h"
#include "differential/testcase/element.h"
#include "isa/memory_map.h"
#include "reports/export/snippet.h"

namespace lanediff::exports {
namespace {

/// A run or a ramp is worth a line of its own from so many elements on.
constexpr std::size_t kWorth = 8;
/// Longer lists go to files where the lists are too much for a text.
constexpr std::int64_t kShortListBytes = 1024;

using isa::WidthMask;
using Bits = std::span<const std::uint64_t>;

/// The number that `bits` mean; nothing for what no ramp goes through:
/// infinite, NaN, and −0, which no sum of numbers makes.
std::optional<double> NumberOf(isa::DType dtype, std::uint64_t bits) {
  double value = 0;
  if (dtype == isa::DType::kFloat) {
    value = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
  } else {
    const int exponent = static_cast<int>((bits >> 10) & 31);
    const auto fraction = static_cast<double>(bits & 1023);
    if (exponent == 31) return std::nullopt;
    value = exponent == 0 ? std::ldexp(fraction, -24)
                          : std::ldexp(1024 + fraction, exponent - 25);
    if (bits >> 15 != 0) value = -value;
  }
  if (!std::isfinite(value) || (value == 0 && bits != 0)) return std::nullopt;
  return value;
}

std::size_t RunLength(Bits bits) {
  std::size_t n = 1;
  while (n < bits.size() && bits[n] == bits[0]) ++n;
  return n;
}

/// Of floating types those elements that are from + i · step exactly, so that
/// it does not matter how the sum is rounded.
std::size_t RampLength(isa::DType dtype, Bits bits) {
  if (bits.size() < 2 || (IsFloating(dtype) && !RampsInDoubles(dtype))) {
    return 1;
  }
  std::size_t n = 2;
  if (!RampsInDoubles(dtype)) {
    const std::uint64_t step = bits[1] - bits[0];
    while (n < bits.size() &&
           ((bits[n] - bits[n - 1] - step) & WidthMask(dtype)) == 0) {
      ++n;
    }
    return n;
  }
  const auto from = NumberOf(dtype, bits[0]);
  const auto second = NumberOf(dtype, bits[1]);
  if (!from || !second) return 1;
  while (n < bits.size() &&
         NumberOf(dtype, bits[n]) ==
             *from + (*second - *from) * static_cast<double>(n)) {
    ++n;
  }
  return n;
}

/// The longest piece at the start of `bits`; a list of one if nothing is worth
/// more.
Piece FirstPiece(isa::DType dtype, Bits bits) {
  const std::size_t run = RunLength(bits);
  const std::size_t ramp = run >= kWorth ? 0 : RampLength(dtype, bits);
  Piece piece{.dtype = dtype, .count = 1, .bits = {bits[0]}};
  if (run >= kWorth) {
    piece.kind = Piece::Kind::kRun;
    piece.count = static_cast<std::int64_t>(run);
  } else if (ramp >= kWorth) {
    piece.kind = Piece::Kind::kRamp;
    piece.count = static_cast<std::int64_t>(ramp);
    if (RampsInDoubles(dtype)) {
      piece.bits.clear();
      piece.from = *NumberOf(dtype, bits[0]);
      piece.step = *NumberOf(dtype, bits[1]) - piece.from;
    } else {
      piece.bits.push_back((bits[1] - bits[0]) & WidthMask(dtype));
    }
  }
  return piece;
}

void AddPieces(const Region& region, std::vector<Piece>& pieces) {
  isa::DType dtype = region.dtype.value_or(isa::DType::kUint8);
  const auto bytes = std::span(region.bytes);
  if (bytes.size() % static_cast<std::size_t>(isa::SizeBytes(dtype)) != 0) {
    dtype = isa::DType::kUint8;
  }
  const auto size = static_cast<std::size_t>(isa::SizeBytes(dtype));
  std::vector<std::uint64_t> bits(bytes.size() / size);
  for (std::size_t i = 0; i < bits.size(); ++i) {
    bits[i] = LoadElement(dtype, bytes.subspan(i * size));
  }
  const std::size_t before = pieces.size();
  for (std::size_t i = 0; i < bits.size();) {
    Piece piece = FirstPiece(dtype, Bits(bits).subspan(i));
    const auto count = static_cast<std::size_t>(piece.count);
    if (piece.kind == Piece::Kind::kList && pieces.size() > before &&
        pieces.back().kind == Piece::Kind::kList) {
      pieces.back().bits.push_back(piece.bits[0]);
      pieces.back().count += 1;
    } else {
      piece.at = region.at + static_cast<std::int64_t>(i * size);
      pieces.push_back(std::move(piece));
    }
    i += count;
  }
}

std::int64_t ListedBytes(const Piece& piece) {
  return piece.kind == Piece::Kind::kList ? piece.bytes() : 0;
}

void MoveToFile(Piece& piece, isa::Memory memory, std::string_view file_name,
                std::vector<DataFile>& files) {
  DataFile file{
      fmt::format("{}.{}.{}.bin", file_name, isa::Name(memory), piece.at), {}};
  for (const std::uint64_t bits : piece.bits) {
    AppendElement(piece.dtype, bits, file.bytes);
  }
  piece.kind = Piece::Kind::kFile;
  piece.file = file.name;
  piece.bits.clear();
  files.push_back(std::move(file));
}

}  // namespace

std::string MemoryVariable(isa::Memory memory) {
  std::string name(isa::Name(memory));
  std::ranges::transform(name, name.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return name;
}

bool RampsInDoubles(isa::DType dtype) {
  return dtype == isa::DType::kHalf || dtype == isa::DType::kFloat;
}

std::expected<std::vector<MemoryData>, std::string> DataOf(
    const Case& given, std::string_view file_name,
    std::vector<DataFile>& files) {
  const Case c = diff::Listed(given);
  std::vector<MemoryData> data;
  const auto exists = MemoriesOf(c);
  std::int64_t listed = 0;
  for (std::size_t m = 0; m < exists.size(); ++m) {
    if (!exists[m]) continue;
    const auto memory = static_cast<isa::Memory>(m);
    MemoryData one;
    one.memory = memory;
    one.size = SizeOf(c, memory);
    if (c.memory[m]) {
      one.fill = c.memory[m]->fill;
      for (const Region& region : c.memory[m]->regions) {
        AddPieces(region, one.pieces);
      }
    }
    for (const Piece& piece : one.pieces) listed += ListedBytes(piece);
    data.push_back(std::move(one));
  }
  if (listed <= kMostListedBytes) return data;
  for (MemoryData& one : data) {
    for (Piece& piece : one.pieces) {
      if (ListedBytes(piece) <= kShortListBytes) continue;
      if (file_name.empty()) {
        return std::unexpected(fmt::format(
            "its memory has {} bytes that are neither run nor ramp, and a "
            "snippet takes {}; with -o FILE they go to files beside it",
            listed, kMostListedBytes));
      }
      MoveToFile(piece, one.memory, file_name, files);
    }
  }
  return data;
}

void WriteSummary(const Piece& piece, std::string_view type, Source& out) {
  switch (piece.kind) {
    case Piece::Kind::kRun:
      out.Comment("{} x {} {}", piece.count, type,
                  ElementToText(piece.dtype, piece.bits[0]).text);
      return;
    case Piece::Kind::kRamp:
      out.Comment("{} {} in equal steps", piece.count, type);
      return;
    default:
      out.Comment("{} {}", piece.count, type);
  }
}

void WriteElements(const Piece& piece,
                   const std::function<std::string(std::uint64_t)>& show,
                   std::string_view last, Source& out) {
  constexpr std::size_t kInALine = 8;
  out.Indent(4);
  for (std::size_t i = 0; i < piece.bits.size(); i += kInALine) {
    const Bits all(piece.bits);
    const Bits line = all.subspan(i, std::min(kInALine, all.size() - i));
    std::string decimals;
    std::string code;
    for (const std::uint64_t& bits : line) {
      decimals += decimals.empty() ? "" : ", ";
      decimals += ElementToText(piece.dtype, bits).text;
      code += (code.empty() ? "" : ", ") + show(bits);
    }
    out.HangingComment(decimals, 2);
    out.Line(code.append(i + kInALine < all.size() ? "," : last));
  }
  out.Outdent(4);
}

}  // namespace lanediff::exports
