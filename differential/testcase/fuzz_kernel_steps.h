#pragma once

#include <string>
#include <string_view>

#include "differential/testcase/fuzz_bytes.h"
#include "isa/step.h"

/// Unaudited calls and resources in a fuzzer's input (docs/case-format.md). Any
/// bytes are a step that a case may have.
namespace lanediff {

void DecodePart(ByteReader& in, std::string& name);
void DecodePart(ByteReader& in, isa::Arguments& parameters);
void DecodePart(ByteReader& in, isa::CarriedMask& mask);
void DecodePart(ByteReader& in, isa::CarriedOperands& operands);
void DecodePart(ByteReader& in, isa::CarriedReads& reads);
void DecodePart(ByteReader& in, isa::CarriedWrites& writes);
void DecodePart(ByteReader& in, isa::Resource& resource);

void EncodePart(const std::string& name, ByteWriter& out);
void EncodePart(const isa::Arguments& parameters, ByteWriter& out);
void EncodePart(const isa::CarriedMask& mask, ByteWriter& out);
void EncodePart(const isa::CarriedOperands& operands, ByteWriter& out);
void EncodePart(const isa::CarriedReads& reads, ByteWriter& out);
void EncodePart(const isa::CarriedWrites& writes, ByteWriter& out);
void EncodePart(const isa::Resource& resource, ByteWriter& out);

/// What of the step has no encoding, in a few words; empty if all has.
std::string_view BeyondFuzzInputs(const isa::Step& step);

}  // namespace lanediff
