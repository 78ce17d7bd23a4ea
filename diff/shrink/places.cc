#include "diff/shrink/places.h"

#include <algorithm>
#include <bit>
#include <iterator>

#include "isa/fields.h"
#include "isa/memory_map.h"
#include "isa/units.h"

namespace lanediff::diff::shrink {
namespace {

using isa::SizeBytes;

using isa::kDataBlockBytes;
using isa::kIterationBytes;
using isa::kMatrixBytes;

/// How the iterations of an operand lie: `first` bytes are touched by the
/// first one, each later one is `stride` bytes further.
struct Layout {
  std::int64_t first = 0;
  std::int64_t stride = 0;
  std::int64_t iterations = 0;

  std::optional<std::int64_t> Touched() const {
    if (first <= 0 || iterations <= 0) return 0;
    if (stride < 0 || stride > kFarAway || iterations > kFarAway ||
        first > kFarAway) {
      return std::nullopt;
    }
    const std::int64_t all = (iterations - 1) * stride + first;
    return all > kFarAway ? std::nullopt : std::optional(all);
  }
};

std::int64_t Clamp(std::int64_t value) {
  return std::clamp<std::int64_t>(value, -kFarAway, kFarAway);
}

/// Bytes up to the end of the first `lanes` lanes of an iteration.
std::int64_t LanesBytes(std::int64_t lanes, std::int64_t element,
                        std::int64_t blk_stride) {
  const std::int64_t per_block = kDataBlockBytes / element;
  lanes = std::clamp<std::int64_t>(lanes, 0, kIterationBytes / element);
  if (lanes == 0) return 0;
  const std::int64_t last = (lanes - 1) / per_block;
  const std::int64_t stride = Clamp(blk_stride) * kDataBlockBytes;
  const std::int64_t tail = ((lanes - 1) % per_block + 1) * element;
  const std::int64_t before =
      last == 0 ? 0 : (last - 1) * stride + kDataBlockBytes;
  return std::max(last * stride + tail, before);
}

/// All lanes where the register has the mask.
template <MaskForms Call>
std::int64_t LanesOf(const Call& s) {
  if (!s.is_set_mask) return kIterationBytes;
  return s.form == Call::kContiguous ? s.mask : SpanOf(s.mask_words);
}

/// dst and src of a sum.
template <class Call>
std::vector<Layout> SumLayouts(const Call& s, std::int64_t lanes,
                               std::int64_t iterations) {
  const std::int64_t element = SizeBytes(s.dtype);
  return {{element, Clamp(s.dst_rep_stride) * element, iterations},
          {LanesBytes(lanes, element, s.src_blk_stride),
           Clamp(s.src_rep_stride) * kDataBlockBytes, iterations}};
}

/// The layouts of a step's operands, in the order of its fields.
struct LayoutsOf {
  std::vector<Layout> operator()(const isa::RepeatReduceSum& s) const {
    return SumLayouts(
        s, s.is_set_mask ? s.elems_in_one_repeat : kIterationBytes, s.repeat);
  }
  std::vector<Layout> operator()(const isa::WholeReduceSum& s) const {
    return SumLayouts(s, LanesOf(s), s.repeat_times);
  }
  template <isa::Elementwise Call>
  std::vector<Layout> operator()(const Call& s) const {
    const std::int64_t element = SizeBytes(s.dtype);
    if (s.form == Call::kCount) {
      return std::vector<Layout>(3, {Clamp(s.count) * element, 0, 1});
    }
    const auto& p = s.repeat_params;
    const auto layout = [&](std::int64_t blk, std::int64_t rep) {
      return Layout{LanesBytes(LanesOf(s), element, blk),
                    Clamp(rep) * kDataBlockBytes, s.repeat_times};
    };
    return {layout(p.dst_blk_stride, p.dst_rep_stride),
            layout(p.src0_blk_stride, p.src0_rep_stride),
            layout(p.src1_blk_stride, p.src1_rep_stride)};
  }
  std::vector<Layout> operator()(const isa::DataCopy& s) const {
    const auto size = [&](const isa::Operand& operand) {
      return SizeBytes(operand.dtype.value_or(s.dtype));
    };
    if (s.form == isa::DataCopy::kCount) {
      return {{Clamp(s.count) * size(s.dst), 0, 1},
              {Clamp(s.count) * size(s.src), 0, 1}};
    }
    const auto& p = s.params;
    const std::int64_t unit = s.dst.position == isa::Position::kC2 ? 64
                              : s.dst.position == isa::Position::kC2pipe2gm
                                  ? 128
                                  : kDataBlockBytes;
    const std::int64_t dst = Clamp(p.block_len) * unit;
    const std::int64_t src = dst / size(s.dst) * size(s.src);
    return {{dst, dst + Clamp(p.dst_gap) * unit, p.block_count},
            {src, src + Clamp(p.src_gap) * kDataBlockBytes, p.block_count}};
  }
  std::vector<Layout> operator()(const isa::VecTrans& s) const {
    return {
        {kMatrixBytes, Clamp(s.dst_rep_stride) * kMatrixBytes, s.repeat_times},
        {kMatrixBytes, Clamp(s.src_rep_stride) * kMatrixBytes, s.repeat_times}};
  }
  /// Tiles say their size themselves.
  std::vector<Layout> operator()(const isa::Trowprod&) const { return {}; }
  template <isa::StateStep Step>
  std::vector<Layout> operator()(const Step&) const {
    return {};
  }
};

/// rows × cols elements in bytes, -1 where that is out of reckoning.
std::int64_t TileBytes(const isa::Tile& tile, std::int64_t element) {
  if (tile.rows < 0 || tile.cols < 0 || tile.rows > kFarAway ||
      tile.cols > kFarAway) {
    return -1;
  }
  const std::int64_t bytes = tile.rows * tile.cols;
  return bytes > kFarAway / element ? -1 : bytes * element;
}

}  // namespace

std::int64_t SpanOf(const std::array<std::uint64_t, 2>& mask_words) {
  const auto& [low, high] = mask_words;
  return high != 0 ? 128 - std::countl_zero(high) : 64 - std::countl_zero(low);
}

std::vector<Place> PlacesOf(Case& c, std::size_t step) {
  const std::vector<Layout> layouts = std::visit(LayoutsOf{}, c.program[step]);
  std::vector<Place> places;
  isa::DType dtype = isa::DType::kUint8;
  for (const isa::FieldRef& field : isa::FieldsOf(c.program[step])) {
    if (auto* const word = std::get_if<isa::DType*>(&field.value)) {
      dtype = **word;
    } else if (auto* const o = std::get_if<isa::Operand*>(&field.value)) {
      isa::Operand& operand = **o;
      Place place{.step = step,
                  .memory = isa::MemoryAt(c.product, operand.position),
                  .dtype = operand.dtype.value_or(dtype),
                  .at = &operand.at,
                  .bytes = &operand.bytes,
                  .size = operand.bytes,
                  .touched = std::nullopt};
      if (places.size() < layouts.size()) {
        place.touched = layouts[places.size()].Touched();
        place.repeat_stride = layouts[places.size()].stride;
      }
      places.push_back(place);
    } else if (auto* const t = std::get_if<isa::Tile*>(&field.value)) {
      isa::Tile& tile = **t;
      const isa::DType type = tile.dtype.value_or(dtype);
      places.push_back({.step = step,
                        .memory = isa::MemoryAt(c.product, tile.position),
                        .dtype = type,
                        .at = &tile.at,
                        .bytes = nullptr,
                        .size = TileBytes(tile, SizeBytes(type)),
                        .touched = std::nullopt});
    }
  }
  return places;
}

std::vector<Place> PlacesOf(Case& c) {
  std::vector<Place> places;
  for (std::size_t i = 0; i < c.program.size(); ++i) {
    std::ranges::copy(PlacesOf(c, i), std::back_inserter(places));
  }
  return places;
}

std::int64_t* RepeatField(Case& c, std::size_t step) {
  for (const isa::FieldRef& field : isa::FieldsOf(c.program[step])) {
    auto* const value = std::get_if<std::int64_t*>(&field.value);
    if (value != nullptr &&
        (field.name == "repeat" || field.name == "repeatTimes" ||
         field.name == "repeat_times" || field.name == "blockCount")) {
      return *value;
    }
  }
  return nullptr;
}

}  // namespace lanediff::diff::shrink
