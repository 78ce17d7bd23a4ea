#include "reports/export/tik.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <optional>
#include <variant>
#include <vector>

#include "isa/memory_map.h"
#include "isa/units.h"
#include "reports/export/about.h"
#include "reports/export/data.h"
#include "reports/export/snippet.h"
#include "reports/export/source.h"
#include "reports/export/tik_data.h"

namespace lanediff::exports {
namespace {

using isa::DType;
using isa::Memory;
using isa::Position;

using isa::kDataBlockBytes;

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

class ProgramWriter {
 public:
  ProgramWriter(const Case& c, const diff::ExpectedResult& expected,
                const std::vector<MemoryData>& data, Source& out)
      : c_(c), expected_(expected), data_(data), out_(out) {
    for (const isa::Step& step : c.program) {
      if (const auto* s = std::get_if<isa::VecTrans>(&step)) {
        dtype_ = s->dtype;
        break;
      }
    }
  }

  void Write() {
    WriteHead(c_, expected_, "TIK", out_);
    out_.Comment("");
    out_.Comment(
        "To run: as it is in TIK's debugger, or take the operator that "
        "BuildCCE makes. TIK places tensors itself; one tensor takes all of UB "
        "and operands start in it at the byte that the case gives. Only UB is "
        "filled.");
    out_.Blank();
    out_.Line("import struct");
    out_.Blank();
    out_.Line("from tbe import tik");
    out_.Blank();
    out_.Blank();
    for (const MemoryData& one : data_) WriteFillFunction(one, out_);
    WriteBuild();
    WriteMain();
  }

 private:
  std::int64_t UbBytes() const {
    const auto ub = std::ranges::find(data_, Memory::kUb, &MemoryData::memory);
    const std::int64_t bytes = ub == data_.end() ? 0 : ub->size;
    return (bytes + kDataBlockBytes - 1) / kDataBlockBytes * kDataBlockBytes;
  }

  void WriteTensor(std::string_view name, std::string_view scope) {
    out_.Line(fmt::format("{} = tik_instance.Tensor(", name));
    out_.Line(fmt::format("    \"{}\", ({},), name=\"{}\", scope=tik.{})",
                          TikType(dtype_), UbBytes() / isa::SizeBytes(dtype_),
                          name, scope));
  }

  void WriteBuild() {
    out_.Line("def build():");
    out_.Indent(4);
    out_.Line("tik_instance = tik.Tik(disable_debug=False)");
    if (UbBytes() > 0) {
      WriteTensor("ub_gm", "scope_gm");
      WriteTensor("result_gm", "scope_gm");
      WriteTensor("ub", "scope_ubuf");
      out_.Line(fmt::format("tik_instance.data_move(ub, ub_gm, 0, 1, {}, 0, 0)",
                            UbBytes() / kDataBlockBytes));
    }
    for (std::size_t i = 0; i < StepsWritten(c_, expected_); ++i) WriteStep(i);
    WriteSkippedSteps(c_, expected_, out_);
    if (UbBytes() > 0) {
      out_.Line(
          fmt::format("tik_instance.data_move(result_gm, ub, 0, 1, {}, 0, 0)",
                      UbBytes() / kDataBlockBytes));
    }
    out_.Line("tik_instance.BuildCCE(");
    out_.Line(fmt::format("    kernel_name=\"{}\",", KernelName(c_)));
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
    out_.Line("import numpy");
    out_.Line(fmt::format("image = fill_ub().ljust({}, b\"\\0\")", UbBytes()));
    out_.Line("result, = build().tikdb.start_debug(");
    out_.Line(
        fmt::format("    feed_dict={{\"ub_gm\": numpy.frombuffer(image, "
                    "dtype=\"{}\")}},",
                    TikType(dtype_)));
    out_.Line("    interactive=False)");
    out_.Line("for i in range(result.size):");
    out_.Line("    print(i * result.itemsize, result[i])");
    out_.Outdent(4);
  }

  void WriteStep(std::size_t index) {
    const isa::Step& step = c_.program[index];
    WriteStepHead(step, index, expected_, out_);
    if (const auto* s = std::get_if<isa::VecTrans>(&step)) {
      WriteOperand("dst", s->dst, s->dtype);
      WriteOperand("src", s->src, s->dtype);
      out_.Line(fmt::format("repeat_times = {}", s->repeat_times));
      out_.Line(fmt::format("dst_rep_stride = {}", s->dst_rep_stride));
      out_.Line(fmt::format("src_rep_stride = {}", s->src_rep_stride));
      out_.Line("tik_instance.vec_trans(");
      out_.Line("    dst, src, repeat_times, dst_rep_stride, src_rep_stride)");
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
    out_.Comment(fmt::format("{}: {}, {} bytes from byte {} on", name,
                             isa::Name(o.position), o.bytes, o.at));
    if (o.position != Position::kUb) {
      WriteForeignOperand(name, o, dtype, scope);
      return;
    }
    if (o.at < 0) out_.Comment("Before UB: TIK has no such index.");
    const std::int64_t size = isa::SizeBytes(dtype);
    if (o.at % size != 0) {
      out_.Comment("Not at a whole element, which TIK may refuse.");
      out_.Line(fmt::format(
          "{} = ub.reinterpret_cast_to(\"uint8\")[{}].reinterpret_cast_to("
          "\"{}\")",
          name, o.at, TikType(dtype)));
    } else if (dtype == dtype_) {
      out_.Line(fmt::format("{} = ub[{}]", name, o.at / size));
    } else {
      out_.Line(fmt::format("{} = ub.reinterpret_cast_to(\"{}\")[{}]", name,
                            TikType(dtype), o.at / size));
    }
  }

  void WriteForeignOperand(std::string_view name, const isa::Operand& o,
                           DType dtype, std::optional<std::string_view> scope) {
    if (!scope) {
      out_.Comment(fmt::format("Does not run: TIK has no scope for {}.",
                               isa::Name(o.position)));
    }
    const std::int64_t size = isa::SizeBytes(dtype);
    const std::int64_t elements = std::max<std::int64_t>(o.at, 0) / size +
                                  std::max<std::int64_t>(o.bytes, 0) / size;
    out_.Line(fmt::format("{}_all = tik_instance.Tensor(", name));
    out_.Line(
        fmt::format("    \"{}\", ({},), name=\"{}_all\", scope=tik.{})",
                    TikType(dtype), elements, name,
                    scope ? std::string(*scope)
                          : fmt::format("scope_{}", isa::Name(o.position))));
    out_.Line(fmt::format("{} = {}_all[{}]", name, name, o.at / size));
  }

  const Case& c_;
  const diff::ExpectedResult& expected_;
  const std::vector<MemoryData>& data_;
  Source& out_;
  DType dtype_ = DType::kHalf;  ///< of the tensor that takes all of UB
};

}  // namespace

std::expected<Snippet, std::string> ExportTik(
    const Case& c, const diff::ExpectedResult& expected,
    std::string_view file_name) {
  return WriteSnippet<ProgramWriter>(c, expected, file_name, "#");
}

}  // namespace lanediff::exports
