#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "differential/compare/testing.h"
#include "differential/compare/unspecified.h"

/// Programs whose tmp tiles and padding meet other operands, for tests. Places
/// are bytes of UB.
namespace lanediff::diff::scratch {

inline constexpr std::int64_t kUbBytes = 8192;

/// Rows of 16 halves; `rows` of them multiply. Its tmp has 32·tiles bytes.
inline std::string Product(std::int64_t tmp, std::int64_t src = 6144,
                           std::int64_t dst = 7168, int rows = 1,
                           int tiles = 16) {
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

inline std::string Transpose(std::int64_t dst, std::int64_t src, int repeat = 1,
                             int dst_stride = 1, int src_stride = 1) {
  return fmt::format(
      R"({{"op": "vec_trans", "dtype": "half",
      "dst": {{"position": "UB", "at": {}, "bytes": {}}},
      "src": {{"position": "UB", "at": {}, "bytes": {}}},
      "repeat_times": {}, "dst_rep_stride": {}, "src_rep_stride": {}}})",
      dst, kUbBytes - dst, src, kUbBytes - src, repeat, dst_stride, src_stride);
}

inline std::string Operand(std::string_view position, std::int64_t at,
                           std::int64_t bytes, std::string_view dtype = "") {
  return fmt::format(
      R"({{"position": "{}", "at": {}, "bytes": {}{}}})", position, at, bytes,
      dtype.empty() ? "" : fmt::format(R"(, "dtype": "{}")", dtype));
}

inline std::string Copy(const std::string& dst, const std::string& src,
                        int blocks = 1, int length = 1, int src_gap = 0,
                        int dst_gap = 0) {
  return fmt::format(
      R"({{"op": "DataCopy", "dtype": "half", "dst": {}, "src": {},
      "params": {{"blockCount": {}, "blockLen": {}, "srcGap": {},
                  "dstGap": {}}}}})",
      dst, src, blocks, length, src_gap, dst_gap);
}

inline std::string CopyUb(std::int64_t dst, std::int64_t src, int blocks = 1,
                          int length = 1, int src_gap = 0, int dst_gap = 0) {
  return Copy(Operand("VECCALC", dst, kUbBytes - dst),
              Operand("VECIN", src, kUbBytes - src), blocks, length, src_gap,
              dst_gap);
}

/// `blocks` blocks of `bytes` bytes, into UB if there is `padding`.
inline std::string CopyPad(const std::string& dst, const std::string& src,
                           int blocks, int bytes, int dst_gap,
                           std::string_view padding = "") {
  return fmt::format(
      R"({{"op": "DataCopyPad", "dtype": "half", "dst": {}, "src": {},
      "dataCopyParams": {{"blockCount": {}, "blockLen": {}, "srcStride": 0,
                          "dstStride": {}}}{}}})",
      dst, src, blocks, bytes, dst_gap, padding);
}

inline std::string PadIn(std::int64_t dst, std::int64_t src, int blocks,
                         int bytes, bool is_pad, int left = 0, int right = 0,
                         int dst_gap = 0) {
  return CopyPad(Operand("VECIN", dst, kUbBytes - dst),
                 Operand("GM", src, 4096 - src), blocks, bytes, dst_gap,
                 fmt::format(R"(, "padParams": {{"isPad": {}, "leftPadding": {},
                  "rightPadding": {}, "paddingValue": 7}})",
                             is_pad, left, right));
}

/// A call of Min or of `op`, another of its family.
inline std::string MinOf(std::int64_t dst, std::int64_t src0, std::int64_t src1,
                         const std::string& form, std::string_view op = "Min") {
  return fmt::format(
      R"({{"op": "{}", "dtype": "half", "dst": {}, "src0": {}, "src1": {},
      {}}})",
      op, Operand("VECOUT", dst, kUbBytes - dst),
      Operand("VECIN", src0, kUbBytes - src0),
      Operand("VECIN", src1, kUbBytes - src1), form);
}

inline std::string Masked(std::string_view words, int repeat = 1) {
  return fmt::format(
      R"("mask": {}, "repeatTimes": {}, "repeatParams": {{"dstBlkStride": 1,
      "src0BlkStride": 1, "src1BlkStride": 1, "dstRepStride": 8,
      "src0RepStride": 8, "src1RepStride": 8}})",
      words, repeat);
}

inline std::string Sum(std::int64_t dst, std::int64_t src, int repeat,
                       int elements, int src_stride) {
  return SumJson(dst, src, kUbBytes - src, std::to_string(repeat), elements,
                 src_stride, kUbBytes - dst);
}

/// The same as WholeReduceSum, of the lanes of a bitwise mask.
inline std::string WholeSum(std::int64_t dst, std::int64_t src, int repeat,
                            std::string_view words, int src_stride) {
  return fmt::format(
      R"({{"op": "WholeReduceSum", "dtype": "half", "dst": {}, "src": {},
      "mask": {}, "repeatTimes": {}, "dstRepStride": 1, "srcBlkStride": 1,
      "srcRepStride": {}}})",
      Operand("VECOUT", dst, kUbBytes - dst),
      Operand("VECIN", src, kUbBytes - src), words, repeat, src_stride);
}

/// UB begins with 256 different halves, the rest of it is large numbers; `GM`
/// has 4096 bytes.
inline Case CaseOf(const std::vector<std::string>& steps,
                   const std::string& expect = "") {
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
  return CaseFrom(text + "}");
}

inline ByteRange Ub(std::int64_t at, std::int64_t bytes) {
  return {isa::Memory::kUb, at, bytes};
}

inline const std::string kBarrier = R"({"op": "PipeBarrier", "pipe": "ALL"})";

}  // namespace lanediff::diff::scratch
