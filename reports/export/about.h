#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "differential/compare/expected_result.h"
#include "differential/testcase/case.h"
#include "isa/step.h"
#include "reports/export/source.h"

/// Comments of every snippet, whatever its API.
namespace lanediff::exports {

/// The top of a snippet: which case it is, its note and who found it, and what
/// must come out.
void WriteHead(const Case& c, const diff::ExpectedResult& expected,
               std::string_view api, Source& out);

/// The comment over step `index`: its number and intrinsic and, if this is the
/// step that is rejected, the rules that it breaks with their sections.
void WriteStepHead(const isa::Step& step, std::size_t index,
                   const diff::ExpectedResult& expected, Source& out);

/// How many steps are written: those up to the first rejected one. A comment
/// names the others.
void WriteSkippedSteps(const Case& c, const diff::ExpectedResult& expected,
                       Source& out);
std::size_t StepsWritten(const Case& c, const diff::ExpectedResult& expected);

/// A name for the kernel, made of the case's id.
std::string KernelName(const Case& c);

/// sizeof of the type of elements of `dtype` as a number of bits in C++'s name:
/// "uint16_t".
std::string BitsType(isa::DType dtype);

}  // namespace lanediff::exports
