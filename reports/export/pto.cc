#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <variant>
#include <vector>

#include "isa/memory_map.h"
#include "reports/export/snippet.h"

namespace lanediff::exports {
namespace {

using isa::Position;

constexpr ParameterType kInt{"int", INT32_MIN, INT32_MAX, 32};

/// Bytes of a row of the tile that takes all of UB.
constexpr std::int64_t kRowBytes = 4096;

/// The TileType of a memory that `position` names; none where PTO has no word.
std::optional<std::string_view> TileType(Position position) {
  switch (position) {
    case Position::kUb:
      return "Vec";
    case Position::kA1:
    case Position::kB1:
    case Position::kTscm:
    case Position::kC1:
      return "Mat";
    case Position::kC2:
      return "Bias";
    case Position::kC2pipe2gm:
      return "Scaling";
    default:
      return std::nullopt;
  }
}

class PtoWriter : public CppWriter {
 public:
  void Write() {
    WriteHead("PTO");
    out_.Comment("  the bytes of a tmp tile are not compared");
    out_.Comment("");
    out_.Comment(
        "To run: fill a buffer with FillUb on the host, copy it to the device, "
        "launch the kernel on one core in manual mode, copy it back and "
        "compare. TASSIGN puts each tile at the byte of UB that the case "
        "gives. Only UB is filled.");
    out_.Blank();
    WriteIncludes("<pto/pto-inst.hpp>");
    WriteSizes();
    WriteFillFunctions();
    WriteKernel();
  }

 private:
  std::int64_t UbBytes() const { return BytesOf(isa::Memory::kUb); }

  void WriteSizes() {
    for (const MemoryData& one : data_) {
      std::int64_t bytes = one.size;
      if (one.memory == isa::Memory::kUb) {
        const std::int64_t row = one.size > kRowBytes ? kRowBytes : 32;
        bytes = (one.size + row - 1) / row * row;
      }
      WriteSize(one, bytes, "rows");
    }
    if (UbBytes() > 0) {
      out_.Comment("UB as one tile of bytes.");
      out_.Line(
          "constexpr int kUbRows = {};",
          std::max<std::int64_t>(1, (UbBytes() + kRowBytes - 1) / kRowBytes));
      out_.Line("constexpr int kUbCols = kUbBytes / kUbRows;");
    }
    out_.Blank();
  }

  void WriteKernel() {
    out_.Line("extern \"C\" __global__ AICORE void {}(", KernelName(c_));
    out_.Line("    __gm__ uint8_t* ub) {");
    out_.Indent(2);
    out_.Line("using namespace pto;");
    if (UbBytes() > 0) WriteLoad();
    out_.Comment(
        "Saturation mode on, mask register all ones: what the case starts "
        "from. PTO has no call; bit 48 of CTRL is 0 where half arithmetic "
        "saturates.");
    out_.Line(SaturationLine(true));
    out_.Line("set_mask_norm();");
    out_.Line("set_vector_mask(UINT64_MAX, UINT64_MAX);");
    out_.Blank();
    WriteSteps([&](std::size_t i) {
      WriteBlock(i, [&] { WriteStep(c_.program[i]); });
    });
    if (UbBytes() > 0) {
      out_.Blank();
      out_.Line("pipe_barrier(PIPE_ALL);");
      out_.Line("TSTORE(ubImage, ubAll);");
    } else {
      out_.Line("(void)ub;");
    }
    out_.Outdent(2);
    out_.Line("}");
  }

  void WriteLoad() {
    out_.Lines(R"(using UbShape = Shape<1, 1, 1, kUbRows, kUbCols>;
using UbStride = pto::Stride<kUbBytes, kUbBytes, kUbBytes, kUbCols, 1>;
GlobalTensor<uint8_t, UbShape, UbStride> ubImage(ub);
Tile<TileType::Vec, uint8_t, kUbRows, kUbCols, BLayout::RowMajor, kUbRows, kUbCols> ubAll;
TASSIGN(ubAll, 0);
TLOAD(ubAll, ubImage);
pipe_barrier(PIPE_ALL);
)");
  }

  void WriteStep(const isa::Step& step) {
    if (const auto* product = std::get_if<isa::Call>(&step)) {
      WriteProduct(*product);
    } else if (const auto* mask = std::get_if<isa::SetVectorMask>(&step)) {
      out_.Line("set_vector_mask({}, {});", HexWord(mask->high),
                HexWord(mask->low));
    } else if (const auto* mode = std::get_if<isa::SetSaturation>(&step)) {
      out_.Line(SaturationLine(mode->enabled));
    } else if (const auto* barrier = std::get_if<isa::PipeBarrier>(&step)) {
      out_.Line("pipe_barrier(PIPE_{});", isa::Name(barrier->pipe));
    } else {
      out_.Comment("PTO has no call of its own for {}.", isa::OpName(step));
    }
  }

  void WriteProduct(const isa::Call& s) {
    if (s.order) {
      out_.Comment("The expected result is that of the order \"{}\".",
                   isa::Name(*s.order));
    }
    const auto tiles = s.signature->tiles;
    std::string given;
    for (std::size_t i = 0; i < tiles.size(); ++i) {
      WriteTile(tiles[i].name, s.tiles[i], s.dtype);
      given += fmt::format("{}{}", i == 0 ? "" : ", ", tiles[i].name);
    }
    out_.Line("{}({});", s.signature->op, given);
    out_.Line("pipe_barrier(PIPE_V);");
  }

  /// Whether the valid size can stand in the type; else it is given when the
  /// tile is made, since the type takes -1 for "not known yet".
  static bool StaticValid(const isa::Tile& t) {
    return t.valid_row >= 1 && t.valid_row <= t.rows && t.valid_col >= 1 &&
           t.valid_col <= t.cols;
  }

  void WriteTile(std::string_view name, const isa::Tile& t,
                 isa::DType step_dtype) {
    std::string type_name = std::string(name) + "T";  // "DstT"
    type_name[0] = static_cast<char>(type_name[0] - 'a' + 'A');
    const auto type = TileType(t.position);
    if (!type) {
      out_.Comment("Does not compile: PTO has no tile at {}.",
                   isa::Name(t.position));
    }
    const bool fixed = StaticValid(t);
    const std::string rows = out_.Value(t.rows, kInt);
    const std::string cols = out_.Value(t.cols, kInt);
    const std::string valid_row = out_.Value(t.valid_row, kInt);
    const std::string valid_col = out_.Value(t.valid_col, kInt);
    out_.Line("using {} = Tile<TileType::{}, {}, {}, {},", type_name,
              type.value_or(isa::Name(t.position)),
              CppType(t.dtype.value_or(step_dtype)), rows, cols);
    out_.Line("    BLayout::{}, {}, {}>;",
              t.layout == isa::Layout::kNd ? "RowMajor" : "ColMajor",
              fixed ? valid_row : "DYNAMIC", fixed ? valid_col : "DYNAMIC");
    out_.Line(fixed ? fmt::format("{} {};", type_name, name)
                    : fmt::format("{} {}({}, {});", type_name, name, valid_row,
                                  valid_col));
    const std::string at = out_.Value(t.at, kUint32);
    out_.Line("TASSIGN({}, {});", name, at);
  }
};

}  // namespace

void WritePto(const SnippetWriter& writer) { PtoWriter{{writer}}.Write(); }

}  // namespace lanediff::exports
