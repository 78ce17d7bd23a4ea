#include "generators/lanewise.h"

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

#include "differential/testcase/case.h"
#include "generators/random/generate.h"
#include "generators/random/operands.h"
#include "generators/values.h"
#include "isa/memory_map.h"

namespace lanediff::make {
namespace {

using isa::DType;
using isa::Operand;
using isa::Param;
using isa::Product;

/// How the operands lie, with weights.
constexpr std::array<Weighted<LayoutIntent>, 12> kLayouts = {{
    {LayoutIntent::kDisjoint, 22},
    {LayoutIntent::kTouching, 20},
    {LayoutIntent::kIdentical, 14},
    {LayoutIntent::kSameSource, 7},
    {LayoutIntent::kInterleaved, 7},
    {LayoutIntent::kException, 9},
    {LayoutIntent::kExceptionNearMiss, 6},
    {LayoutIntent::kOverlapOneByte, 5},
    {LayoutIntent::kSameStart, 3},
    {LayoutIntent::kOverlapOneElement, 3},
    {LayoutIntent::kOverlapOneBlock, 2},
    {LayoutIntent::kLastIterationDepends, 3},
}};

constexpr bool NeedsTwoSources(LayoutIntent layout) {
  return layout == LayoutIntent::kSameSource ||
         layout == LayoutIntent::kException ||
         layout == LayoutIntent::kExceptionNearMiss;
}
constexpr auto kOneSourceLayouts = [] {
  std::array<Weighted<LayoutIntent>, 9> some{};
  std::ranges::copy_if(kLayouts, some.begin(), [](const auto& row) {
    return !NeedsTwoSources(row.value);
  });
  return some;
}();

/// A row, and what its calls are drawn from.
struct Kind {
  const isa::Signature* signature;
  std::vector<Weighted<DType>> types;
  std::span<const Weighted<LayoutIntent>> layouts;
  DataUse use;
  std::int64_t most_repeat_stride;
};

Kind KindOf(const isa::Signature& signature) {
  constexpr Weighted<DType> kUsual[] = {{DType::kHalf, 40},
                                        {DType::kFloat, 25},
                                        {DType::kInt32, 20},
                                        {DType::kInt16, 15}};
  Kind kind = {.signature = &signature,
               .types = {},
               .layouts = kLayouts,
               .use = ValuesOf(signature.op).use,
               .most_repeat_stride = MostRepeatStride(signature)};
  // Without sources that may run over dst.
  if (signature.sources() == 1 || signature.Has(Param::kSelMode)) {
    kind.layouts = kOneSourceLayouts;
  }
  // What dst alone has is disjoint, the first one.
  if (signature.sources() == 0) kind.layouts = kind.layouts.first(1);
  std::vector<DType> types = TypesOf(signature.op);
  for (const Weighted<DType>& row : kUsual) {
    if (std::erase(types, row.value) > 0) kind.types.push_back(row);
  }
  for (DType type : types) kind.types.push_back({type, 15});
  return kind;
}

/// Repeats that a layout with large strides keeps.
constexpr std::int64_t kFewRepeats = 8;
/// DataBlocks that repeats in place may take, 16 KiB.
constexpr std::int64_t kMostBlocks = 512;

/// A call on its way to its place.
struct LanewiseDraft {
  isa::Call step;
  LaneRange lanes;  ///< not of the count form
  LayoutIntent layout = LayoutIntent::kDisjoint;

  /// From the start to behind the last byte that the lanes of operand `i`
  /// touch.
  std::int64_t Bytes(std::size_t i) const {
    const isa::OperandSpec& spec = step.signature->operands[i];
    if (spec.is_packed && spec.is_written) {
      const std::int64_t all = step.IsByCount()
                                   ? step[Param::kCount]
                                   : step[Param::kRepeatTimes] * LanesOf(step);
      return all / 8;
    }
    const std::int64_t element = isa::SizeBytes(step.TypeOf(i));
    if (spec.is_packed) return Bits();
    if (step.IsByCount()) return step[Param::kCount] * element;
    return VectorShape{element, step.BlkStride(i), step.RepStride(i),
                       step[Param::kRepeatTimes], lanes}
        .bytes();
  }

