#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "differential/testcase/case_reader.h"

namespace lanediff::diff {

/// A state step and two sums: [3, nan] as half at UB 0, then 10 at UB 64;
/// the last is rejected if `repeat` is 256.
inline Case TwoSums(std::string_view repeat = "1",
                    std::string_view expect = "") {
  std::string text = R"({ "format": "lanediff-case/1", "id": "two/sums",
    "product": "atlas-a2", "memory": { "UB": { "fill": "a5", "size": 4096,
      "regions": [ { "at": 1024, "dtype": "half", "values": [1, 2, 3, 4] },
                   { "at": 1280, "dtype": "half", "values": ["inf", "-inf"] }
      ] } },
    "program": [ { "op": "SetSaturation", "enabled": false },
      { "op": "RepeatReduceSum", "dtype": "half",
        "dst": { "position": "VECOUT", "at": 0, "bytes": 32 },
        "src": { "position": "VECIN", "at": 1024, "bytes": 512 },
        "repeat": 2, "elemsInOneRepeat": 2, "dstBlkStride": 0,
        "srcBlkStride": 1, "dstRepStride": 1, "srcRepStride": 8 },
      { "op": "RepeatReduceSum", "dtype": "half",
        "dst": { "position": "VECOUT", "at": 64, "bytes": 32 },
        "src": { "position": "VECIN", "at": 1024, "bytes": 512 },
        "repeat": )";
  text += repeat;
  text += R"(, "elemsInOneRepeat": 4, "dstBlkStride": 0,
        "srcBlkStride": 1, "dstRepStride": 1, "srcRepStride": 8 } ])";
  if (!expect.empty()) text.append(", \"expect\": ").append(expect);
  auto c = ReadCase(text + "}");
  EXPECT_TRUE(c) << c.error().pointer << ": " << c.error().message;
  return c.value();
}

/// What comes out of it, in both spellings of bytes.
inline constexpr std::string_view kGoodOutcome =
    R"({ "case": "two/sums", "outcome": "executed",
      "notes": ["RRS-PREFER-WHOLE-REDUCE-SUM"],
      "memory": { "UB": [ { "at": 0, "hex": "0042007e" },
          { "at": 64, "dtype": "half", "values": [10] } ] },
      "target": "a device" })";

}  // namespace lanediff::diff
