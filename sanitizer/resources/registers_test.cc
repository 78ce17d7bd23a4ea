// What a block leaves in its registers, and what it finds there: the atomic
// mode, the mask and its mode.

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sanitizer/resources/program_testing.h"

namespace lanediff::machine {
namespace {

using test::Found;

using Rules = std::vector<std::string>;

TEST(AtomicUnknown, SomethingSetsTheModeBeforeACopyToGm) {
  const std::string copy = "Carried DataCopyPad MTE3 r=0+32 w=GM0+32";
  EXPECT_EQ(Found("Block block=0;" + copy), Rules{"1 KRN-ATOMIC-UNKNOWN"});
  EXPECT_EQ(Found("Block block=0; TPipe tpipe=0;" + copy), Rules());
  EXPECT_EQ(Found("Block block=0; InitSocState;" + copy), Rules());
  EXPECT_EQ(Found("Block block=0; SetAtomic operation=none;" + copy), Rules());
  EXPECT_EQ(Found("Block block=0; Carried DataCopyPad MTE2 r=GM0+32 w=0+32"),
            Rules());
  EXPECT_EQ(Found("Block block=0; Carried SetValue S w=GM0+2"), Rules())
      << "no copy";
  EXPECT_EQ(Found(copy), Rules()) << "the start of the block is unknown";
}

TEST(MaskLeft, IsNotedOfABlockThatBegan) {
  const std::string begin = "Block block=0; TPipe tpipe=0;";
  EXPECT_EQ(Found(begin + "SetAtomic operation=add; SetAtomic operation=none"),
            Rules());
  EXPECT_EQ(Found(begin + "SetAtomic operation=add"),
            Rules{"2 note KRN-MASK-LEFT"});
  EXPECT_EQ(Found(begin + "SetDeqScale scale=1.0"),
            Rules{"2 note KRN-MASK-LEFT"});
  EXPECT_EQ(Found(begin + "SetMaskCount"), Rules{"2 note KRN-MASK-LEFT"});
  EXPECT_EQ(Found(begin + "SetVectorMask 1 2"), Rules{"2 note KRN-MASK-LEFT"});
  EXPECT_EQ(Found(begin + "SetVectorMask 1 2; SetMaskCount; InitSocState"),
            Rules());
}

TEST(MaskLeft, StandsAtTheCallThatLeavesIt) {
  const std::string begin = "Block block=0; TPipe tpipe=0;";
  const std::string copy = "; Carried DataCopyPad MTE3 r=0+32 w=GM0+32";
  EXPECT_EQ(Found(begin + "SetVectorMask 0 3; SetMaskCount" + copy),
            (Rules{"2 note KRN-MASK-LEFT", "3 note KRN-MASK-LEFT"}));
  EXPECT_EQ(
      Found(begin + "SetVectorMask 0 3; ResetMask; SetVectorMask 0 3" + copy),
      Rules{"4 note KRN-MASK-LEFT"});
  EXPECT_EQ(Found(begin + "SetAtomic operation=add" + copy +
                  "; SetAtomic operation=max" + copy),
            Rules{"4 note KRN-MASK-LEFT"});
  EXPECT_EQ(Found(begin + "SetVectorMask 0 3; Block block=1;" + copy.substr(1)),
            (Rules{"4 KRN-ATOMIC-UNKNOWN", "2 note KRN-MASK-LEFT"}))
      << "a block leaves nothing of another's";
}

/// KRN-MASK-MODE of a call behind `text` in the mode that `set` sets; the
/// register's mask chooses its lanes, or with `is_set_mask` its own.
Rules UnderMask(const std::string& set, const std::string& text, isa::Step step,
                bool is_set_mask = false) {
  Case c = test::Program(set + ";SetVectorMask 0 64;" + text);
  std::visit(
      [&]<class S>(S& s) {
        if constexpr (std::same_as<S, isa::Carried>) {
          s.mask = {.masked = s.name == "Adds", .is_set_mask = is_set_mask};
        } else if constexpr (requires { s.is_set_mask; }) {
          s.is_set_mask = is_set_mask;
        }
        if constexpr (std::same_as<S, isa::Min>) {
          s.mask = is_set_mask ? 64 : 0;
        }
      },
      step);
  c.program.push_back(std::move(step));
  Rules found = test::FoundIn(c);
  std::erase_if(found, [](const std::string& line) {
    return !line.contains("KRN-MASK-MODE") && !line.contains("rejected");
  });
  return found;
}

TEST(MaskMode, IsTheOneThatTheMaskWasSetFor) {
  isa::RepeatReduceSum sum;
  sum.dst = {isa::Position::kVecout, 0, 32, {}};
  sum.src = {isa::Position::kVecin, 1024, 256, {}};
  sum.repeat = 1;
  sum.src_blk_stride = 1;
  sum.dst_rep_stride = 1;
  sum.src_rep_stride = 8;
  isa::Min min;
  min.form = isa::Min::kContiguous;
  min.dst = {isa::Position::kVecout, 0, 256, {}};
  min.src0 = {isa::Position::kVecin, 1024, 256, {}};
  min.src1 = {isa::Position::kVecin, 2048, 256, {}};
  min.repeat_times = 1;
  min.repeat_params = {1, 1, 1, 8, 8, 8};
  isa::Carried carried;
  carried.name = "Adds";
  const std::string normal = "MaskMode mode=normal;";
  const std::string counter = "MaskMode mode=counter;";
  const Rules broken = {"3 KRN-MASK-MODE"};
  for (const isa::Step& step :
       {isa::Step(sum), isa::Step(min), isa::Step(carried)}) {
    EXPECT_EQ(UnderMask("SetMaskNorm", normal, step), Rules());
    EXPECT_EQ(UnderMask("SetMaskNorm", counter, step), broken);
    EXPECT_EQ(UnderMask("SetMaskNorm", counter + "ResetMask", step), Rules());
    EXPECT_EQ(UnderMask("SetMaskNorm", "", step), Rules());
  }
  EXPECT_EQ(UnderMask("SetMaskCount", normal, carried), broken);
  EXPECT_EQ(UnderMask("SetMaskCount", counter, carried), Rules());
  EXPECT_EQ(UnderMask("SetMaskNorm", counter, carried, true), Rules());
  EXPECT_EQ(UnderMask("SetMaskNorm", counter, min, true), Rules());
  min.form = isa::Min::kCount;
  min.count = 64;
  EXPECT_EQ(UnderMask("SetMaskNorm", counter, min), Rules());
  carried.name = "Gatherb";
  EXPECT_EQ(UnderMask("SetMaskNorm", counter, carried), Rules())
      << "without a mask";
}

}  // namespace
}  // namespace lanediff::machine
