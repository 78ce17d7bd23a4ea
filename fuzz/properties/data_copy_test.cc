#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <span>

#include "differential/memory/memory_set.h"
#include "differential/targets/target_kind.h"
#include "differential/testcase/element.h"
#include "fuzz/properties/law.h"
#include "isa/intervals.h"
#include "isa/memory_map.h"
#include "isa/units.h"

/// Laws of copies.
namespace lanediff::properties {
namespace {

using isa::DType;
using isa::Operand;
using isa::Param;
using isa::Position;
using isa::Product;

using isa::kDataBlockBytes;

// ---- Calls ------------------------------------------------------------------

const isa::Signature& kDataCopy = *isa::FindSignature("DataCopy");
const isa::Signature& kDataCopyPad = *isa::FindSignature("DataCopyPad");

/// A legal copy into the Unified Buffer with its surroundings.
struct CopySample {
  Product product = Product::kAtlasA2;
  std::uint8_t fill = 0;
  isa::Call call = isa::CallOf("DataCopy");
  std::vector<std::uint8_t> source;

  bool from_gm() const { return call.src(0).position == Position::kGm; }
  bool pads() const { return call.Has(Param::kIsPad); }
  /// What a length, and a gap of the source, counts.
  std::int64_t unit() const { return pads() ? 1 : kDataBlockBytes; }
  std::int64_t element() const { return isa::SizeBytes(call.dtype); }
  std::int64_t length() const { return call[Param::kBlockLen] * unit(); }
  std::int64_t left() const { return call[Param::kLeftPadding] * element(); }
  std::int64_t right() const { return call[Param::kRightPadding] * element(); }
  /// A block with what pads it.
  std::int64_t whole() const {
    return isa::RoundUp(left() + length() + right(), kDataBlockBytes);
  }
  std::int64_t src_step() const {
    return length() + call[Param::kSrcGap] * unit();
  }
  std::int64_t dst_step() const {
    return whole() + call[Param::kDstGap] * kDataBlockBytes;
  }
};

std::vector<std::uint8_t> DrawBytes(std::int64_t count) {
  make::Random random(DrawWord("bytes"));
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(count));
  for (std::uint8_t& byte : bytes) {
    byte = static_cast<std::uint8_t>(random.Bits() & 0xff);
  }
  return bytes;
}

DType DrawType() {
  return *rc::gen::element(DType::kHalf, DType::kInt8, DType::kUint8,
                           DType::kInt16, DType::kUint16, DType::kInt32,
                           DType::kUint32, DType::kInt64, DType::kUint64,
                           DType::kFloat, DType::kDouble)
              .as("dtype");
}

bool CopiesInsideUb(Product product) {
  return product != Product::kAtlasInferenceVectorcore &&
         product != Product::kAtlas200i500A2;
}

/// Of a copy that pads, each side, and isPad where there is padding.
void DrawPadding(CopySample& s) {
  const std::int64_t most = kDataBlockBytes / s.element();
  s.call[Param::kLeftPadding] = Draw("leftPadding", std::int64_t{0}, most);
  s.call[Param::kRightPadding] = Draw("rightPadding", std::int64_t{0}, most);
  s.call.is_pad = s.left() + s.right() > 0 || DrawFlag("isPad");
  if (s.element() == 8) return;
  s.call.scalar = DrawWord("paddingValue") & isa::WidthMask(s.call.dtype);
}

CopySample DrawCopy(const isa::Signature& row, std::int64_t most_blocks = 6,
                    std::int64_t most_gap = 6) {
  CopySample s;
  s.call = isa::CallOf(row);
  s.product = DrawProduct(row.op);
  s.fill = DrawFill();
  isa::Call& call = s.call;
  call.dtype = DrawType();
  RC_PRE(isa::FindInstruction(row.op)->Has(s.product, call.dtype));
  const auto blocks = Draw("blockCount", std::int64_t{1}, most_blocks);
  const auto length = s.pads()
                          ? s.element() * Draw<std::int64_t>("elements", 1, 100)
                          : Draw<std::int64_t>("blockLen", 1, 6);
  if (s.pads()) DrawPadding(s);
  const auto src_gap = Draw("srcGap", std::int64_t{0}, most_gap);
  const auto dst_gap = Draw("dstGap", std::int64_t{0}, most_gap);
  call.SetBlocks(blocks, length, src_gap, dst_gap);
  const std::int64_t last = blocks - 1;
  const std::int64_t dst_at =
      kMarginBytes + kDataBlockBytes * Draw<std::int64_t>("dst offset", 0, 4);
  const bool local =
      !s.pads() && CopiesInsideUb(s.product) && DrawFlag("inside UB");
  call.dst() = At(local ? Position::kVeccalc : Position::kVecin, dst_at,
                  last * s.dst_step() + s.whole());
  // At GM any multiple of the largest element size will do, or any byte.
  call.src(0) =
      At(local ? Position::kVecin : Position::kGm,
         local ? dst_at + call.dst().bytes + kMarginBytes
               : (s.pads() ? 1 : 8) * Draw<std::int64_t>("src offset", 0, 20),
         last * s.src_step() + s.length());
  s.source = DrawBytes(call.src(0).bytes);
  return s;
}

/// `program`, with the surroundings and the source of `s`, and space at the
/// end of both memories that is as large as the larger operand.
Case CaseOf(const CopySample& s, std::vector<isa::Step> program) {
  const Region source{.at = s.call.src(0).at, .dtype = {}, .bytes = s.source};
  const Operand& top = s.from_gm() ? s.call.dst() : s.call.src(0);
  const std::int64_t space =
      std::max(s.call.dst().bytes, s.call.src(0).bytes) + 2 * kMarginBytes;
  std::vector<Region> in_ub;
  if (!s.from_gm()) in_ub.push_back(source);
  Case c = UbCase(s.product, s.fill, top.at + top.bytes + space,
                  std::move(in_ub), std::move(program));
  std::vector<Region> in_gm;
  if (s.from_gm()) in_gm.push_back(source);
  c.memory[static_cast<std::size_t>(isa::Memory::kGm)] =
      MemoryImage{.fill = s.fill,
                  .size = (s.from_gm() ? source.end() : 0) + space,
                  .regions = std::move(in_gm)};
  return c;
}

/// The first place behind both operands in the Unified Buffer.
std::int64_t FreeUb(const CopySample& s) {
  const Operand& top = s.from_gm() ? s.call.dst() : s.call.src(0);
  return top.at + top.bytes + kMarginBytes;
}

// ---- Verdicts ---------------------------------------------------------------

/// Both programs leave the same memory; the first one is the call of `s`.
Verdict SameMemory(const CopySample& s, std::vector<isa::Step> second) {
  return properties::SameMemory(CaseOf(s, {s.call}),
                                CaseOf(s, std::move(second)));
}

// ---- Laws -------------------------------------------------------------------

Operand Moved(Operand window, Position position, std::int64_t at) {
  window.position = position;
  window.at = at;
  return window;
}

Bytes Part(const Bytes& bytes, std::int64_t at, std::int64_t count) {
  const auto begin = bytes.begin() + at;
  return {begin, begin + count};
}

/// From GM in, out to another place of GM, and in again at another place.
Verdict ThereAndBackRestores() {
  const CopySample s = DrawCopy(kDataCopy, /*most_blocks=*/1, /*most_gap=*/0);
  RC_PRE(s.from_gm());
  const Operand in = s.call.dst();
  const std::int64_t gm =
      isa::RoundUp(s.call.src(0).at + s.call.src(0).bytes, 8);
  const std::int64_t back_at = isa::RoundUp(FreeUb(s), kDataBlockBytes);
  isa::Call out = s.call;
  out.src(0) = Moved(in, Position::kVecout, in.at);
  out.dst() = Moved(in, Position::kGm, gm);
  isa::Call back = s.call;
  back.src(0) = out.dst();
  back.dst() = Moved(in, Position::kVecin, back_at);
  const Case c = CaseOf(s, {s.call, out, back});
  return Related(c, c, [&](const Bytes& a, const Bytes& b) {
    std::string difference = Difference(Part(a, in.at, in.bytes), s.source);
    if (!difference.empty()) return difference;
    return Difference(Part(b, back_at, in.bytes), s.source);
  });
}

Verdict BlocksAreSingleCopies(const isa::Signature& row) {
  const CopySample s = DrawCopy(row);
  std::vector<isa::Step> singles;
  for (std::int64_t i = 0; i < s.call[Param::kBlockCount]; ++i) {
    isa::Call single = s.call;
    single.SetBlocks(1, s.call[Param::kBlockLen]);
    single.src(0).at += i * s.src_step();
    single.dst().at += i * s.dst_step();
    single.src(0).bytes = s.length();
    single.dst().bytes = s.whole();
    singles.emplace_back(single);
  }
  return SameMemory(s, std::move(singles));
}

Verdict BlocksWithoutGapsAreOneBlock() {
  const CopySample s = DrawCopy(kDataCopy, /*most_blocks=*/6, /*most_gap=*/0);
  isa::Call one = s.call;
  one.SetBlocks(1, one[Param::kBlockLen] * one[Param::kBlockCount]);
  return SameMemory(s, {one});
}

Verdict CountIsParams() {
  const CopySample s = DrawCopy(kDataCopy, /*most_blocks=*/1);
  isa::Call counted = s.call;
  counted.form = counted.signature->FormWith(Param::kCount);
  counted.params = {};
  counted[Param::kCount] = s.length() / isa::SizeBytes(s.call.dtype);
  return SameMemory(s, {counted});
}

Verdict TypeMovesTheSameBytes() {
  const CopySample s = DrawCopy(kDataCopy);
  isa::Call other = s.call;
  other.dtype = DrawType();
  return SameMemory(s, {other});
}

// ---- Of a copy that pads ----------------------------------------------------

/// All blocks in, out of UB to another place of GM, and in again at another
/// place, without padding.
Verdict PaddedBlocksThereAndBackRestore() {
  CopySample s = DrawCopy(kDataCopyPad);
  // Out of UB a block begins at a whole DataBlock.
  s.call[Param::kLeftPadding] =
      s.left() == 0 ? 0 : kDataBlockBytes / s.element();
  const std::int64_t count = s.call[Param::kBlockCount];
  s.call.dst().bytes = (count - 1) * s.dst_step() + s.whole();
  const std::int64_t bare = isa::RoundUp(s.length(), kDataBlockBytes);
  const std::int64_t back_at = isa::RoundUp(FreeUb(s), kDataBlockBytes);
  isa::Call back = isa::CallOf(kDataCopyPad);
  back.dtype = s.call.dtype;
  back.SetBlocks(count, s.length(), s.call[Param::kSrcGap]);
  back.src(0) = s.call.src(0);
  back.src(0).at += s.call.src(0).bytes + 3;
  back.dst() = At(Position::kVecin, back_at, count * bare);
  isa::Call out = back;
  out.SetBlocks(count, s.length(), (s.dst_step() - bare) / kDataBlockBytes,
                s.call[Param::kSrcGap]);
  ++out.form;
  out.src(0) =
      Moved(s.call.dst(), Position::kVecout, s.call.dst().at + s.left());
  out.dst() = back.src(0);
  const Case c = CaseOf(s, {s.call, out, back});
  return Related(c, c, [&](const Bytes& ub, const Bytes&) {
    std::string difference;
    for (std::int64_t i = 0; i < count && difference.empty(); ++i) {
      difference = Difference(Part(ub, back_at + i * bare, s.length()),
                              Part(s.source, i * s.src_step(), s.length()),
                              fmt::format(" of block {}", i));
    }
    return difference;
  });
}

/// In front of a block and behind it stands paddingValue, or, without padding,
/// the block's first element. isPad decides nothing else.
Verdict PaddingIsTheValueOrTheFirstElement() {
  const CopySample s = DrawCopy(kDataCopyPad);
  const bool has_value = s.left() + s.right() > 0;
  isa::Call without = s.call;
  without.is_pad = false;
  const auto relation = [&](const Bytes& ub, const Bytes& ub_without) {
    std::vector<Written> padding;
    for (std::int64_t i = 0; i < s.call[Param::kBlockCount]; ++i) {
      const std::uint64_t value =
          has_value ? s.call.scalar
                    : LoadElement(s.call.dtype, Part(s.source, i * s.src_step(),
                                                     s.element()));
      for (std::int64_t b = 0; b < s.whole(); b += s.element()) {
        if (b >= s.left() && b < s.left() + s.length()) continue;
        const std::int64_t at = s.call.dst().at + i * s.dst_step() + b;
        if (has_value) padding.push_back({at, s.call.dtype});
        const std::uint64_t found = ElementAt(ub, s.call.dtype, at);
        if (found == value) continue;
        return fmt::format("{:#x} pads block {} at byte {}, not {:#x}", found,
                           i, b, value);
      }
    }
    return OutsideDifference(padding, ub, ub_without);
  };
  return Related(CaseOf(s, {s.call}), CaseOf(s, {without}), relation);
}

/// Of whole DataBlocks, without padding.
Verdict WholeDataBlocksAreDataCopy() {
  const CopySample s = DrawCopy(kDataCopy);
  const isa::Instruction& pads = *isa::FindInstruction(kDataCopyPad.op);
  RC_PRE(s.from_gm() && pads.Has(s.product) &&
         pads.Has(s.product, s.call.dtype));
  isa::Call bytes = s.call;
  bytes.signature = &kDataCopyPad;
  bytes.form = 0;
  bytes[Param::kBlockLen] *= kDataBlockBytes;
  bytes[Param::kSrcGap] *= kDataBlockBytes;
  return SameMemory(s, {bytes});
}

// ---- From half to float, for every half there is ---------------------------

/// The bits of the float that is the value of a half; of a NaN, those with its
/// sign and its payload at the top.
std::uint32_t Widened(std::uint32_t half) {
  const std::uint32_t sign = (half >> 15) << 31;
  const int exponent = static_cast<int>(half >> 10 & 31);
  const std::uint32_t fraction = half & 0x3ff;
  if (exponent == 31) return sign | 0x7f800000 | fraction << 13;
  const std::uint32_t significand = exponent == 0 ? fraction : fraction | 0x400;
  const float value =
      std::ldexp(static_cast<float>(significand), std::max(exponent, 1) - 25);
  return sign | std::bit_cast<std::uint32_t>(value);
}

/// Copies the 256 halves from `first` on, as much as the BiasTable holds.
Case WideningCase(Product product, std::uint32_t first) {
  isa::Call call = isa::CallOf("DataCopy");
  call.dst() = {.position = Position::kC2,
                .at = 0,
                .bytes = 1024,
                .dtype = DType::kFloat};
  call.src(0) = At(Position::kC1, 0, 512);
  call.SetBlocks(1, 8);
  Region source{.at = 0, .dtype = DType::kHalf, .bytes = {}};
  for (std::uint32_t i = 0; i < 256; ++i) {
    AppendElement(DType::kHalf, first + i, source.bytes);
  }
  Case c;
  c.id = "properties/unsaved";
  c.product = product;
  c.edition = EditionUnderTest();
  c.memory[static_cast<std::size_t>(isa::Memory::kL1)] =
      MemoryImage{.fill = 0, .size = 512, .regions = {std::move(source)}};
  c.program = {call};
  return c;
}

/// All halves on one target; the first that is widened wrongly is reported.
Verdict EveryHalfWidens(Product product, const diff::StepwiseTarget& target) {
  for (std::uint32_t first = 0; first < 0x10000; first += 256) {
    Case c = WideningCase(product, first);
    diff::MemorySet memory(c);
    const auto result =
        target.Open(c.profile(), memory.view())->Execute(c.program[0]);
    if (result.status != isa::StepResult::Status::kExecuted) {
      return {.broken = "the copy is not executed", .witness = c};
    }
    const std::span<const std::uint8_t> table = memory[isa::Memory::kBt];
    for (std::uint32_t i = 0; i < 256; ++i) {
      const auto bits = LoadElement(DType::kFloat, table.subspan(4 * i));
      if (bits == Widened(first + i)) continue;
      return {.broken =
                  fmt::format("{} widens half {:#06x} to {}", target.name(),
                              first + i, DescribeElement(DType::kFloat, bits)),
              .witness = c};
    }
  }
  return {};
}

void ExpectEveryHalfWidens() {
  for (Product product : {Product::kAtlasA2, Product::kAtlasA3}) {
    for (const diff::Target* target : diff::ListedTargets()) {
      const Verdict verdict = EveryHalfWidens(product, diff::StepsOf(*target));
      EXPECT_EQ(verdict.broken, "")
          << SaveWitness("data_copy", "every-half-widens-exactly", verdict);
    }
  }
}

[[maybe_unused]] const bool kGiven =
    GiveTest("DataCopyLaws", "EveryHalfWidensExactly", ExpectEveryHalfWidens) &&
    GiveLaws("data_copy",
             {{"ThereAndBackRestores", ThereAndBackRestores},
              {"BlocksAreSingleCopies",
               [] { return BlocksAreSingleCopies(kDataCopy); }},
              {"BlocksWithoutGapsAreOneBlock", BlocksWithoutGapsAreOneBlock},
              {"CountIsParams", CountIsParams},
              {"TypeMovesTheSameBytes", TypeMovesTheSameBytes}}) &&
    GiveLaws("data_copy_pad",
             {{"ThereAndBackRestores", PaddedBlocksThereAndBackRestore},
              {"PaddingIsTheValueOrTheFirstElement",
               PaddingIsTheValueOrTheFirstElement},
              {"WholeDataBlocksAreDataCopy", WholeDataBlocksAreDataCopy},
              {"BlocksAreSingleCopies",
               [] { return BlocksAreSingleCopies(kDataCopyPad); }}});

}  // namespace
}  // namespace lanediff::properties
