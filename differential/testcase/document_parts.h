#pragma once

#include <cstdint>
#include <vector>

#include "differential/testcase/case.h"
#include "differential/testcase/json_cursor.h"
#include "isa/rule.h"

/// What case documents and outcome documents have in common. For readers only:
/// what does not fit is thrown as a `CaseError` that names its place.
namespace lanediff {

/// Bytes in pairs of hex digits.
std::vector<std::uint8_t> ReadHex(const Cursor& place);

/// What a memory of `size` bytes begins with, in ascending order; regions may
/// neither leave it nor overlap. Of a memory of more than `kMaxWholeBytes` long
/// runs and ramps are kept as series once `kMaxListedBytes` are listed.
std::vector<Region> ReadRegions(const Cursor& place, std::int64_t size);

/// One element of `type`: a number, or a string where no number expresses it.
std::uint64_t ReadElement(const Cursor& place, isa::DType type);

/// The id of a rule of the catalogue.
isa::RuleId ReadRule(const Cursor& place);

/// Ids of the rule catalogue, sorted, each once.
std::vector<isa::RuleId> ReadRules(const Cursor& place);

/// Appends a step to `c` and, in the format of kernels, where it was called.
void ReadStep(const Cursor& place, bool of_kernel, Case& c);

/// Regions by the names of their memories, which `c` must have; all are listed,
/// at most `kMaxChangedBytes`.
RegionsByMemory ReadChangedMemory(const Cursor& place, const Case& c);

}  // namespace lanediff
