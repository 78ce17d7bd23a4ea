#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/export/data.h"
#include "reports/export/source.h"

namespace lanediff::exports {

/// The #include lines of the standard headers that the fill functions need.
void WriteStandardIncludes(const std::vector<MemoryData>& data, Source& out);

/// Functions in plain C++ that fill a memory with what it holds before the
/// program, "FillUb(uint8_t* bytes)" for UB, and the helpers that they call.
/// They expect constants "kUbBytes".
void WriteFillFunctions(const std::vector<MemoryData>& data, Source& out);

/// "Ub" of UB, "L1" of L1: how names of one memory end.
std::string MemoryWord(isa::Memory memory);

}  // namespace lanediff::exports
