#pragma once

#include <string_view>

#include "isa/vocabulary.h"
#include "reports/export/data.h"
#include "reports/export/source.h"

namespace lanediff::exports {

/// TIK's name of a type: "float16" of half.
std::string_view TikType(isa::DType dtype);

/// A function "fill_ub()" in plain Python that returns what UB holds before the
/// program, as a bytearray. It needs the module struct.
void WriteFillFunction(const MemoryData& one, Source& out);

}  // namespace lanediff::exports
