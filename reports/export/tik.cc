#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "isa/memory_map.h"
#include "isa/units.h"
#include "reports/export/snippet.h"

namespace lanediff::exports {
namespace {

using isa::DType;
using isa::Memory;
using isa::Position;

using isa::kDataBlockBytes;

using Kind = Piece::Kind;

/// TIK's name of a type: "float16" of half.
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

/// The character of Python's struct module for the bits of an element.
char BitsFormat(DType dtype) {
  const auto bytes = static_cast<std::uint64_t>(isa::SizeBytes(dtype));
  return "BHIQ"[std::countr_zero(bytes)];
}

/// The same for the values of a ramp that is counted in doubles.
char ValueFormat(DType dtype) { return dtype == DType::kHalf ? 'e' : 'f'; }

/// "data[at:end] = ", the place of a piece.
std::string Place(const Piece& piece) {
  return fmt::format("data[{}:{}] = ", piece.at, piece.at + piece.bytes());
}

void WriteRamp(const Piece& piece, Source& out) {
  WriteSummary(piece, TikType(piece.dtype), out);
  out.Line(Place(piece) + "b\"\".join(");
  out.Indent(4);
  if (RampsInDoubles(piece.dtype)) {
    out.Line("struct.pack(\"<{}\", {:.17g} + {:.17g} * i)",
             ValueFormat(piece.dtype), piece.from, piece.step);
  } else {
    const int width = static_cast<int>(8 * isa::SizeBytes(piece.dtype));
    out.Line("struct.pack(\"<{}\", (0x{:x} + 0x{:x} * i) % (1 << {}))",
             BitsFormat(piece.dtype), piece.bits[0], piece.bits[1], width);
  }
  out.Line("for i in range({}))", piece.count);
  out.Outdent(4);
}

void WriteList(const Piece& piece, Source& out) {
  out.Line("{}struct.pack(\"<{}{}\",", Place(piece), piece.count,
           BitsFormat(piece.dtype));
  WriteElements(
      piece, [](auto bits) { return fmt::format("0x{:x}", bits); }, ")", out);
}

void WritePiece(const Piece& piece, Source& out) {
  const char bits = BitsFormat(piece.dtype);
  switch (piece.kind) {
    case Kind::kRun:
      WriteSummary(piece, TikType(piece.dtype), out);
      out.Line("{}struct.pack(\"<{}\", 0x{:x}) * {}", Place(piece), bits,
               piece.bits[0], piece.count);
      return;
    case Kind::kRamp:
      WriteRamp(piece, out);
      return;
    case Kind::kList:
      WriteList(piece, out);
      return;
    case Kind::kFile:
      out.Line("with open({}, \"rb\") as file:", Quoted(piece.file));
      out.Line("    {}file.read({})", Place(piece), piece.bytes());
      return;
  }
}

/// A function "fill_ub()" in plain Python that returns what UB holds before the
/// program, as a bytearray. It needs the module struct.
void WriteFillFunction(const MemoryData& one, Source& out) {
  out.Line("def fill_{}():", MemoryVariable(one.memory));
  out.Indent(4);
  out.Line("data = bytearray([0x{:02x}]) * {}", one.fill, one.size);
  for (const Piece& piece : one.pieces) WritePiece(piece, out);
  out.Line("return data");
  out.Outdent(4);
  out.Blank();
  out.Blank();
}

/// The scope that a position names; none where TIK has no word. VECIN and its
/// like are not TIK's, although they lie in the Unified Buffer.
std::optional<std::string_view> ScopeOf(Position position) {
  switch (position) {
    case Position::kUb:
      return "scope_ubuf";
    case Position::kGm:
      return "scope_gm";
    case Position::kA1:
    case Position::kB1:
    case Position::kTscm:
      return "scope_cbuf";
    default:
      return std::nullopt;
  }
}

class TikWriter : SnippetWriter {
 public:
  explicit TikWriter(const SnippetWriter& base) : SnippetWriter(base) {
    for (const isa::Step& step : c_.program) {
      if (const auto* s = std::get_if<isa::Call>(&step)) {
        dtype_ = s->dtype;
        break;
      }
    }
  }

  void Write() {
    WriteHead("TIK");
    out_.Comment("");
    out_.Comment(
        "To run: as it is in TIK's debugger, or take the operator that "
        "BuildCCE makes. TIK places tensors itself; one tensor takes all of UB "
        "and operands start in it at the byte that the case gives. Only UB is "
        "filled.");
    out_.Blank();
    out_.Lines("import struct\n\nfrom tbe import tik\n\n");
    for (const MemoryData& one : data_) WriteFillFunction(one, out_);
    WriteBuild();
    WriteMain();
  }

 private:
  std::int64_t UbBytes() const {
    return (BytesOf(Memory::kUb) + kDataBlockBytes - 1) / kDataBlockBytes *
           kDataBlockBytes;
  }

  void WriteTensor(std::string_view name, std::string_view scope) {
    out_.Line("{} = tik_instance.Tensor(", name);
    out_.Line("    \"{}\", ({},), name=\"{}\", scope=tik.{})", TikType(dtype_),
              UbBytes() / isa::SizeBytes(dtype_), name, scope);
  }

