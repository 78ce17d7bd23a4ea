// The engine's own comparison of emulator and oracle, and its counters: with a
// defective emulator there must be a finding, and no counter may stand still.

#include "kernel/engine/engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <deque>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "emulator/emulator.h"
#include "emulator/mutants/mutant.h"
#include "isa/catalogue.h"
#include "kernel/carried/call_testing.h"
#include "kernel/engine/audited.h"

namespace lanediff::kernel {
namespace {

/// A kernel of one block, in static tensors that hold numbers.
class Kernel : public Sink {
 public:
  explicit Kernel(Settings settings = {},
                  const emulator::Seams* seams = nullptr)
      : engine(settings, gm, *this, seams) {}

  void Begin(std::int64_t blocks = 1) {
    engine.BeginLaunch("kernel", blocks, Site());
    engine.EnterBlock(0);
  }

  lanediff_tensor Tensor(std::uint8_t position, std::int64_t at,
                         std::int64_t bytes) {
    lanediff_tensor tensor{};
    engine.LocalTensor(position, at, bytes, Site(), tensor);
    return tensor;
  }
  /// UB from `at` on, each halfword another number.
  lanediff_tensor Filled(std::int64_t at, std::int64_t bytes,
                         std::uint16_t first = 0x3c01) {
    const lanediff_tensor tensor = Tensor(LANEDIFF_VECCALC, at, bytes);
    Fill(engine.Address(tensor, Site()), bytes, first);
    return tensor;
  }
  /// The same of GM.
  lanediff_tensor Global(std::int64_t bytes, std::uint16_t first = 0x3c01) {
    auto& host = hosts_.emplace_back(static_cast<std::size_t>(bytes));
    Fill(host.data(), bytes, first);
    gm.Name(host.data(), host.size());
    return Pointer(host.data());
  }
  static lanediff_tensor Pointer(const void* host) {
    return {.at = reinterpret_cast<std::uint64_t>(host),
            .window = 0,
            .declared = -1,
            .position = LANEDIFF_GM,
            .given = 1};
  }
  std::uint8_t* Host(std::size_t number) { return hosts_[number].data(); }

  struct Operand {
    const char* name;
    lanediff_tensor tensor;
    std::uint8_t dtype = LANEDIFF_NO_DTYPE;  ///< none: the call's
  };
  /// `line` 0: a line of its own.
  Next Execute(Call& given, const std::vector<Operand>& operands,
               std::uint8_t dtype = LANEDIFF_HALF, std::int32_t line = 0) {
    if (!only.empty() && only != given.Raw().name) return Next::kGoOn;
    std::vector<lanediff_operand> all;
    for (const Operand& one : operands) {
      const bool own = one.dtype != LANEDIFF_NO_DTYPE;
      all.push_back({one.name, one.tensor, own ? one.dtype : dtype});
    }
    lanediff_call call = given.Raw();
    call.site = line == 0 ? Site() : lanediff_site{"kernel.cpp", line};
    call.operands = all.data();
    call.operand_count = static_cast<std::uint32_t>(all.size());
    call.scalar_dtype = dtype;
    return engine.Execute(call, returned);
  }

  /// Another line for each call.
  lanediff_site Site() { return {"kernel.cpp", ++line_}; }

  std::string only;  ///< calls of other instructions do nothing; empty: none

  /// What valuecheck found: the instruction and the text.
  std::multimap<std::string, std::string> values;
  std::size_t refusals = 0;
  std::multiset<std::string> notes;  ///< rules
  std::uint64_t returned = 0;        ///< by the last call

  void Found(std::size_t, Finding& finding) override {
    const bool is_new = finding.case_path.empty() && finding.no_case.empty();
    if (is_new && finding.group == Group::kValuecheck) {
      values.emplace(finding.later.op, finding.message);
    }
  }
  void Noted(std::size_t, const Note& note) override {
    notes.insert(note.rule);
  }
  void Refused(const Refusal&) override { ++refusals; }
  void Hid(const Hidden&) override {}
  void FoundAgain(std::size_t, std::uint64_t) override {}
  void NotedAgain(std::size_t, std::uint64_t) override {}

