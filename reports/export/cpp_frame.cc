#include "reports/export/cpp_frame.h"

#include <fmt/format.h>

#include "reports/export/about.h"
#include "reports/export/cpp_data.h"

namespace lanediff::exports {

void WriteIncludes(const std::vector<MemoryData>& data, std::string_view header,
                   Source& out) {
  WriteStandardIncludes(data, out);
  out.Blank();
  out.Line(fmt::format("#include {}", header));
  out.Blank();
}

void WriteSize(const MemoryData& one, std::int64_t bytes,
               std::string_view units, Source& out) {
  if (bytes != one.size) {
    out.Comment(fmt::format("{} bytes, in whole {}", one.size, units));
  }
  out.Line(fmt::format("constexpr uint32_t k{}Bytes = {};",
                       MemoryWord(one.memory), bytes));
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
