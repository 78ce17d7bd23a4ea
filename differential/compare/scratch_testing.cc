#include "differential/compare/scratch_testing.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "differential/targets/find_target.h"
#include "differential/testcase/case_reader.h"

namespace lanediff::diff::scratch {

const StepwiseTarget& Oracle() { return **FindStepwiseTarget("oracle"); }
const StepwiseTarget& Emulator() { return **FindStepwiseTarget("emulator"); }

std::string Product(std::int64_t tmp, std::int64_t src, std::int64_t dst,
                    int rows, int tiles) {
  return fmt::format(
      R"({{"op": "TROWPROD", "dtype": "half",
      "dst": {{"position": "UB", "at": {}, "rows": 16, "cols": 1,
               "validRow": {}, "validCol": 1, "layout": "DN"}},
      "src": {{"position": "UB", "at": {}, "rows": {}, "cols": 16,
               "validRow": {}, "validCol": 16, "layout": "ND"}},
      "tmp": {{"position": "UB", "at": {}, "rows": {}, "cols": 16,
               "validRow": 1, "validCol": 16, "layout": "ND"}}}})",
      dst, rows, src, tiles, rows, tmp, tiles);
}

std::string Transpose(std::int64_t dst, std::int64_t src, int repeat,
                      int dst_stride, int src_stride) {
  return fmt::format(
      R"({{"op": "vec_trans", "dtype": "half",
      "dst": {{"position": "UB", "at": {}, "bytes": {}}},
      "src": {{"position": "UB", "at": {}, "bytes": {}}},
      "repeat_times": {}, "dst_rep_stride": {}, "src_rep_stride": {}}})",
      dst, kUbBytes - dst, src, kUbBytes - src, repeat, dst_stride, src_stride);
}

std::string Operand(std::string_view position, std::int64_t at,
                    std::int64_t bytes, std::string_view dtype) {
  return fmt::format(
      R"({{"position": "{}", "at": {}, "bytes": {}{}}})", position, at, bytes,
      dtype.empty() ? "" : fmt::format(R"(, "dtype": "{}")", dtype));
}

std::string Copy(const std::string& dst, const std::string& src, int blocks,
                 int length, int src_gap, int dst_gap) {
  return fmt::format(
      R"({{"op": "DataCopy", "dtype": "half", "dst": {}, "src": {},
      "params": {{"blockCount": {}, "blockLen": {}, "srcGap": {},
                  "dstGap": {}}}}})",
      dst, src, blocks, length, src_gap, dst_gap);
}

std::string CopyUb(std::int64_t dst, std::int64_t src, int blocks, int length,
                   int src_gap, int dst_gap) {
  return Copy(Operand("VECCALC", dst, kUbBytes - dst),
              Operand("VECIN", src, kUbBytes - src), blocks, length, src_gap,
              dst_gap);
}

std::string MinOf(std::int64_t dst, std::int64_t src0, std::int64_t src1,
                  const std::string& form, std::string_view op) {
  return fmt::format(
      R"({{"op": "{}", "dtype": "half", "dst": {}, "src0": {}, "src1": {},
      {}}})",
      op, Operand("VECOUT", dst, kUbBytes - dst),
      Operand("VECIN", src0, kUbBytes - src0),
      Operand("VECIN", src1, kUbBytes - src1), form);
}

std::string Masked(std::string_view words, int repeat) {
  return fmt::format(
      R"("mask": {}, "repeatTimes": {}, "repeatParams": {{"dstBlkStride": 1,
      "src0BlkStride": 1, "src1BlkStride": 1, "dstRepStride": 8,
      "src0RepStride": 8, "src1RepStride": 8}})",
      words, repeat);
}

std::string Sum(std::int64_t dst, std::int64_t src, int repeat, int elements,
                int src_stride) {
  return fmt::format(
      R"({{"op": "RepeatReduceSum", "dtype": "half", "dst": {}, "src": {},
      "repeat": {}, "elemsInOneRepeat": {}, "dstBlkStride": 0,
      "srcBlkStride": 1, "dstRepStride": 1, "srcRepStride": {}}})",
      Operand("VECOUT", dst, kUbBytes - dst),
      Operand("VECIN", src, kUbBytes - src), repeat, elements, src_stride);
}

std::string WholeSum(std::int64_t dst, std::int64_t src, int repeat,
                     std::string_view words, int src_stride) {
  return fmt::format(
      R"({{"op": "WholeReduceSum", "dtype": "half", "dst": {}, "src": {},
      "mask": {}, "repeatTimes": {}, "dstRepStride": 1, "srcBlkStride": 1,
      "srcRepStride": {}}})",
      Operand("VECOUT", dst, kUbBytes - dst),
      Operand("VECIN", src, kUbBytes - src), words, repeat, src_stride);
}

Case CaseOf(const std::vector<std::string>& steps, const std::string& expect) {
  std::string text = fmt::format(
      R"({{"format": "lanediff-case/1", "id": "t", "product": "atlas-a2",
      "memory": {{"GM": {{"size": 4096}}, "UB": {{"fill": "7b", "size": {},
        "regions": [{{"at": 0, "dtype": "half",
          "values": [{{"from": 1, "step": 1, "count": 256}}]}}]}}}},
      "program": [)",
      kUbBytes);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    text += (i > 0 ? "," : "") + steps[i];
  }
  text += "]";
  if (!expect.empty()) text += ", \"expect\": " + expect;
  auto c = ReadCase(text + "}");
  EXPECT_TRUE(c) << c.error().pointer << ": " << c.error().message;
  return c.value();
}

ByteRange Ub(std::int64_t at, std::int64_t bytes) {
  return {isa::Memory::kUb, at, bytes};
}

}  // namespace lanediff::diff::scratch