  void WriteBuild() {
    out_.Line("def build():");
    out_.Indent(4);
    out_.Line("tik_instance = tik.Tik(disable_debug=False)");
    if (UbBytes() > 0) {
      WriteTensor("ub_gm", "scope_gm");
      WriteTensor("result_gm", "scope_gm");
      WriteTensor("ub", "scope_ubuf");
      out_.Line("tik_instance.data_move(ub, ub_gm, 0, 1, {}, 0, 0)",
                UbBytes() / kDataBlockBytes);
    }
    WriteSteps([&](std::size_t i) { WriteStep(i); });
    if (UbBytes() > 0) {
      out_.Line("tik_instance.data_move(result_gm, ub, 0, 1, {}, 0, 0)",
                UbBytes() / kDataBlockBytes);
    }
    out_.Line("tik_instance.BuildCCE(");
    out_.Line("    kernel_name=\"{}\",", KernelName(c_));
    out_.Line(UbBytes() > 0 ? "    inputs=[ub_gm], outputs=[result_gm])"
                            : "    inputs=[], outputs=[])");
    out_.Line("return tik_instance");
    out_.Outdent(4);
    out_.Blank();
    out_.Blank();
  }

  void WriteMain() {
    out_.Line("if __name__ == \"__main__\":");
    out_.Indent(4);
    if (UbBytes() == 0) {
      out_.Line("build()");
      out_.Outdent(4);
      return;
    }
    out_.Lines(fmt::format(R"(import numpy
image = fill_ub().ljust({}, b"\0")
result, = build().tikdb.start_debug(
    feed_dict={{"ub_gm": numpy.frombuffer(image, dtype="{}")}},
    interactive=False)
for i in range(result.size):
    print(i * result.itemsize, result[i]))",
                           UbBytes(), TikType(dtype_)));
    out_.Outdent(4);
  }

  void WriteStep(std::size_t index) {
    const isa::Step& step = c_.program[index];
    WriteStepHead(index);
    if (const auto* s = std::get_if<isa::Call>(&step)) {
      const isa::Signature& row = *s->signature;
      std::vector<std::string_view> given;
      for (std::size_t k = 0; k < row.operands.size(); ++k) {
        given.push_back(row.operands[k].name);
        WriteOperand(given.back(), s->operands[k], s->dtype);
      }
      for (const isa::ParamSpec& spec : row.params) {
        given.push_back(spec.name);
        out_.Line("{} = {}", spec.name, (*s)[spec.param]);
      }
      out_.Line("tik_instance.{}(", row.op);
      out_.Line("    {})", fmt::join(given, ", "));
    } else if (std::holds_alternative<isa::PipeBarrier>(step)) {
      out_.Comment("TIK orders calls itself; there is nothing to call.");
    } else {
      out_.Comment(
          "TIK has no call for it; vec_trans reads neither the mask register "
          "nor the saturation mode.");
    }
  }

  void WriteOperand(std::string_view name, const isa::Operand& o,
                    DType step_dtype) {
    const DType dtype = o.dtype.value_or(step_dtype);
    const auto scope = ScopeOf(o.position);
    out_.Comment("{}: {}, {} bytes from byte {} on", name,
                 isa::Name(o.position), o.bytes, o.at);
    if (o.position != Position::kUb) {
      WriteForeignOperand(name, o, dtype, scope);
      return;
    }
    if (o.at < 0) out_.Comment("Before UB: TIK has no such index.");
    const std::int64_t size = isa::SizeBytes(dtype);
    if (o.at % size != 0) {
      out_.Comment("Not at a whole element, which TIK may refuse.");
      out_.Line(
          "{} = "
          "ub.reinterpret_cast_to(\"uint8\")[{}].reinterpret_cast_to(\"{}\")",
          name, o.at, TikType(dtype));
    } else if (dtype == dtype_) {
      out_.Line("{} = ub[{}]", name, o.at / size);
    } else {
      out_.Line("{} = ub.reinterpret_cast_to(\"{}\")[{}]", name, TikType(dtype),
                o.at / size);
    }
  }

  void WriteForeignOperand(std::string_view name, const isa::Operand& o,
                           DType dtype, std::optional<std::string_view> scope) {
    if (!scope) {
      out_.Comment("Does not run: TIK has no scope for {}.",
                   isa::Name(o.position));
    }
    const std::int64_t size = isa::SizeBytes(dtype);
    const std::int64_t elements = std::max<std::int64_t>(o.at, 0) / size +
                                  std::max<std::int64_t>(o.bytes, 0) / size;
    out_.Line("{}_all = tik_instance.Tensor(", name);
    out_.Line("    \"{}\", ({},), name=\"{}_all\", scope=tik.{})",
              TikType(dtype), elements, name,
              scope ? std::string(*scope)
                    : fmt::format("scope_{}", isa::Name(o.position)));
    out_.Line("{} = {}_all[{}]", name, name, o.at / size);
  }

  DType dtype_ = DType::kHalf;  ///< of the tensor that takes all of UB
};

}  // namespace

void WriteTik(const SnippetWriter& writer) { TikWriter(writer).Write(); }

}  // namespace lanediff::exports
