#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "differential/compare/check.h"
#include "differential/compare/testing.h"
#include "generators/coverage/model.h"
#include "generators/coverage/never.h"
#include "generators/coverage/observer.h"
#include "generators/guided/holes.h"

namespace lanediff::make::coverage {
namespace {

using isa::Access;
using isa::DType;
using isa::Memory;

/// The names of the bins that `c` reaches.
std::set<std::string> Bins(const Case& c) {
  Observer observer(c);
  diff::CompareCase(c, diff::Emulator(), diff::Oracle(), std::ref(observer));
  std::set<std::string> names;
  for (Bin bin : observer.bins()) names.insert(Model::Get().Name(bin));
  return names;
}

/// Sums of `lanes` halves; dst begins at `dst_at`, src at 0.
Case Sums(std::int64_t repeat, std::int64_t lanes, std::int64_t dst_at) {
  isa::Call call = isa::CallOf("RepeatReduceSum");
  call.src(0) = {isa::Position::kVecin, 0, 512, std::nullopt};
  call.dst() = {isa::Position::kVecout, dst_at, 64, std::nullopt};
  call[isa::Param::kRepeatTimes] = repeat;
  call[isa::Param::kMask] = lanes;
  call[isa::Param::kSrc0BlkStride] = 1;
  call[isa::Param::kSrc0RepStride] = 8;
  call[isa::Param::kDstRepStride] = 1;
  Case c;
  c.id = "coverage/sums";
  c.memory[static_cast<std::size_t>(Memory::kUb)] =
      MemoryImage{.fill = 0, .size = 1024, .regions = {}};
  c.program = {call};
  return c;
}

TEST(CoverageModel, FitsTheCountersAndNamesEveryBinOnce) {
  const Model& model = Model::Get();
  EXPECT_LE(model.bins(), kMostBins);
  std::set<std::string> names;
  for (std::size_t i = 0; i < model.bins(); ++i) {
    const auto bin = static_cast<Bin>(i);
    names.insert(model.Name(bin));
    EXPECT_EQ(model.Find(model.Name(bin)), bin);
  }
  EXPECT_EQ(model.Find("min: nothing"), std::nullopt);
  EXPECT_EQ(names.size(), model.bins());
  std::size_t next = 0;
  for (const Group& group : model.groups()) {
    EXPECT_EQ(group.base, next) << group.name;
    next += group.size();
  }
  EXPECT_EQ(next, model.bins());
}

/// Whether each of the bins is reached.
void ExpectBins(const Case& c, std::initializer_list<const char*> reached,
                std::initializer_list<const char*> others = {}) {
  const std::set<std::string> bins = Bins(c);
  for (const char* bin : reached) EXPECT_TRUE(bins.contains(bin)) << bin;
  for (const char* bin : others) EXPECT_FALSE(bins.contains(bin)) << bin;
}

constexpr const char* kMinusZero =
    "repeat_reduce_sum: event minus-zero half atlas-a2 saturating";

TEST(CoverageObserver, ExecutedCallReachesParametersLayoutMaskAndEvents) {
  ExpectBins(Sums(2, 128, 512),
             {"repeat_reduce_sum: repeat small half",
              "repeat_reduce_sum: layout src touching half",
              "repeat_reduce_sum: mask all call half",
              "repeat_reduce_sum: dtype half atlas-a2",
              "program: step first RepeatReduceSum executed"},
             {kMinusZero});
  Case c = Sums(1, 2, 512);
  c.memory[static_cast<std::size_t>(Memory::kUb)]->regions = {
      {.at = 0, .dtype = DType::kHalf, .bytes = {0x00, 0x80, 0x00, 0x80}}};
  ExpectBins(c, {kMinusZero});
}

/// Two greatest integers added, at bytes 0 and 32 into 64.
Case Addition(bool saturation) {
  isa::Call call = isa::CallOf("Add");
  call.dtype = DType::kInt16;
  call.src(0) = {isa::Position::kVecin, 0, 2, std::nullopt};
  call.src(1) = {isa::Position::kVecin, 32, 2, std::nullopt};
  call.dst() = {isa::Position::kVecout, 64, 2, std::nullopt};
  call[isa::Param::kCount] = 1;
  Case c;
  c.id = "coverage/addition";
  c.memory[static_cast<std::size_t>(Memory::kUb)] = MemoryImage{
      .fill = 0,
      .size = 128,
      .regions = {{.at = 0, .dtype = DType::kInt16, .bytes = {0xff, 0x7f}},
                  {.at = 32, .dtype = DType::kInt16, .bytes = {0xff, 0x7f}}}};
  c.program = {isa::SetSaturation{saturation}, call};
  return c;
}

TEST(CoverageObserver, IntegersSaturateOrWrap) {
  ExpectBins(Addition(true),
             {"add: integer integer-saturated int16 atlas-a2 saturating",
              "add: mask one count int16",
              "program: step SetSaturation Add executed"});
  ExpectBins(Addition(false),
             {"add: integer integer-wrapped int16 atlas-a2 ieee"});
}

TEST(CoverageObserver, RejectedCallReachesItsRulesAndValuesOutOfRange) {
  ExpectBins(Sums(256, 128, 512),
             {"repeat_reduce_sum: alone RRS-REPEAT atlas-a2",
              "repeat_reduce_sum: repeat above half"},
             {"repeat_reduce_sum: mask all call half"});
  ExpectBins(Sums(256, 129, 512), {"repeat_reduce_sum: together RRS-REPEAT"});
}

TEST(CoverageObserver, ReachedCountsNewBinsOnce) {
  Reached reached;
  EXPECT_EQ(reached.Add({3, 5, 3}), 2u);
  EXPECT_EQ(reached.Add({5, 7}), 1u);
  EXPECT_EQ(reached.count(), 3u);
  EXPECT_TRUE(reached.Has(7));
  EXPECT_FALSE(reached.Has(4));
}

/// Of a half by `src`.
Access Read(std::int64_t at, std::int64_t bytes, std::int64_t iteration,
            std::int64_t lane = 0) {
  return {"src", false, Memory::kUb, at, bytes, DType::kHalf, iteration, lane};
}
Access Write(std::int64_t at, std::int64_t bytes, std::int64_t iteration) {
  return {"dst", true, Memory::kUb, at, bytes, DType::kHalf, iteration, 0};
}

TEST(CoverageNever, GivesAReasonOnlyWhereThereIsOne) {
  const Model& model = Model::Get();
  const auto why = [&](std::string_view name) {
    return WhyNever(model.Find(name).value());
  };
  EXPECT_TRUE(why("min: layout src1 running int16"));
  EXPECT_FALSE(why("min: layout src1 running half"));
  EXPECT_TRUE(why("trowprod: event saturated-high float atlas-a2 saturating"));
  EXPECT_FALSE(why("trowprod: event saturated-high half atlas-a2 saturating"));
  EXPECT_TRUE(why("trowprod: event saturated-high half atlas-a2 ieee"));
  EXPECT_TRUE(why("mul: integer integer-wrapped int32 atlas-a3 saturating"));
  EXPECT_FALSE(why("mul: integer integer-wrapped int32 atlas-a3 ieee"));
  EXPECT_TRUE(why("duplicate: mask dstBlockStride low uint32"));
  EXPECT_TRUE(why("data_copy_pad: blockLen high half"));
  EXPECT_FALSE(why("data_copy_pad: blockLen high other"));
  EXPECT_EQ(why("max: dtype int16 atlas-training"),
            "MAX-DTYPE: not on atlas-training");
}

TEST(CoverageObserver, LooksAtPaddingAndAtAFormWithoutAKey) {
  isa::Call call = isa::CallOf("DataCopyPad");
  call.SetBlocks(1, 8);
  call[isa::Param::kLeftPadding] = 1;
  call.is_pad = true;
  call.src(0) = {isa::Position::kGm, 3, 8, std::nullopt};
  call.dst() = {isa::Position::kVecin, 0, 32, std::nullopt};
  Case c;
  for (const Memory memory : {Memory::kGm, Memory::kUb}) {
    c.memory[static_cast<std::size_t>(memory)] =
        MemoryImage{.fill = 0, .size = 64, .regions = {}};
  }
  c.program = {call};
  auto bins = Bins(c);
  EXPECT_TRUE(bins.contains("data_copy_pad: padding left rest isPad"));
  EXPECT_TRUE(bins.contains("data_copy_pad: padParams leftPadding low+1 half"));
  call.form = 1;
  call.is_pad = false;
  call[isa::Param::kLeftPadding] = 0;
  std::swap(call.src(0), call.dst());
  c.program = {call};
  bins = Bins(c);
  EXPECT_TRUE(bins.contains("data_copy_pad: blockCount low+1 half"));
  EXPECT_TRUE(bins.contains("data_copy_pad: route VECIN>GM"));
}

TEST(CoverageFillers, FindsCorpusFirstThenSweepThenGenerator) {
  const Model& model = Model::Get();
  const std::vector<Fillers::Known> corpus = {{"sums.json", Sums(2, 128, 512)}};
  Fillers fillers(corpus, 2000);
  const Bin known =
      model.Find("repeat_reduce_sum: layout src touching half").value();
  const Bin swept = model.Find("vec_trans: layout src running half").value();
  const Bin never = model.Find("vec_trans: layout src shifted half").value();
  fillers.Find({known, swept, never});
  ASSERT_NE(fillers.Of(known), nullptr);
  EXPECT_EQ(fillers.Of(known)->what, "corpus sums.json");
  EXPECT_EQ(fillers.Of(known)->c.id, "coverage/sums");
  EXPECT_EQ(fillers.Of(never), nullptr);
  ASSERT_NE(fillers.Of(swept), nullptr);
  EXPECT_TRUE(Bins(fillers.Of(swept)->c).contains(model.Name(swept)));
}

TEST(CoverageFillers, StopsOnRequest) {
  Fillers fillers({}, 2000);
  fillers.Find({0}, [] { return true; });
  EXPECT_EQ(fillers.Of(0), nullptr);
}

TEST(CoverageLayout, EveryLayout) {
  const auto of = [](std::vector<Access> accesses) {
    return LayoutOf(accesses, "src");
  };
  EXPECT_EQ(of({Read(0, 32, 0)}), Layout::kOneEmpty);
  EXPECT_EQ(of({Read(0, 32, 0), Write(33, 2, 0)}), Layout::kApart);
  EXPECT_EQ(of({Read(0, 32, 0), Write(32, 2, 0)}), Layout::kTouching);
  EXPECT_EQ(of({Read(0, 2, 0), Read(8, 2, 0), Write(4, 2, 0)}),
            Layout::kInterleaved);
  EXPECT_EQ(of({Read(0, 4, 0), Write(0, 2, 0)}), Layout::kSameStart);
  EXPECT_EQ(of({Read(0, 4, 0), Write(2, 4, 0)}), Layout::kShifted);
  EXPECT_EQ(of({Read(0, 4, 0), Write(8, 4, 0), Read(8, 4, 1), Write(12, 4, 1)}),
            Layout::kRunning);
}

TEST(CoverageLayout, EveryMask) {
  const auto of = [](std::vector<Access> accesses) {
    return LanesOf(accesses, "src", 128);
  };
  EXPECT_EQ(of({}), Lanes::kNone);
  EXPECT_EQ(of({Read(6, 2, 0, 3)}), Lanes::kOne);
  EXPECT_EQ(of({Read(0, 6, 0, 0)}), Lanes::kFirst);
  EXPECT_EQ(of({Read(2, 6, 0, 1)}), Lanes::kRun);
  EXPECT_EQ(of({Read(2, 2, 0, 1), Read(8, 2, 0, 4)}), Lanes::kLow);
  EXPECT_EQ(of({Read(0, 2, 0, 70), Read(8, 2, 0, 80)}), Lanes::kHigh);
  EXPECT_EQ(of({Read(2, 2, 0, 1), Read(8, 2, 0, 80)}), Lanes::kSpread);
  EXPECT_EQ(of({Read(0, 256, 0, 0)}), Lanes::kAll);
  EXPECT_EQ(LanesOf(std::vector{Write(0, 2, 0)}, "dst", 128), Lanes::kOne)
      << "without a source";
}

TEST(CoverageModel, AnOlderEditionHasItsOwnBins) {
  const Model& newest = Model::Get();
  const Model& older = Model::Get(isa::Edition::k2024);
  for (const char* name :
       {"trowprod: dtype int32 atlas-a2", "min: dtype half atlas-a3",
        "data_copy: params blockCount low other"}) {
    EXPECT_TRUE(newest.Find(name)) << name;
  }
  EXPECT_FALSE(older.Find("trowprod: dtype int32 atlas-a2"));
  EXPECT_FALSE(older.Find("min: dtype half atlas-a3"));
  for (const Model* model : {&newest, &older}) {
    const auto why = [&](const char* name) {
      return WhyNever(model->Find(name).value(), model->edition());
    };
    EXPECT_EQ(why("min: unsupported atlas-a3").has_value(), model == &newest);
    EXPECT_TRUE(why("min: unsupported atlas-a2"));
    EXPECT_EQ(model->Name(model->Find("min: unsupported atlas-a3").value()),
              "min: unsupported atlas-a3");
  }
}

TEST(CoverageObserver, ACaseOfTheOtherEditionReachesNothing) {
  Case c = Sums(2, 128, 512);
  c.edition = isa::Edition::k2024;
  EXPECT_TRUE(Bins(c).empty());
  Observer observer(c, isa::Edition::k2024);
  diff::CompareCase(c, diff::Emulator(), diff::Oracle(), std::ref(observer));
  EXPECT_FALSE(observer.bins().empty());
}

}  // namespace
}  // namespace lanediff::make::coverage
