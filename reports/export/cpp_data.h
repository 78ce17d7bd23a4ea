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

namespace lanediff::exports {

/// Functions in plain C++ that fill a memory with what it holds before the
/// program, "FillUb(uint8_t* bytes)" for UB, and the helpers that they call.
/// They expect constants "kUbBytes".
void WriteFillFunctions(const std::vector<MemoryData>& data, Source& out);

/// "Ub" of UB, "L1" of L1: how names of one memory end.
std::string MemoryWord(isa::Memory memory);

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