 private:
  static void Fill(void* bytes, std::int64_t count, std::uint16_t first) {
    for (std::int64_t i = 0; i < count / 2; ++i) {
      const auto value = static_cast<std::uint16_t>(first + i % 1021);
      std::memcpy(static_cast<std::uint8_t*>(bytes) + 2 * i, &value, 2);
    }
  }

  std::deque<std::vector<std::uint8_t>> hosts_;
  std::int32_t line_ = 1000;

 public:
  Gm gm;
  Engine engine;
};

Settings NoCases() {
  Settings settings;
  settings.out = "/dev/null/none";
  settings.max_errors = 0;
  return settings;
}

/// The calls of the function below.
constexpr std::size_t kCalls = [] {
  std::size_t calls = isa::kReductionRows.size() + 8;
  for (const isa::Signature& row : isa::kLanewiseRows) {
    if (row.Has(isa::Param::kSelMode)) continue;
    calls += row.Has(isa::Param::kCount) ? 2 : 1;
  }
  return calls;
}();

/// One call or some of every audited instruction.
void CallEachInstruction(Kernel& kernel) {
  constexpr std::int64_t kBytes = 8192;
  const auto dst = kernel.Filled(0, kBytes, 0x4000);
  const auto a = kernel.Filled(kBytes, kBytes);
  const auto b = kernel.Filled(2 * kBytes, kBytes, 0xbc10);
  using isa::Param;
  const std::map<Param, std::int64_t> values = {
      {Param::kCount, 333},       {Param::kRepeatTimes, 3},
      {Param::kDstBlkStride, 2},  {Param::kSrc0BlkStride, 1},
      {Param::kSrc1BlkStride, 3}, {Param::kDstRepStride, 17},
      {Param::kSrc0RepStride, 9}, {Param::kSrc1RepStride, 25}};
  for (const isa::Signature& row : isa::kLanewiseRows) {
    if (row.Has(Param::kSelMode)) continue;
    std::vector<Kernel::Operand> operands;
    for (const isa::OperandSpec& spec : row.operands) {
      const lanediff_tensor tensors[] = {dst, a, b, b};
      operands.push_back({spec.name.data(), tensors[operands.size()]});
    }
    const bool converts = row.Has(Param::kRoundMode);  // from float to float
    if (row.Converts() && !converts) operands.front().dtype = LANEDIFF_INT8;
    if (row.PacksBits()) operands.front().dtype = LANEDIFF_UINT8;
    const auto dtype = static_cast<std::uint8_t>(
        converts ? isa::DType::kFloat
                 : isa::FindInstruction(row.op)->dtypes.front());
    for (const std::uint8_t form : {LANEDIFF_MASK_LEN, LANEDIFF_COUNT}) {
      if (form == LANEDIFF_COUNT && !row.Has(Param::kCount)) continue;
      Call call(row.op.data());
      call.Form(form, form == LANEDIFF_COUNT ? 0 : converts ? 60 : 100);
      for (const isa::ParamSpec& spec : row.params) {
        if (!values.contains(spec.param)) continue;
        const bool whole = spec.param == Param::kCount && row.PacksBits();
        call.Number(spec.name.data(), whole ? 384 : values.at(spec.param));
      }
      if (row.ReadsDst() || row.PacksBits()) call.Scalar(dtype, 0x4200);
      if (row.PacksBits()) call.Word("cmpMode", "GT");
      if (converts) call.Word("roundMode", "CAST_RINT");
      kernel.Execute(call, operands, dtype);
    }
  }
  const auto gm = kernel.Global(kBytes);
  kernel.Execute(Call("DataCopy")
                     .Numbers({"blockCount", "blockLen", "srcGap", "dstGap"},
                              {3, 2, 1, 4}),
                 {{"dst", dst}, {"src", gm}});
  kernel.Execute(Call("DataCopy").Count(48), {{"dst", gm}, {"src", a}});
  for (const std::int64_t padding : {0, 3}) {
    kernel.Execute(
        Call("DataCopyPad")
            .Numbers({"blockCount", "blockLen", "srcStride", "dstStride",
                      "isPad", "leftPadding", "rightPadding", "paddingValue"},
                     {3, 34, 5, 2, 1, padding, 2 * padding, 0x5a5b}),
        {{"dst", dst}, {"src", gm}});
  }
  kernel.Execute(
      Call("DataCopyPad")
          .Numbers({"blockCount", "blockLen", "srcStride", "dstStride"},
                   {3, 34, 2, 5}),
      {{"dst", gm}, {"src", a}});
  const std::map<Param, std::int64_t> of_sums = {
      {Param::kMask, 99},        {Param::kRepeatTimes, 3},
      {Param::kDstBlkStride, 0}, {Param::kSrc0BlkStride, 2},
      {Param::kDstRepStride, 5}, {Param::kSrc0RepStride, 17}};
  for (const isa::Signature& row : isa::kReductionRows) {
    Call call(row.op.data());
    call.Form(LANEDIFF_MASK_LEN, 99);
    for (const isa::ParamSpec& spec : row.params) {
      if (!of_sums.contains(spec.param) || spec.name == "mask") continue;
      call.Number(spec.name.data(), of_sums.at(spec.param));
    }
    kernel.Execute(call, {{"dst", dst}, {"src", a}});
  }
  for (const std::uint8_t dtype : {LANEDIFF_HALF, LANEDIFF_FLOAT}) {
    kernel.Execute(
        Call("Brcb").Numbers({"repeatTime", "dstBlkStride", "dstRepStride"},
                             {3, 2, 5}),
        {{"dst", dst}, {"src", a}}, dtype);
  }
  const auto product = kernel.Tensor(LANEDIFF_UB, 0, kBytes);
  const auto rows = kernel.Tensor(LANEDIFF_UB, kBytes, kBytes);
  const auto tmp = kernel.Tensor(LANEDIFF_UB, 2 * kBytes, kBytes);
  kernel.Execute(
      Call("TROWPROD")
          .Numbers({"dst.rows", "dst.cols", "dst.validRow", "dst.validCol",
                    "src.rows", "src.cols", "src.validRow", "src.validCol",
                    "tmp.rows", "tmp.cols", "tmp.validRow", "tmp.validCol"},
                   {8, 1, 5, 1, 8, 24, 5, 21, 8, 24, 8, 24})
          .Word("dst.layout", "DN")
          .Word("src.layout", "ND")
          .Word("tmp.layout", "ND"),
      {{"dst", product}, {"src", rows}, {"tmp", tmp}}, LANEDIFF_FLOAT);
}

std::string OpOfSlug(std::string_view slug) {
  const isa::Instruction* const found = isa::FindInstruction(slug);
  return found == nullptr ? "" : std::string(found->op);
}

TEST(Valuecheck, FindsNothingInTheEmulator) {
  Kernel kernel(NoCases());
  kernel.Begin();
  CallEachInstruction(kernel);
  kernel.engine.EndLaunch();
  EXPECT_TRUE(kernel.values.empty()) << kernel.values.begin()->second;
  const Counts& counts = kernel.engine.counts();
  EXPECT_EQ(counts.audited, kCalls);
  EXPECT_EQ(counts.values + counts.values_open, kCalls)
      << "every call is executed";
  EXPECT_EQ(kernel.refusals, 0U);
}

TEST(Valuecheck, FindsDefectiveEmulatorsOfEachInstruction) {
  std::map<std::string, int> found;
  for (const mutants::Mutant& mutant : mutants::Mutants()) {
    const std::string op = OpOfSlug(mutant.slug);
    if (!IsAudited(op) || found[op] >= 8) continue;
    Kernel kernel(NoCases(), &mutant.seams);
    if (found[op] > 0) kernel.only = op;
    kernel.Begin();
    CallEachInstruction(kernel);
    found[op] += kernel.values.contains(op) ? 1 : 0;
    EXPECT_EQ(kernel.values.size(), kernel.values.count(op)) << mutant.name;
  }
  EXPECT_EQ(std::ssize(found),
            std::ranges::count_if(isa::kSignatures, [](const auto& row) {
              return IsAudited(row.op);
            }));
  for (const auto& [op, count] : found) EXPECT_GE(count, 5) << op;
}

TEST(Valuecheck, FindsAByteThatNoOperandWas) {
  const auto* const mutant = mutants::FindMutant("dc-byte-behind-written");
  ASSERT_NE(mutant, nullptr);
  Kernel kernel(NoCases(), &mutant->seams);
  kernel.Begin();
  CallEachInstruction(kernel);
  ASSERT_EQ(kernel.values.count("DataCopy"), kernel.values.size());
  ASSERT_FALSE(kernel.values.empty());
  EXPECT_NE(kernel.values.begin()->second.find("which it should not touch"),
            std::string::npos)
      << kernel.values.begin()->second;
}

TEST(Valuecheck, ComparesTheFirstExecutionsOfEachSet) {
  const auto* const mutant = mutants::FindMutant("dc-last-byte-lost");
  ASSERT_NE(mutant, nullptr);
  Settings settings = NoCases();
  settings.values = 0;
  Kernel kernel(settings, &mutant->seams);
  kernel.Begin();
  CallEachInstruction(kernel);
  EXPECT_TRUE(kernel.values.empty());
  EXPECT_EQ(kernel.engine.counts().values, 0U);
  EXPECT_EQ(kernel.engine.counts().values_skipped, kCalls);
}

/// vec_trans, as TIK's programs have it: what it moves is `first`, `second`, …
Kernel& Transpose(Kernel& kernel, std::uint16_t first) {
  kernel.Begin();
  kernel.Global(64);
  kernel.engine.SetGm({kernel.Host(0), 64});
  std::vector<std::uint8_t> bytes(1024);
  for (std::size_t i = 0; i < 256; ++i) {
    const auto element = static_cast<std::uint16_t>(first + i % 7);
    std::memcpy(&bytes[2 * i], &element, 2);
  }
  kernel.engine.Load(isa::Memory::kUb, bytes);
  isa::Call call = isa::CallOf("vec_trans");
  call.dst() = {isa::Position::kUb, 512, 512, {}};
  call.src(0) = {isa::Position::kUb, 0, 512, {}};
  call[isa::Param::kRepeatTimes] = 1;
  call[isa::Param::kDstRepStride] = call[isa::Param::kSrc0RepStride] = 1;
  kernel.engine.Take(call, kernel.Site());
  return kernel;
}

/// The payload of every NaN that is moved is another one.
emulator::Seams OtherNans() {
  emulator::Seams seams;
  auto& transpose = emulator::TransposeIn(seams, isa::kTransposeRows.front());
  transpose.vectors = nullptr;
  transpose.kernel = [](const emulator::VecTransPlan& plan,
                        std::int64_t iteration,
                        std::span<const std::uint8_t> ub,
                        emulator::VecTransBlock& transposed) {
    emulator::kVecTrans.kernel(plan, iteration, ub, transposed);
    for (std::uint16_t& element : transposed) {
      if ((element & 0x7fff) > 0x7c00) element ^= 0x8000;
    }
  };
  return seams;
}

TEST(Valuecheck, EveryBitOfANanThatIsMovedCounts) {
  const emulator::Seams seams = OtherNans();
  Kernel numbers(NoCases(), &seams);
  EXPECT_TRUE(Transpose(numbers, 0x3c00).values.empty());
  EXPECT_EQ(numbers.engine.counts().values, 1U);
  Kernel nans(NoCases(), &seams);
  EXPECT_EQ(Transpose(nans, 0x7e01).values.count("vec_trans"), 1U);
  Kernel right(NoCases());
  EXPECT_TRUE(Transpose(right, 0x7e01).values.empty());
}

TEST(Refused, IsATranspositionOfAKernel) {
  Kernel kernel(NoCases());
  kernel.Begin();
  const auto matrix = kernel.Tensor(LANEDIFF_UB, 0, 512);
  EXPECT_EQ(kernel.Execute(Call("vec_trans")
                               .Numbers({"repeat_times", "dst_rep_stride",
                                         "src_rep_stride"},
                                        {1, 1, 1}),
                           {{"dst", matrix}, {"src", matrix}}),
            Next::kEndBlock);
  EXPECT_EQ(kernel.refusals, 1U);
  EXPECT_EQ(kernel.engine.counts().audited, 0U);
}

/// A call that gives what a register holds.
Next Read(Kernel& kernel, const char* name,
          std::uint8_t dtype = LANEDIFF_HALF) {
  return kernel.Execute(Call(name).Scalar(dtype, 0), {}, dtype);
}

TEST(Uncertified, IsTheRegisterOfASum) {
  Kernel kernel(NoCases());
  kernel.Begin();
  const auto dst = kernel.Filled(0, 64);
  const auto src = kernel.Filled(64, 64);
  const auto tmp = kernel.Filled(128, 64);
  kernel.Execute(Call("ReduceSum").Count(16),
                 {{"dst", dst}, {"src", src}, {"tmp", tmp}});
  EXPECT_EQ(kernel.notes.count("KRN-APPROX"), 0U);
  for (const char* name : {"GetReduceRepeatSumSpr", "GetAccVal"}) {
    EXPECT_EQ(Read(kernel, name), Next::kGoOn);
    EXPECT_NE(kernel.returned, 0U);
  }
  EXPECT_EQ(kernel.notes.count("KRN-APPROX"), 2U);
}

TEST(Uncertified, IsTheRegisterThatASkippedCallWouldSet) {
  Kernel kernel(NoCases());
  kernel.Begin();
  const auto dst = kernel.Filled(0, 64);
  const auto src = kernel.Filled(64, 64);
  const auto tmp = kernel.Filled(128, 64);
  const auto sum = [&](std::int64_t count, std::uint8_t dtype) {
    kernel.Execute(Call("ReduceSum").Count(count),
                   {{"dst", dst}, {"src", src}, {"tmp", tmp}}, dtype);
  };
  sum(16, LANEDIFF_HALF);
  sum(9999, LANEDIFF_FLOAT);
  EXPECT_EQ(Read(kernel, "GetAccVal", LANEDIFF_FLOAT), Next::kGoOn)
      << "a sum of floats was before it";
  EXPECT_EQ(kernel.notes.count("KRN-APPROX"), 1U);
  sum(16, LANEDIFF_HALF);
  sum(16, LANEDIFF_INT32);
  EXPECT_EQ(Read(kernel, "GetAccVal", LANEDIFF_HALF), Next::kEndBlock)
      << "the last sum is of integers";
}

TEST(Uncertified, IsWhatASkippedMrgSortWouldReturn) {
  Kernel kernel(NoCases());
  kernel.Begin();
  const auto dst = kernel.Filled(0, 64);
  const auto a = kernel.Filled(64, 64);
  const auto b = kernel.Filled(128, 64);
  const auto merge = [&](std::int64_t length, std::int64_t suspends) {
    kernel.Execute(
        Call("MrgSort").Numbers({"elementLengths0", "elementLengths1",
                                 "validBit", "ifExhaustedSuspension"},
                                {length, length, 3, suspends}),
        {{"dst", dst}, {"src0", a}, {"src1", b}}, LANEDIFF_FLOAT);
  };
  merge(2, 1);
  EXPECT_EQ(Read(kernel, "GetMrgSortResult"), Next::kGoOn);
  EXPECT_EQ(kernel.notes.count("KRN-APPROX"), 0U);
  merge(4000, 1);
  EXPECT_EQ(Read(kernel, "GetMrgSortResult"), Next::kGoOn);
  EXPECT_EQ(kernel.notes.count("KRN-APPROX"), 1U);
  merge(2, 1);
  EXPECT_EQ(Read(kernel, "GetMrgSortResult"), Next::kGoOn);
  EXPECT_EQ(kernel.notes.count("KRN-APPROX"), 1U);
  merge(4000, 0);
  EXPECT_EQ(Read(kernel, "GetMrgSortResult"), Next::kEndBlock);
}

TEST(Uncertified, IsTheDstOfACallWithoutPlan) {
  Kernel kernel(NoCases());
  kernel.Begin();
  const auto dst = kernel.Filled(0, 64);
  const auto src = kernel.Filled(64, 64);
  const auto read = [&] {
    std::uint64_t value = 0;
    kernel.engine.GetValue({"src", dst, LANEDIFF_INT32}, 3, kernel.Site(),
                           value);
  };
  kernel.Execute(Call("Duplicate").Count(16), {{"dst", dst}}, LANEDIFF_INT32);
  read();
  EXPECT_EQ(kernel.notes.count("KRN-APPROX"), 0U);
  // Page Prelu lists no integers.
  kernel.Execute(Call("Prelu").Count(16),
                 {{"dst", dst}, {"src0", src}, {"src1", src}}, LANEDIFF_INT32);
  kernel.Execute(Call("Adds").Count(16), {{"dst", dst}, {"src", dst}},
                 LANEDIFF_INT32);
  read();
  EXPECT_EQ(kernel.notes.count("KRN-APPROX"), 1U);
  EXPECT_EQ(kernel.refusals, 0U);
}

TEST(Refused, IsSetPadValueOf64Bits) {
  for (const std::int64_t value : {0, 1}) {
    Kernel kernel(NoCases());
    kernel.Begin();
    const auto dst = kernel.Filled(0, 64);
    const auto src = kernel.Global(64);
    const lanediff_parameter set[] = {{"paddingValue", value, nullptr},
                                      {"dtype", LANEDIFF_INT64, nullptr}};
    kernel.engine.State("SetPadValue", set, 2, kernel.Site());
    const Next next = kernel.Execute(
        Call("DataCopyPad")
            .Numbers({"blockCount", "blockLen", "srcStride", "dstStride",
                      "isPad", "leftPadding", "rightPadding", "paddingValue"},
                     {1, 8, 0, 0, 0, 0, 1, 0}),
        {{"dst", dst}, {"src", src}}, LANEDIFF_INT64);
    EXPECT_EQ(next, value == 0 ? Next::kGoOn : Next::kEndBlock);
    EXPECT_EQ(kernel.refusals, value == 0 ? 0U : 1U);
    EXPECT_EQ(kernel.engine.counts().rejected, 0U);
  }
}

TEST(Refused, IsSetDeqScaleWhereItsPageDoesNotListTheProduct) {
  using enum isa::Product;
  for (const auto& [product, refusals] :
       {std::pair(kAtlasA2, 0U), std::pair(kAtlasInferenceAicore, 0U),
        std::pair(kAtlasTraining, 1U), std::pair(kAtlas200i500A2, 1U)}) {
    Settings settings = NoCases();
    settings.product = product;
    Kernel kernel(settings);
    kernel.Begin();
    const lanediff_parameter scale = {"scale", 0x3c00, nullptr};
    kernel.engine.State("SetDeqScale", &scale, 1, kernel.Site());
    EXPECT_EQ(kernel.refusals, refusals) << isa::Name(product);
  }
}

TEST(Refused, IsACallThatNumbersLanesInCounterMode) {
  for (const std::uint8_t form : {LANEDIFF_COUNT, LANEDIFF_MASK_LEN}) {
    Kernel kernel(NoCases());
    kernel.Begin();
    const auto dst = kernel.Filled(0, 256);
    kernel.engine.State("SetMaskCount", nullptr, 0, kernel.Site());
    Call call("CreateVecIndex");
    call.Scalar(LANEDIFF_INT32, 5).Form(form, 20);
    if (form == LANEDIFF_COUNT) call.Number("count", 20);
    kernel.Execute(call, {{"dst", dst}}, LANEDIFF_INT32);
    EXPECT_EQ(kernel.refusals, form == LANEDIFF_COUNT ? 0U : 1U);
  }
}

TEST(RawPointers, AreTensorsAgain) {
  Kernel kernel(NoCases());
  kernel.Begin();
  const auto tensor = kernel.Tensor(LANEDIFF_VECCALC, 1024, 64);
  kernel.Tensor(LANEDIFF_VECCALC, 1088, 64);
  kernel.engine.Address(tensor, kernel.Site());
  const auto address = reinterpret_cast<std::uint64_t>(
      kernel.engine.Address(tensor, kernel.Site()));
  EXPECT_EQ(kernel.engine.counts().raw_pointers, 2U);
  for (const std::uint64_t left : {1U, 0U, 0U}) {
    const lanediff_tensor again = kernel.engine.TensorAt(address);
    EXPECT_EQ(again.at, 1024U);
    EXPECT_EQ(again.window, 64) << "the buffer behind it is another one";
    EXPECT_EQ(again.position, LANEDIFF_VECCALC);
    EXPECT_EQ(kernel.engine.counts().raw_pointers, left);
  }
  const lanediff_tensor beyond = kernel.engine.TensorAt(address + 4096);
  EXPECT_EQ(beyond.window, 0);
  EXPECT_EQ(beyond.position, LANEDIFF_NO_POSITION);
}

TEST(Counters, EachCountsItsOwn) {
  Settings settings = NoCases();
  settings.values = 1;
  Kernel kernel(settings);
  Engine& engine = kernel.engine;
  kernel.Begin(2);
  engine.EnterBlock(1);
  engine.EndLaunch();
  kernel.Begin();
  const auto dst = kernel.Filled(0, 64);
  const auto a = kernel.Filled(256, 64);
  const auto b = kernel.Filled(512, 64);
  const auto add = [&](const lanediff_tensor& to, std::int64_t count) {
    kernel.Execute(Call("Add").Count(count),
                   {{"dst", to}, {"src0", a}, {"src1", b}}, LANEDIFF_HALF, 1);
  };
  for (int i = 0; i < 3; ++i) add(dst, 16);  // 1 compared, 2 skipped
  add(dst, 9999);                            // rejected
  const auto with_count = [&](const char* name, lanediff_tensor to,
                              lanediff_tensor from) {
    return kernel.Execute(Call(name).Count(16), {{"dst", to}, {"src", from}});
  };
  with_count("Abs", dst, a);
  with_count("Neg", dst, a);
  with_count("Relu", dst, a);
  with_count("Exp", dst, a);
  with_count("Ln", dst, a);
  const std::vector<std::uint8_t> unknown(64);
  with_count("DataCopy", dst, Kernel::Pointer(unknown.data()));
  const auto gm = kernel.Global(64);
  const lanediff_operand element{"src", gm, LANEDIFF_HALF};
  std::uint64_t value = 0;
  engine.GetValue(element, 3, kernel.Site(), value);
  EXPECT_EQ(value, 0x3c04U);
  kernel.Execute(Call("Add").Count(16).Number("auto", 1),
                 {{"dst", dst}, {"src0", a}, {"src1", b}});
  kernel.Execute(Call("NoSuchCall").Count(1), {});
  engine.EndLaunch();
  const Counts& counts = engine.counts();
  EXPECT_EQ(counts.launches, 2U);
  EXPECT_EQ(counts.blocks, 3U);
  EXPECT_EQ(counts.audited, 10U);
  EXPECT_EQ(counts.legality, 10U);
  EXPECT_EQ(counts.values, 5U);
  EXPECT_EQ(counts.values_open, 2U);
  EXPECT_LE(counts.most_ulp, 1U);
  EXPECT_EQ(counts.values_skipped, 2U);
  EXPECT_EQ(counts.carried, 1U);
  EXPECT_EQ(counts.approximate, 0U);
  EXPECT_EQ(counts.refused, 1U);
  EXPECT_EQ(kernel.refusals, 1U);
  EXPECT_EQ(counts.gm_extent, 1U);
  EXPECT_EQ(counts.raw_pointers, 3U);
  EXPECT_EQ(counts.sync_auto, 1U);
  EXPECT_EQ(counts.gm_cache, 1U);
  // Add reads and writes 96 bytes, one source's call 64, GetValue 2; Neg, which
  // the product does not have, none.
  EXPECT_EQ(counts.bytes_followed, 4U * 96 + 5U * 64 + 2);
}

TEST(Counters, HiddenIsWhatTheCompilerOrders) {
  for (const bool automatic : {true, false}) {
    Settings settings = NoCases();
    settings.auto_sync = automatic;
    Kernel kernel(settings);
    kernel.Begin();
    const auto a = kernel.Filled(0, 64);
    const auto b = kernel.Filled(64, 64);
    for (const auto& [dst, src] : {std::pair(a, b), std::pair(b, a)}) {
      kernel.Execute(Call("Add").Count(16),
                     {{"dst", dst}, {"src0", src}, {"src1", src}});
    }
    kernel.engine.EndLaunch();
    EXPECT_EQ(kernel.engine.counts().hidden_by_auto_sync, automatic ? 2U : 0U);
  }
}

}  // namespace
}  // namespace lanediff::kernel