 private:
  /// Of packed bits that are read.
  std::int64_t Bits() const {
    const std::int64_t all = LanesOf(step);
    const bool same = step.sel_mode == isa::SelMode::kSameBits;
    if (step.IsByCount()) {
      const std::int64_t count = step[Param::kCount];
      return ((same ? std::min(count, all) : count) + 7) / 8;
    }
    const std::int64_t times = step[Param::kRepeatTimes];
    if (times == 0) return 0;
    return (same ? 0 : (times - 1) * all / 8) + lanes.highest / 8 + 1;
  }
};

constexpr std::array<std::int64_t, 6> kBlockStrides = {1, 1, 1, 2, 3, 9};
constexpr std::array<std::int64_t, 6> kSourceBlockStrides = {1, 1, 1, 0, 2, 9};
constexpr std::array<std::int64_t, 7> kRepeatStrides = {8, 8, 0, 1, 7, 9, 16};

/// Another of the types, where the product lacks the one drawn.
DType Type(Random& random, const Kind& kind, Product product) {
  const DType drawn = random.PickWeighted(kind.types);
  const isa::Instruction& known = *isa::FindInstruction(kind.signature->op);
  auto row = std::ranges::find(kind.types, drawn, &Weighted<DType>::value);
  while (row != kind.types.begin() && !known.Has(product, row->value)) --row;
  return row->value;
}

/// Types and a mode that the page lists, for the most part.
void SetConversion(Random& random, Product product, isa::Call& s) {
  if (s.signature->PacksBits()) {
    SetPacked(s, product, static_cast<std::size_t>(random.Between(0, 5)));
    if (random.Percent(3)) s.cmp_mode = random.AnyWord<isa::CmpMode>();
    if (random.Percent(s.signature->Has(Param::kScalar) ? 2 : 30)) {
      s.dst().dtype = DType::kInt8;
    }
    return;
  }
  if (!s.signature->Converts()) return;
  const auto all = ConversionsOf(s.signature->op, product);
  if (!all.empty()) make::SetConversion(s, random.Pick(all));
  if (s.Has(Param::kRoundMode) && random.Percent(3)) {
    s.round_mode = random.AnyWord<isa::RoundMode>();
  }
}

/// A mode that the product has, for the most part, and words of any type.
void SetSelection(Random& random, Product product, isa::Call& s) {
  if (!s.signature->Has(Param::kSelMode)) return;
  make::SetSelMode(s, product, random.AnyWord<isa::SelMode>());
  if (random.Percent(2)) s.sel_mode = random.AnyWord<isa::SelMode>();
  if (random.Percent(60)) {
    s.src(1).dtype = random.OneOf(
        {DType::kUint8, DType::kUint16, DType::kUint32, DType::kUint64});
  }
}

void SetCount(Random& random, const Plan& plan, LanewiseDraft& call) {
  isa::Call& s = call.step;
  const std::int64_t most = SpaceBytes(random, plan) / isa::LaneBytes(s);
  s[Param::kCount] = random.Between(0, most);
  if (plan.style == Style::kUniform) return;
  if (random.Between(0, 499) == 0) {  // more than 255 iterations
    s[Param::kCount] = 255 * 256 / isa::LaneBytes(s) + random.Between(0, 64);
  } else if (random.Percent(30)) {
    s[Param::kCount] =
        random.OneOf<std::int64_t>({0, 1, 15, 16, 17, 128, 129, 1024});
  } else if (!Affordable(random, plan, s[Param::kCount] * 2)) {
    s[Param::kCount] = random.Between(1, plan.operations / 2);
  }
}

/// Lanes of a masked call; at most `most` of them are to take part.
void SetLanes(Random& random, std::int64_t most, const Plan& plan,
              LanewiseDraft& call, std::optional<isa::SetVectorMask>& mask) {
  isa::Call& s = call.step;
  const std::int64_t lanes = LanesOf(s);
  isa::SetVectorMask words = GenerateMask(random);
  if (most < lanes) {
    words = {.high = 0,
             .low = std::uint64_t{5} << random.Between(
                        0, std::min<std::int64_t>(lanes, 64) - 3)};
  }
  if (lanes <= 64) words.high = 0;
  if (lanes <= 32) words.low &= 0xffffffffu;
  if (words.low == 0 && words.high == 0) words.low = 8;
  s.is_set_mask = !s.Has(Param::kIsSetMask) || random.Percent(80);
  if (!s.is_set_mask) {
    if (random.Percent(85) || most < lanes) mask = words;
    call.lanes =
        mask ? RangeOf(mask->low, mask->high, lanes) : LaneRange{0, lanes - 1};
  } else if (s.Has(Param::kMask)) {
    s[Param::kMask] = random.Between(1, std::min(most, lanes));
    if (plan.style == Style::kByIntent && random.Percent(45) && most >= lanes) {
      s[Param::kMask] =
          random.OneOf<std::int64_t>({1, 2, lanes / 2, lanes - 1, lanes});
    }
    call.lanes = {0, s[Param::kMask] - 1};
  } else {
    s.mask_words = {words.low, words.high};
    call.lanes = RangeOf(words.low, words.high, lanes);
  }
}

void SetStrides(Random& random, const Plan& plan,
                std::int64_t most_repeat_stride, LanewiseDraft& call) {
  const std::int64_t blocks = SpaceBytes(random, plan) / kDataBlockBytes;
  const std::int64_t last =
      std::max<std::int64_t>(call.step[Param::kRepeatTimes] - 1, 0);
  const auto block_stride = [&](std::span<const std::int64_t> usual) {
    return GenerateStride(random, plan.style, usual, 255, 7, blocks - 1);
  };
  const auto repeat_stride = [&](std::int64_t blk) {
    return GenerateStride(random, plan.style, kRepeatStrides,
                          most_repeat_stride, last, blocks - 1 - 7 * blk);
  };
  isa::Call& s = call.step;
  const std::size_t operands = s.signature->operands.size();
  const std::size_t packed = PackedSource(*s.signature);
  s.BlkStride(0) = std::max<std::int64_t>(1, block_stride(kBlockStrides));
  for (std::size_t i = 1; i < operands; ++i) {
    if (i != packed) s.BlkStride(i) = block_stride(kSourceBlockStrides);
  }
  for (std::size_t i = 0; i < operands; ++i) {
    if (i != packed) s.RepStride(i) = repeat_stride(s.BlkStride(i));
  }
}

LanewiseDraft NewCall(Random& random, const Plan& plan, const Kind& kind,
                      Product product,
                      std::optional<isa::SetVectorMask>& mask) {
  LanewiseDraft call;
  isa::Call& s = call.step;
  s.signature = kind.signature;
  s.dtype = Type(random, kind, product);
  SetConversion(random, product, s);
  SetSelection(random, product, s);
  const bool by_count = s.signature->Has(Param::kCount) && random.Percent(25);
  s.form = s.signature->FormWith(
      by_count ? Param::kCount
               : random.OneOf({Param::kMask, Param::kMaskWords}));
  if (s.IsByCount()) {
    SetCount(random, plan, call);
    if (s.signature->PacksBits() && random.Percent(95)) {
      s[Param::kCount] = WholeCount(s, s[Param::kCount]);
    }
  } else {
    const std::int64_t repeat = GenerateRepeat(random, plan, 0, 255);
    s[Param::kRepeatTimes] = repeat;
    const std::int64_t lanes = LanesOf(s);
    std::int64_t most = lanes;
    // An element written; of others than Copy a node, too.
    const std::int64_t each = s.signature->Has(Param::kCount) ? 2 : 1;
    if (plan.style == Style::kByIntent &&
        !Affordable(random, plan, each * repeat * lanes * 2 / 3)) {
      most = std::max<std::int64_t>(1, plan.operations / each / repeat);
    }
    SetLanes(random, most, plan, call, mask);
    if (s.signature->PacksBits() && product != Product::kAtlas200i500A2) {
      call.lanes = {0, lanes - 1};
    }
    SetStrides(random, plan, kind.most_repeat_stride, call);
  }
  for (Operand& operand : s.used_operands()) {
    operand.position = VectorPosition(random);
  }
  SetRoute(random, s);
  call.layout = random.PickWeighted(kind.layouts);
  // A wider result never lies on its source.
  const bool widens = isa::SizeBytes(s.TypeOf(0)) > isa::SizeBytes(s.dtype);
  if (widens && call.layout == LayoutIntent::kIdentical && random.Percent(80)) {
    call.layout = LayoutIntent::kTouching;
  }
  return call;
}

/// From the block of the lowest lane to that of the highest.
std::int64_t BlocksBetween(const LanewiseDraft& call) {
  const std::int64_t block = kDataBlockBytes / isa::SizeBytes(call.step.dtype);
  return call.lanes.highest / block - call.lanes.lowest / block;
}

/// Layouts of the masked forms that the count form doesn't have become others.
void FitCountForm(Random& random, LanewiseDraft& call) {
  switch (call.layout) {
    case LayoutIntent::kInterleaved:
    case LayoutIntent::kException:
      call.layout = LayoutIntent::kIdentical;
      break;
    case LayoutIntent::kSameStart:
    case LayoutIntent::kExceptionNearMiss:
      call.layout = LayoutIntent::kTouching;
      break;
    case LayoutIntent::kLastIterationDepends:
    case LayoutIntent::kOverlapOneElement: {
      // One element of src lies in its last block: dst can begin there.
      const std::int64_t block =
          kDataBlockBytes / isa::SizeBytes(call.step.dtype);
      call.layout = LayoutIntent::kOverlapOneElement;
      call.step[Param::kCount] =
          WholeCount(call.step, 1 + block * random.Between(1, 8));
      break;
    }
    default:
      break;
  }
}

/// Strides, repeats and masks that a layout needs between dst and operand
/// number `source`.
void FitMaskedForm(Random& random, LanewiseDraft& call, std::size_t source) {
  isa::Call& s = call.step;
  std::int64_t& repeat = s[Param::kRepeatTimes];
  std::int64_t& dst_blk = s.BlkStride(0);
  std::int64_t& dst_rep = s.RepStride(0);
  std::int64_t& source_blk = s.BlkStride(source);
  std::int64_t& source_rep = s.RepStride(source);
  switch (call.layout) {
    case LayoutIntent::kIdentical:
      if (repeat > 1) dst_blk = 1;
      source_blk = dst_blk;
      // No iteration reaches into the blocks of the next one.
      if (random.Percent(90)) {
        dst_rep = std::max(dst_rep, BlocksBetween(call) + 1);
      }
      if (repeat * dst_rep > kMostBlocks) repeat = random.Between(9, 16);
      source_rep = dst_rep;
      break;
    case LayoutIntent::kInterleaved:
      repeat = std::min(repeat, kFewRepeats);
      dst_blk = source_blk = 2;
      dst_rep = source_rep = 16;
      break;
    case LayoutIntent::kException:
      if (s.dtype == DType::kInt16) {
        s.dtype = TypeLike(s.signature->op, DType::kHalf);
      }
      s[Param::kSrc1BlkStride] = dst_blk;
      dst_rep = s[Param::kSrc1RepStride] = 0;
      break;
    case LayoutIntent::kExceptionNearMiss:
      repeat = std::max<std::int64_t>(repeat, 2);
      s[Param::kSrc1BlkStride] = dst_blk;
      dst_rep = s[Param::kSrc1RepStride] = 0;
      break;
    case LayoutIntent::kLastIterationDepends:
      repeat = std::clamp<std::int64_t>(repeat, 2, kFewRepeats);
      source_rep = std::max<std::int64_t>(source_rep, 8);
      source_blk = 1;
      dst_rep = std::max<std::int64_t>(dst_rep, 8);
      break;
    case LayoutIntent::kOverlapOneElement:
      // The last lane stands alone in its block.
      repeat = 1;
      if (source_blk == 0) source_blk = 1;
      if (s.Has(Param::kMask) && s.is_set_mask) {
        const std::int64_t block = kDataBlockBytes / isa::SizeBytes(s.dtype);
        s[Param::kMask] = 1 + block * random.Between(1, 6);
        if (!s.signature->PacksBits()) call.lanes = {0, s[Param::kMask] - 1};
      }
      break;
    default:
      break;
  }
}

/// One condition of the exception is not met.
void Miss(Random& random, isa::Call& s) {
  s.dst().at = s.src(1).at;
  switch (random.Between(0, 3)) {
    case 0:  // through the other source
      s.dst().at = s.src(0).at;
      s[Param::kSrc0BlkStride] = s[Param::kDstBlkStride];
      s[Param::kSrc0RepStride] = 0;
      break;
    case 1:  // no stride is 0
      s[Param::kDstRepStride] = s[Param::kSrc1RepStride] = 1;
      break;
    case 2:  // sources that overlap
      s.src(0).at = s.src(1).at;
      break;
    default:  // a later iteration meets another lane of the accumulator
      s[Param::kSrc1RepStride] = 1;
      break;
  }
}

/// Puts dst on or beside operand number `source`, which has its place.
void PlaceTarget(Random& random, LanewiseDraft& call, std::size_t source) {
  isa::Call& s = call.step;
  const std::int64_t at = s.operands[source].at;
  const std::int64_t last =
      std::max<std::int64_t>(s[Param::kRepeatTimes] - 1, 0);
  const std::int64_t last_block =
      std::max<std::int64_t>(call.Bytes(source) - 1, 0) / kDataBlockBytes *
      kDataBlockBytes;
  switch (call.layout) {
    case LayoutIntent::kIdentical:
    case LayoutIntent::kSameStart:
      s.dst().at = at;
      break;
    case LayoutIntent::kInterleaved:
      s.dst().at = at + kDataBlockBytes;
      break;
    case LayoutIntent::kOverlapOneElement:
    case LayoutIntent::kOverlapOneBlock:
      s.dst().at = at + last_block;
      break;
    case LayoutIntent::kLastIterationDepends:
      s.dst().at = at + last * s.RepStride(source) * kDataBlockBytes +
                   random.Between(0, 1) * 7 * kDataBlockBytes;
      break;
    case LayoutIntent::kException:
      s.dst().at = s.src(1).at;
      break;
    case LayoutIntent::kExceptionNearMiss:
      Miss(random, s);
      break;
    case LayoutIntent::kSameSource:
      s.src(1).at = s.src(0).at;
      break;
    default:
      break;
  }
}

/// Places the operands of `call` from byte `start` on, as its layout requires;
/// may change strides, repeats and `count`, and the layout where the form has
/// none such. Returns the first byte behind all windows.
std::int64_t PlaceLanewise(Random& random, std::int64_t start,
                           LanewiseDraft& call) {
  isa::Call& s = call.step;
  const std::size_t last = s.sources();
  auto source = static_cast<std::size_t>(
      1 + random.Between(0, 99) * static_cast<std::int64_t>(last) / 100);
  const std::size_t packed = PackedSource(*s.signature);
  const bool on_bits = source == packed && random.Percent(10);
  if (source == packed) source = 1;
  if (s.IsByCount()) {
    FitCountForm(random, call);
  } else {
    FitMaskedForm(random, call, source);
  }
  const std::int64_t slack = call.layout == LayoutIntent::kDisjoint ? 64 : 0;
  // dst touches the last source from behind, or the first from before.
  std::int64_t next = RoundUp(start, kDataBlockBytes);
  const auto place = [&](std::size_t i) {
    s.operands[i].at = next;
    next = RoundUp(next + call.Bytes(i), kDataBlockBytes) + slack;
  };
  const bool before =
      call.layout == LayoutIntent::kTouching && random.Percent(50);
  if (before) place(0);
  for (std::size_t i = 1; i <= last; ++i) place(i);
  if (!before) place(0);
  PlaceTarget(random, call, source);
  if (on_bits) s.dst().at = s.operands[packed].at;
  for (std::size_t i = 0; i <= last; ++i) s.operands[i].bytes = call.Bytes(i);
  if (call.layout == LayoutIntent::kOverlapOneByte) {
    s.operands[last].bytes = s.dst().at - s.operands[last].at + 1;
  } else if (random.Percent(20)) {
    s.dst().bytes += random.OneOf<std::int64_t>({1, 32});
  }
  std::int64_t end = 0;
  for (const Operand& operand : s.used_operands()) {
    end = std::max(end, operand.at + operand.bytes);
  }
  return RoundUp(end, kDataBlockBytes);
}

/// Sources of one theme, or of several; the old contents of dst where they are
/// read, and sometimes otherwise.
void AddSources(Random& random, const Plan& plan, DataUse use,
                LanewiseDraft& call, Generated& g) {
  isa::Call& s = call.step;
  DataTheme theme = GenerateTheme(random, s.dtype, use, plan.style);
  g.data = theme.intent;
  const auto add = [&](std::size_t i) {
    AddData(random, g.c, isa::Memory::kUb, s.operands[i].at, call.Bytes(i),
            s.TypeOf(i), theme);
  };
  for (std::size_t i = 1; i <= s.sources(); ++i) {
    if (i == PackedSource(*s.signature)) {
      AddData(random, g.c, isa::Memory::kUb, s.operands[i].at, call.Bytes(i),
              DType::kUint8, {.intent = DataIntent::kRandomBits, .use = use});
      continue;
    }
    if (i > 1 && random.Percent(30)) {
      theme = GenerateTheme(random, s.dtype, use, plan.style);
    }
    theme.second = i > 1;
    add(i);
  }
  if (const auto most = MostBits(s)) {
    // Few are illegal.
    s.scalar = static_cast<std::uint64_t>(
        random.Percent(95) ? random.Between(0, *most) : *most + 1);
    s.round_en =
        s.Has(Param::kRoundEn) &&
        random.Percent(g.c.product == Product::kAtlas200i500A2 ? 5 : 50);
  } else if (s.Has(Param::kScalar)) {
    theme.second = true;
    s.scalar = ThemedElement(s.dtype, theme, 0, random.Bits());
  }
  if (s.signature->ReadsDst()) {
    if (random.Percent(50))
      theme = GenerateTheme(random, s.dtype, use, plan.style);
    add(0);
  } else if (random.Percent(15)) {
    add(0);
  }
}

void GenerateKind(const Kind& kind, Random& random, const Plan& plan,
                  Generated& g) {
  Case& c = g.c;
  MaybeSwitchSaturation(random, plan, 20, c);
  std::optional<isa::SetVectorMask> mask;
  LanewiseDraft call = NewCall(random, plan, kind, c.product, mask);
  const std::int64_t end =
      PlaceLanewise(random, random.OneOf<std::int64_t>({0, 0, 32, 512}), call);
  AddMemory(random, c, isa::Memory::kUb, end);
  AddSources(random, plan, kind.use, call, g);
  g.layout = call.layout;
  if (mask) c.program.emplace_back(*mask);
  c.program.emplace_back(call.step);
  // A second call sees the state that the first one left.
  if (random.Percent(15) && call.step[Param::kRepeatTimes] <= 2) {
    isa::Call again = call.step;
    if (again.Has(Param::kIsSetMask)) {
      again.is_set_mask = again.IsByCount();
      again[Param::kMask] = 0;
      again.mask_words = {};
    }
    c.program.emplace_back(again);
  }
}

}  // namespace

Generator LanewiseGenerator(const isa::Signature& row) {
  const Kind kind = KindOf(row);
  // With fewer sources there is less that may overlap.
  const int changed = row.sources() == 0 ? 62 : row.sources() == 1 ? 50 : 44;
  return GeneratorOf(row, MostlyA2(row.op), kind.layouts, changed,
                     std::bind_front(GenerateKind, kind));
}

}  // namespace lanediff::make
