#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "differential/compare/scratch.h"
#include "differential/targets/target.h"
#include "differential/testcase/case.h"

/// Programs whose tmp tiles meet other operands, for tests. Places are bytes of
/// UB.
namespace lanediff::diff::scratch {

inline constexpr std::int64_t kUbBytes = 8192;

const StepwiseTarget& Oracle();
const StepwiseTarget& Emulator();

/// Rows of 16 halves; `rows` of them multiply. Its tmp has 32·tiles bytes.
std::string Product(std::int64_t tmp, std::int64_t src = 6144,
                    std::int64_t dst = 7168, int rows = 1, int tiles = 16);
std::string Transpose(std::int64_t dst, std::int64_t src, int repeat = 1,
                      int dst_stride = 1, int src_stride = 1);
std::string Operand(std::string_view position, std::int64_t at,
                    std::int64_t bytes, std::string_view dtype = "");
std::string Copy(const std::string& dst, const std::string& src, int blocks = 1,
                 int length = 1, int src_gap = 0, int dst_gap = 0);
std::string CopyUb(std::int64_t dst, std::int64_t src, int blocks = 1,
                   int length = 1, int src_gap = 0, int dst_gap = 0);
/// A call of Min or of `op`, another of its family.
std::string MinOf(std::int64_t dst, std::int64_t src0, std::int64_t src1,
                  const std::string& form, std::string_view op = "Min");
std::string Masked(std::string_view words, int repeat = 1);
std::string Sum(std::int64_t dst, std::int64_t src, int repeat, int elements,
                int src_stride);
/// The same as WholeReduceSum, of the lanes of a bitwise mask.
std::string WholeSum(std::int64_t dst, std::int64_t src, int repeat,
                     std::string_view words, int src_stride);
/// UB begins with 256 different halves, the rest of it is large numbers; `GM`
/// has 4096 bytes.
Case CaseOf(const std::vector<std::string>& steps,
            const std::string& expect = "");
ByteRange Ub(std::int64_t at, std::int64_t bytes);

inline const std::string kBarrier = R"({"op": "PipeBarrier", "pipe": "ALL"})";

}  // namespace lanediff::diff::scratch
