#pragma once

#include <span>
#include <string_view>

#include "differential/testcase/fuzz_bytes.h"
#include "isa/step.h"

/// The steps of a fuzzer's input (docs/case-format.md).
namespace lanediff {

/// Any bytes are a step that a case may have. `kinds`: those that the version
/// has, by their numbers.
isa::Step DecodeStep(ByteReader& in, std::span<const isa::Step> kinds);

/// The inverse of decoding; `BeyondFuzzInputs(step)` is empty.
void EncodeStep(const isa::Step& step, ByteWriter& out);

/// What of the step has no encoding, in a few words; empty if all has.
std::string_view BeyondFuzzInputs(const isa::Step& step);

}  // namespace lanediff
