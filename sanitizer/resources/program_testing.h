#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "differential/testcase/case.h"
#include "isa/vocabulary.h"

/// Programs of kernels in short words, for tests.
namespace lanediff::machine::test {

/// The steps of `text`, parted by ";", as a case with 64 KiB of GM and, if
/// `automatic`, synchronization:
///
///   TPipe tpipe=0              a resource and its arguments
///   SetVectorMask 1 2          high, low
///   SetMaskCount, SetMaskNorm, ResetMask
///   SetFlag MTE2_V 0, WaitFlag MTE2_V 0, PipeBarrier V
///   Carried NAME PIPE …        with any of
///     r=src0:GM64+32@1         reads 32 bytes at GM 64 in iteration 1; src, UB
///                              and 0 may be left out
///     w=dst:0+32@1             writes them
///     o=dst:VECIN:0+32         an operand's window; without it the operands'
///                              windows are what they touch, at VECCALC or GM
///     t=dst:half  a=dst:2      an operand's type, its align
///     p=count:16  p=n:1:0:255  a parameter, with what is allowed
Case Program(std::string_view text,
             isa::Product product = isa::Product::kAtlasA2,
             std::optional<bool> automatic = std::nullopt);

/// What lint finds: "3 KRN-QUEUE", "3 rejected KRN-ALIGN KRN-RANGE", "3 note
/// KRN-QUEUE-LEFT"; " x2" behind what is found twice. Hazards, what is
/// rejected, notes.
std::vector<std::string> FoundIn(const Case& c);
std::vector<std::string> Found(std::string_view text,
                               isa::Product product = isa::Product::kAtlasA2,
                               std::optional<bool> automatic = std::nullopt);

}  // namespace lanediff::machine::test
