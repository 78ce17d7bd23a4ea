#pragma once

#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "differential/compare/expected_result.h"
#include "differential/testcase/case.h"
#include "isa/operand.h"
#include "reports/export/export.h"
#include "reports/export/source.h"

namespace lanediff::exports {

/// How an operand gets to an exact byte address. Documents of the constructor
/// LocalTensor(position, address, elements) leave out the training and the
/// 200I/500 A2 products; there a TBuf over the whole memory is cut at the byte.
bool HasStaticTensors(isa::Product product);

/// Whether the saturation mode can be switched off.
bool HasSaturationModes(isa::Product product);

/// "half", "bfloat16_t", "int32_t".
std::string_view CppType(isa::DType dtype);

/// Declares `name` as the tensor that `operand` describes.
void DeclareTensor(const Case& c, std::string_view name,
                   const isa::Operand& operand, isa::DType step_dtype,
                   Source& out);

/// The pipe that executes `step`, of Ascend C; none for steps without one, and
/// for copies along no documented route.
std::optional<isa::Pipe> PipeOf(const isa::Step& step, isa::Product product);

/// Step `index` of `c` as a call, in a block of its own.
void WriteAscendcStep(const Case& c, std::size_t index,
                      const diff::ExpectedResult& expected, Source& out);

}  // namespace lanediff::exports
