#include "generators/boundary/lanewise.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "generators/boundary/calls.h"
#include "generators/wrapping.h"
#include "isa/catalogue.h"
#include "isa/fields.h"
#include "isa/memory_map.h"
#include "isa/units.h"

namespace lanediff::make::sweep {
namespace {

using isa::DType;
using isa::Param;
using isa::Position;
using isa::Product;

/// Those of the row's products, with its types.
std::vector<Base> Bases(const LanewiseRow& row) {
  struct Line {
    std::string_view rest;  ///< of the name, behind the type
    LanewiseShape shape;
  };
  const Line lines[] = {
      {"a2, contiguous", {}},
      {"training, bitwise",
       {.product = Product::kAtlasTraining,
        .dtype = DType::kFloat,
        .form = isa::kBitsForm}},
      {"inference, count",
       {.product = Product::kAtlasInferenceAicore,
        .dtype = DType::kInt32,
        .form = isa::kCountForm}},
      {"a2, bitwise, strides 2 3 1 9 10 0",
       {.dtype = DType::kInt16,
        .form = isa::kBitsForm,
        .words = {1, 1},
        .blk = {2, 3, 1},
        .rep = {17, 26, 0}}},
      {"200i, register",
       {.product = Product::kAtlas200i500A2, .set_mask = false}},
      {"a2, bitwise, register",
       {.dtype = DType::kFloat,
        .form = isa::kBitsForm,
        .repeat = 1,
        .set_mask = false}},
      {"a2, count", {.form = isa::kCountForm, .count = 130}},
      {"a2, all lanes, source strides 0",
       {.mask = 128, .repeat = 3, .blk = {1, 0, 0}, .rep = {8, 0, 0}}},
  };
  std::vector<Base> bases;
  for (auto [rest, shape] : lines) {
    if (!shape.set_mask && !row.signature.Has(Param::kIsSetMask)) continue;
    shape.dtype = TypeLike(row.known.op, shape.dtype);
    shape.mask = std::min(shape.mask, row.Lanes(shape.dtype));
    const Product product = shape.product.value_or(Product::kAtlasA2);
    if (!row.HasForm(shape.form) || !row.known.Has(product) ||
        !row.known.Has(product, shape.dtype)) {
      continue;
    }
    bases.push_back({fmt::format("{} {}", isa::Name(shape.dtype), rest),
                     row.MakeCase(shape)});
  }
  return bases;
}

/// The packed bits of all iterations but the last lie in the last block that
/// that one reads.
bool OnLastBlock(Case& c) {
  isa::Call& s = Subject(c);
  const std::int64_t before = isa::kDataBlockBytes / (LanesOf(s) / 8);
  s[Param::kRepeatTimes] = before + 1;
  if (!Place(c)) return false;
  s.dst().at =
      s.src(0).at + (before + 1) * isa::kIterationBytes - isa::kDataBlockBytes;
  Ub(c)->size = std::max(Ub(c)->size, s.dst().at + s.dst().bytes);
  return true;
}

std::vector<Breaker> Breakers(const LanewiseRow& row) {
  using enum isa::CallRule;
  // Of the sources; without any, dst.
  const std::size_t last_operand = row.operands() - 1;
  const std::size_t first_operand = std::min<std::size_t>(1, last_operand);
  const std::string first(row.signature.operands[first_operand].name);
  const std::string last(row.signature.operands[last_operand].name);
  const auto name = [&](Param param, std::size_t operand = 0) {
    return std::string(isa::NameOf(row.signature, param, operand));
  };
  const std::string repeat = name(Param::kRepeatTimes);
  const std::string blk = name(Param::kDstBlkStride, first_operand);
  const std::string rep = name(Param::kDstRepStride, last_operand);
  constexpr std::array kSeldom = {DType::kBfloat16, DType::kInt8,
                                  DType::kUint64};
  const DType lacking = *std::ranges::find_if(kSeldom, [&](DType type) {
    return std::ranges::count(row.types, type) == 0;
  });
  const bool converts = row.signature.Converts();
  const bool packs = row.signature.PacksBits();
  const bool own_type = converts || packs;
  const bool wide_count = own_type || row.signature.NumbersLanes() ||
                          row.signature.Has(Param::kSelMode);
  const auto own_mask = [](Case& c) {
    return Subject(c).IsMasked() && Subject(c).is_set_mask;
  };
  const auto side_by_side = [](Case& c) {
    if (Subject(c).IsByCount()) return false;
    SetDenseStrides(Subject(c));
    return Place(c);
  };
  std::vector<Breaker> breakers = {
      {kProduct, "atlas-200-300-500", {On(Product::kAtlas200_300_500)}},
      {kDtype, std::string(isa::Name(lacking)), {Set("dtype", lacking)}},
      {kDtype,
       "int16 on training",
       {On(Product::kAtlasTraining), Set("dtype", DType::kInt16)}},
      {kDtypeMatch, first + " double", {Set(first + ".dtype", DType::kDouble)}},
      {kDtypeMatch, last + " uint16", {Set(last + ".dtype", DType::kUint16)}},
      {converts ? kDtype : kDtypeMatch,
       own_type ? "dst uint64" : "dst int8",
       {Set("dst.dtype", own_type ? DType::kUint64 : DType::kInt8)}},
      {kCmpMode, "LT of int32", {[](Case& c) {
         isa::Call& s = Subject(c);
         s.dtype = DType::kInt32;
         s.cmp_mode = isa::CmpMode::kLt;
         return c.product == Product::kAtlasA2 && Place(c);
       }}},
      {kRoundMode, "CAST_ODD", {[](Case& c) {
         isa::Call& s = Subject(c);
         s.round_mode = isa::RoundMode::kOdd;
         return s.dtype != DType::kFloat || s.TypeOf(0) != DType::kHalf;
       }}},
      {kSelMode,
       "two tensors on training",
       {On(Product::kAtlasTraining),
        [](Case& c) {
          Subject(c).sel_mode = isa::SelMode::kTensor;
          return true;
        }}},
      {kDtypeMatch, "selMask int8", {Set("selMask.dtype", DType::kInt8)}},
      {kPosition, "dst at GM", {Set("dst.position", Position::kGm)}},
      {kPosition, first + " at C1", {Set(first + ".position", Position::kC1)}},
      {kPosition, last + " at UB", {Set(last + ".position", Position::kUb)}},
      {kRoute,
       "both at VECIN",
       {Set("dst.position", Position::kVecin),
        Set(first + ".position", Position::kVecin)}},
      {kAlign, "dst.at 2 further", {Plus("dst.at", 2)}},
      {kAlign, last + ".at 16 further", {Plus(last + ".at", 16)}},
      {kCount, "-1", {Set("count", -1)}},
      {kCount,
       wide_count ? "2^32" : "2^31",
       {Set("count", std::int64_t{1} << (wide_count ? 32 : 31))}},
      {kCountLength, "one more", {Plus("count", 1)}},
      {kRepeat, "256", {Set(repeat, 256)}},
      {kStrideRange, blk + " 256", {Set(blk, 256)}},
      {kStrideRange, rep + " -1", {Set(rep, -1)}},
      {kDstBlkStrideZero, "0", {Set(name(Param::kDstBlkStride), 0)}},
      {kMaskContiguous, "129", {own_mask, Set("mask", 129)}},
      {kMaskBits, "both words 0", {own_mask, Set("mask", MaskWords{0, 0})}},
      {kPlaceholder,
       "1",
       {Set("isSetMask", false), SetMask("mask", 1, {0, 1})}},
      {kScalarRange, "one bit more than T has", {[](Case& c) {
         Subject(c).scalar = static_cast<std::uint64_t>(
             8 * isa::SizeBytes(Subject(c).dtype) + 1);
         return true;
       }}},
      {kRoundEn,
       "on atlas-200i-500-a2",
       {On(Product::kAtlas200i500A2),
        [](Case& c) {
          Subject(c).round_en = true;
          return Subject(c).Has(Param::kRoundEn);
        }}},
      {kBounds, "dst window short", {Plus("dst.bytes", -1)}},
      {kBounds, first + " window short", {Plus(first + ".bytes", -1)}},
      {kBounds, last + " past its memory", {Plus(last + ".bytes", 512)}},
      {kOverlap, "dst on selMask", {[](Case& c) {
         isa::Call& s = Subject(c);
         s.dst().at = s.operands[2].at;
         Ub(c)->size = std::max(Ub(c)->size, s.dst().at + s.dst().bytes);
         return true;
       }}},
      {kOverlapCount,
       fmt::format("dst one block behind {}", first),
       {[](Case& c) {
         Subject(c).dst().at =
             WrappingSum(Subject(c).src(0).at, isa::kDataBlockBytes);
         return Subject(c).IsByCount();
       }}},
      {kOverlapIteration,
       fmt::format("dst on another block of {}", first),
       {side_by_side,
        [](Case& c) {
          isa::Call& s = Subject(c);
          if (s.signature->PacksBits()) {
            s.dst().at = s.src(0).at + isa::kDataBlockBytes;
            return s.src(0).bytes > isa::kDataBlockBytes;
          }
          s.dst().at = s.src(0).at - isa::kDataBlockBytes;
          Ub(c)->size += 512;
          s.src(0).at += 512;
          s.dst().at += 512;
          for (isa::Operand& other : s.used_operands().subspan(2)) other.at = 0;
          return std::min(s.src(0).bytes, s.dst().bytes) > isa::kDataBlockBytes;
        }}},
      {kOverlapDependency,
       fmt::format("dst on the next iteration of {}", first),
       {Set(repeat, 2), side_by_side,
        [](Case& c) {
          isa::Call& s = Subject(c);
          if (s.signature->PacksBits()) return OnLastBlock(c);
          s.dst().at = s.src(0).at + isa::kIterationBytes;
          std::int64_t end = s.dst().at + s.dst().bytes;
          for (isa::Operand& other : s.used_operands().subspan(2)) {
            other.at = (end + 127) / 128 * 128;
            end = other.at + other.bytes;
          }
          Ub(c)->size = end;
          return true;
        }}},
      {kOverlapSources,
       fmt::format("running {} over its own source", row.values.result),
       {Set(repeat, 2),
        [](Case& c) {
          isa::Call& s = Subject(c);
          SetDenseStrides(s);
          s[Param::kDstRepStride] = s[Param::kSrc1RepStride] = 0;
          if (!Place(c)) return false;
          s.src(1).at = s.dst().at;
          s.src(0).at = s.dst().at;
          return s.dtype != DType::kInt16;
        }}},
  };
  const bool selects = row.signature.Has(Param::kSelMode);
  std::erase_if(breakers, [&](const Breaker& breaker) {
    return !row.Has(breaker.rule) ||
           (breaker.how == "selMask int8" && !selects);
  });
  const auto twice =
      std::ranges::unique(breakers, [](const Breaker& a, const Breaker& b) {
        return a.rule == b.rule && a.how == b.how;
      });
  breakers.erase(twice.begin(), twice.end());
  // Min's cases keep their numbers.
  if (row.signature.op != "Min") {
    breakers.push_back(SecondWordBreaker());
  }
  return breakers;
}

std::vector<EveryBase> EveryBases(const LanewiseRow& row) {
  struct Form {
    std::string_view name;
    std::uint8_t form;
    bool set_mask;
  };
  static constexpr Form kForms[] = {
      {"contiguous", isa::kMaskForm, true},
      {"bitwise", isa::kBitsForm, true},
      {"count", isa::kCountForm, true},
      {"contiguous, register", isa::kMaskForm, false},
      {"bitwise, register", isa::kBitsForm, false}};
  std::int64_t places = 1;
  for (std::size_t i = 0; i < row.operands(); ++i) places *= 3;
  std::vector<EveryBase> bases;
  for (const auto& [dtype, form, place] :
       Combinations<DType, Form, std::int64_t>(row.types, kForms,
                                               Range(0, places - 1))) {
    if (!form.set_mask && !row.signature.Has(Param::kIsSetMask)) continue;
    if (!row.HasForm(form.form)) continue;
    Case c = row.MakeCase({.dtype = dtype,
                           .form = form.form,
                           .words = {0x8001, 0},
                           .set_mask = form.set_mask});
    std::string positions;
    std::int64_t rest = place;
    for (isa::Operand& operand : Subject(c).used_operands()) {
      operand.position = kVectorPositions[rest % 3];
      rest /= 3;
      positions += fmt::format(" {}", isa::Name(operand.position));
    }
    if (row.Has(isa::CallRule::kRoute) &&
        Subject(c).dst().position == Subject(c).src(0).position) {
      continue;
    }
    bases.push_back(
        {{fmt::format("{}, {},{}", isa::Name(dtype), form.name, positions),
          std::move(c)},
         // All positions are of one memory; one of each kind will
         // do.
         place == 0 || place == 5 || place == 25});
  }
  return bases;
}

/// A case of the classes that `SweepClasses` lists, in its order.
std::optional<Case> Combine(const LanewiseRow& row, const DType* types,
                            const std::vector<std::size_t>& classes) {
  static constexpr Product kProducts[] = {Product::kAtlasA2,
                                          Product::kAtlas200i500A2,
                                          Product::kAtlasInferenceAicore,
                                          Product::kAtlasTraining,
                                          Product::kAtlasInferenceVectorcore,
                                          Product::kAtlasA3};
  static constexpr Position kPositions[] = {
      Position::kVecin, Position::kVeccalc, Position::kVecout};
  static constexpr std::int64_t kMasks[] = {1, 15, 16, 17, 63, 64, 127, 128};
  static constexpr std::int64_t kRepeats[] = {0, 1, 2, 3, 17, 40};
  static constexpr std::int64_t kBlk[] = {1, 0, 2, 9};
  static constexpr std::int64_t kRep[] = {8, 0, 1, 7, 9};
  const std::size_t operands = row.operands();
  auto next = classes.begin();
  LanewiseShape shape;
  shape.product = kProducts[*next++];
  shape.dtype = types[*next++];
  const std::size_t fewer = 3 - row.signature.forms.size();
  shape.form = static_cast<std::uint8_t>(*next++ + fewer);
  shape.set_mask = *next++ < 2;
  std::vector<Position> positions(operands);
  for (Position& position : positions) position = kPositions[*next++];
  const std::int64_t mask = kMasks[*next++];
  shape.conversion = static_cast<std::size_t>(mask);
  shape.mask = std::min(mask, row.Lanes(shape.dtype, shape.conversion));
  shape.repeat = kRepeats[*next++];
  shape.count = mask * (shape.repeat + 1);
  for (std::size_t i = 0; i < operands; ++i) shape.blk[i] = kBlk[*next++];
  shape.blk[0] = std::max<std::int64_t>(1, shape.blk[0]);
  for (std::size_t i = 0; i < operands; ++i) shape.rep[i] = kRep[*next++];
  const std::size_t hole = *next++;
  const isa::SetVectorMask lanes = FirstLanes(shape.mask);
  shape.words = {lanes.low & ~std::uint64_t{hole * 2}, lanes.high};
  Case c = row.MakeCase(shape);
  if (!Ub(c)) return std::nullopt;
  isa::Call& s = Subject(c);
  for (std::size_t i = 0; i < operands; ++i) {
    s.operands[i].position = positions[i];
  }
  // dst on each source, then each other source on the first.
  const std::size_t same = *next++;
  if (same >= operands) {
    s.operands[same + 2 - operands].at = s.src(0).at;
  } else if (same > 0) {
    s.dst().at = s.operands[same].at;
  }
  for (const isa::Operand& o : s.used_operands()) {
    Ub(c)->size = std::max(Ub(c)->size, o.at + o.bytes);
  }
  if (!shape.set_mask) Prepend(c, lanes);
  if (c.product == Product::kAtlasA2 || c.product == Product::kAtlasA3) {
    Prepend(c, isa::SetSaturation{.enabled = hole == 0});
  }
  return c;
}

void SweepClasses(Emitter& out, const LanewiseRow& row) {
  ValueList<DType> types = row.types;
  types.push_back(DType::kUint16);
  const std::size_t operands = row.operands();
  std::vector<std::size_t> classes = {6, types.size(),
                                      row.signature.forms.size(), 3};
  classes.insert(classes.end(), operands, 3);
  classes.insert(classes.end(), {8, 6});
  classes.insert(classes.end(), operands, 4);
  classes.insert(classes.end(), operands, 5);
  const std::size_t places = std::max<std::size_t>(1, 2 * operands - 2);
  classes.insert(classes.end(), {2, places, kDataCount});
  SweepRows(out, classes,
            [&](const auto& one) { return Combine(row, types.data(), one); });
}

}  // namespace

Case LanewiseRow::MakeCase(const LanewiseShape& shape) const {
  const bool set_mask = shape.set_mask || !signature.Has(Param::kIsSetMask);
  isa::Call s = isa::CallOf(signature);
  s.dtype = shape.dtype;
  SetSelMode(s, shape.product.value_or(Product::kAtlasA2), shape.sel_mode);
  for (std::size_t i = 0; i < s.used_operands().size(); ++i) {
    s.operands[i] = At(kVectorPositions[i % std::size(kVectorPositions)]);
  }
  SetForm(s, shape.form);
  if (s.Has(Param::kScalar)) s.scalar = OneOf(s.dtype);
  if (s.IsByCount()) {
    s[Param::kCount] = WholeCount(s, shape.count);
  } else {
    if (set_mask && s.Has(Param::kMask)) s[Param::kMask] = shape.mask;
    if (set_mask && s.Has(Param::kMaskWords)) s.mask_words = shape.words;
    s[Param::kRepeatTimes] = shape.repeat;
    for (std::size_t i = 0; i < operands(); ++i) {
      const isa::OperandSpec& spec = signature.operands[i];
      if (spec.is_packed && !spec.is_written) continue;  // has no strides
      s.BlkStride(i) = shape.blk[i];
      s.RepStride(i) = shape.rep[i];
    }
    s.is_set_mask = set_mask;
  }
  if (signature.PacksBits()) {
    SetPacked(s, shape.product, shape.conversion);
    if (shape.conversion % 5 == 4 && !signature.Has(Param::kScalar)) {
      s.dst().dtype = DType::kInt8;
    }
  }
  const auto ways = Ways(s.dtype);
  if (const auto& way = ways[shape.conversion % ways.size()]) {
    SetConversion(s, *way);
  }
  Product product = Product::kAtlasA2;
  const auto has_type = [&](Product one) { return known.Has(one, s.dtype); };
  const auto other = std::ranges::find_if(known.products, has_type);
  if (!has_type(product) && other != known.products.end()) product = *other;
  return Placed(shape.product.value_or(product), s);
}

void SweepLanewise(Emitter& out, const isa::Signature& signature) {
  const LanewiseRow row(signature);
  const Kit kit = {
      .row = signature, .bases = Bases(row), .breakers = Breakers(row)};
  SweepKit(out, kit);
  SweepLanewiseLayout(out, row);
  SweepLanewiseValues(out, row);
  SweepClasses(out, row);
  SweepEverywhere(out, kit, EveryBases(row));
  SweepLanewiseArithmetic(out, row);
}

}  // namespace lanediff::make::sweep
