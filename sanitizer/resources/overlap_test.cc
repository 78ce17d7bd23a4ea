// How operands of unaudited calls may overlap.

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sanitizer/resources/program_testing.h"

namespace lanediff::machine {
namespace {

using test::Found;

using Rules = std::vector<std::string>;
const Rules kNone;
const Rules kOverlap = {"0 KRN-OVERLAP"};

TEST(Overlap, OfAMaskedFormInAnIteration) {
  EXPECT_EQ(Found("Carried Adds V r=0+256 w=0+256"), kNone);
  EXPECT_EQ(Found("Carried Adds V r=0+256 w=256+256"), kNone);
  EXPECT_EQ(Found("Carried Adds V r=0+256 w=32+256"), kOverlap);
  EXPECT_EQ(Found("Carried Adds V r=0+256 w=0+128"), kOverlap);
  EXPECT_EQ(Found("Carried Adds V r=0+32 r=64+32 w=64+32 w=0+32"), kNone)
      << "in pieces";
}

TEST(Overlap, OfAMaskedFormOverIterations) {
  const std::string twice =
      "Carried Axpy V r=0+256 r=256+256@1 w=256+256 w=512+256@1";
  EXPECT_EQ(Found(twice), kOverlap);
  EXPECT_EQ(Found("Carried Axpy V r=256+256 r=0+256@1 w=512+256 w=256+256@1"),
            kNone)
      << "an earlier one read it";
  const std::string relu =
      " V t=dst:half p=src1RepStride:0 r=src1:0+32 r=src1:0+32@1 w=0+32 "
      "w=32+32@1";
  EXPECT_EQ(Found("Carried AddRelu" + relu), kNone);
  EXPECT_EQ(Found("Carried Add3" + relu), kOverlap);
  EXPECT_EQ(Found("Carried AddRelu V t=dst:half p=src1RepStride:8 "
                  "r=src1:0+32 r=src1:0+32@1 w=0+32 w=32+32@1"),
            kOverlap);
  EXPECT_EQ(Found("Carried AddRelu V t=dst:int16 p=src1RepStride:0 "
                  "r=src1:0+32 r=src1:0+32@1 w=0+32 w=32+32@1"),
            kOverlap);
}

TEST(Overlap, OfACountForm) {
  EXPECT_EQ(Found("Carried Adds V p=count:64 r=0+128 w=0+128"), kNone);
  EXPECT_EQ(Found("Carried Cast V p=count:64 r=0+128 w=0+64"), kNone);
  EXPECT_EQ(Found("Carried Adds V p=count:64 r=0+128 w=96+128"), kOverlap);
  EXPECT_EQ(Found("Carried Adds V p=count:64 r=0+128 w=128+128"), kNone);
}

TEST(Overlap, OfACastToAWiderType) {
  const std::string call =
      "Carried Cast V p=count:64 t=dst:float t=src:half w=0+256 ";
  EXPECT_EQ(Found(call + "r=128+128"), kNone) << "from the upper half";
  EXPECT_EQ(Found(call + "r=96+128"), kOverlap);
  EXPECT_EQ(Found(call + "r=0+128"), kOverlap);
  EXPECT_EQ(Found(call + "r=256+128"), kNone);
  const std::string more =
      "Carried Cast V p=count:640 t=dst:float t=src:half w=0+2560 ";
  EXPECT_EQ(Found(more + "r=1280+1280"), kNone);
  EXPECT_EQ(Found(more + "r=1248+1280"), kOverlap);
  const std::string odd =
      "Carried Cast V p=count:65 t=dst:float t=src:half w=0+260 ";
  EXPECT_EQ(Found(odd + "r=160+130"), kNone);
  EXPECT_EQ(Found(odd + "r=128+130"), kOverlap) << "to whole 32 bytes";
  EXPECT_EQ(Found("Carried Adds V p=count:64 t=dst:float t=src:half w=0+256 "
                  "r=128+128"),
            kOverlap)
      << "no Cast";
  EXPECT_EQ(Found("Carried Cast V p=count:64 t=dst:half t=src:half w=0+128 "
                  "r=64+128"),
            kOverlap)
      << "not wider";
}

TEST(Overlap, OfReductions) {
  const std::string call = "Carried WholeReduceMax V t=dst:half ";
  EXPECT_EQ(Found(call + "r=0+256 w=0+2"), kNone);
  EXPECT_EQ(Found(call + "r=0+256 w=2+2"), kOverlap);
  EXPECT_EQ(Found(call + "r=0+256 r=256+256@1 w=0+2 w=2+2@1"), kNone)
      << "in place";
  EXPECT_EQ(Found(call + "r=0+256 r=256+256@1 w=256+2 w=600+2@1"), kOverlap);
  EXPECT_EQ(Found("Carried ReduceMax V t=dst:half r=0+256 o=tmp:VECCALC:512+64 "
                  "w=tmp:512+64 r=tmp:512+64 w=514+2"),
            kNone);
}

TEST(Overlap, OfGatherMaskInPlace) {
  EXPECT_EQ(Found("Carried GatherMask V r=0+256 r=256+256@1 w=0+128 "
                  "w=128+128@1"),
            kNone);
  EXPECT_EQ(Found("Carried GatherMask V r=0+256 w=32+128"), kOverlap);
}

TEST(Overlap, IsOfEachSourceByItself) {
  EXPECT_EQ(Found("Carried And V r=src0:0+256 r=src1:256+256 w=0+256"), kNone);
  EXPECT_EQ(Found("Carried And V r=src0:256+256 r=src1:0+256 w=0+256"), kNone);
  EXPECT_EQ(Found("Carried And V r=src0:0+256 r=src1:128+256 w=0+256"),
            kOverlap);
}

TEST(Overlap, OfCallsThatTakeNoByteInCommon) {
  for (const std::string name :
       {"Gather", "Gatherb", "Brcb", "MrgSort", "MrgSort4"}) {
    EXPECT_EQ(Found("Carried " + name + " V r=0+64 w=0+64"), kOverlap);
    EXPECT_EQ(Found("Carried " + name + " V r=0+64 w=64+64"), kNone);
    EXPECT_EQ(Found("Carried " + name + " V r=0+32 w=GM0+32"), kNone);
    EXPECT_EQ(
        Found("Carried " + name + " V r=0+32 r=64+32@1 w=128+32 w=0+32@1"),
        kOverlap)
        << "of all iterations";
    EXPECT_EQ(Found("Carried " + name + " V r=src:64+32 r=offset:0+32 w=0+32"),
              kNone)
        << "but offsets";
  }
  EXPECT_EQ(Found("Carried Adds V r=0+64 w=0+64"), kNone);
}

TEST(Overlap, OfASumOfProductsOfHalvesInFloat) {
  for (const std::string name : {"Axpy", "MulAddDst"}) {
    const auto of = [&](const std::string& dst, const std::string& src) {
      return Found("Carried " + name + " V t=dst:" + dst + " t=src:" + src +
                   " r=0+64 r=dst:0+64 w=0+64");
    };
    EXPECT_EQ(of("float", "half"), kOverlap);
    EXPECT_EQ(of("float", "float"), kNone);
    EXPECT_EQ(of("half", "half"), kNone);
    EXPECT_EQ(Found("Carried " + name +
                    " V t=dst:float t=src:half r=64+64 r=dst:0+64 w=0+64"),
              kNone)
        << "what dst shares with itself";
  }
  EXPECT_EQ(
      Found("Carried And V t=dst:float t=src:half r=0+64 r=dst:0+64 w=0+64"),
      kNone);
}

}  // namespace
}  // namespace lanediff::machine
