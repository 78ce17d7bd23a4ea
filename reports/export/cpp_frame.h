#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "differential/compare/expected_result.h"
#include "isa/step.h"
#include "reports/export/data.h"
#include "reports/export/source.h"

/// What kernels in C++ have in common, whatever their API.
namespace lanediff::exports {

/// The #include lines: the standard headers of the fill functions, and
/// `header`, "<x.h>" or "\"x.h\"", of the API.
void WriteIncludes(const std::vector<MemoryData>& data, std::string_view header,
                   Source& out);

/// "constexpr uint32_t kUbBytes = 64;", where `bytes` are those of `one` in
/// whole `units`.
void WriteSize(const MemoryData& one, std::int64_t bytes,
               std::string_view units, Source& out);

/// The line that switches the saturation mode: bit 48 of CTRL is 0 where it is
/// on.
std::string SaturationLine(bool on);

/// Step `index` of a program under its head, in a block of its own that
/// `write` fills.
void WriteStepBlock(const isa::Step& step, std::size_t index,
                    const diff::ExpectedResult& expected, Source& out,
                    const std::function<void()>& write);

}  // namespace lanediff::exports
