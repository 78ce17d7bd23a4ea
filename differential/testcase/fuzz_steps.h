#pragma once

#include <cstddef>
#include <string_view>

#include "differential/testcase/fuzz_bytes.h"
#include "isa/step.h"

/// The steps of a fuzzer's input (docs/case-format.md).
namespace lanediff {

/// Any bytes are a step that a case may have. `count`: how many kinds of steps
/// the version has.
isa::Step DecodeStep(ByteReader& in, std::size_t count);

/// The inverse of decoding; `BeyondFuzzInputs(step)` is empty.
void EncodeStep(const isa::Step& step, ByteWriter& out);

/// What of the step has no encoding, in a few words; empty if all has.
std::string_view BeyondFuzzInputs(const isa::Step& step);

}  // namespace lanediff
