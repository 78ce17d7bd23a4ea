// Brings the fields of steps toward the smallest or the usual value.

#include "isa/fields.h"

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

#include "differential/shrink/attempts.h"
#include "isa/intervals.h"
#include "isa/memory_map.h"
#include "isa/units.h"

namespace lanediff::diff::shrink {
namespace {

using isa::Call;
using isa::Param;
using isa::Tile;

/// What a reader expects of a field that does not matter: one iteration, one
/// element, operands without gaps, blocks without padding.
std::int64_t Simplest(const isa::Step& step, std::string_view name) {
  using enum isa::Param;
  const auto* const call = std::get_if<isa::Call>(&step);
  if (call == nullptr) return 1;
  const isa::Param param = isa::ParamOf(*call->signature, name).value();
  if (param == kSrcGap || param == kDstGap || param == kLeftPadding ||
      param == kRightPadding || param == kIsPad || param == kRoundEn) {
    return 0;
  }
  if (param == kBlockLen && call->signature->Has(kIsPad)) {
    return isa::SizeBytes(call->dtype);
  }
  if (call->Is(isa::Family::kTranspose)) return 1;
  const bool reduces = call->Is(isa::Family::kReduction);
  if (reduces && param == kDstBlkStride) return 0;  // means nothing
  if (reduces && param == kDstRepStride) return 1;  // side by side
  return isa::IsRepStride(param) ? 8 : 1;
}

/// Field `f` of step `i`.
template <class T>
T& FieldOf(Case& c, std::size_t i, std::size_t f) {
  return *std::get<T*>(isa::FieldsOf(c.program[i])[f].value);
}

template <class T>
T FieldNow(const Attempts& attempts, std::size_t i, std::size_t f) {
  Case best = attempts.best();
  return FieldOf<T>(best, i, f);
}

/// Sets an integer; every window keeps its distance from what the call touches,
/// above (`bytes`) and, with `close`, between one operand and the next.
void SetWithWindows(Case& c, std::size_t i, std::size_t f, std::int64_t value,
                    bool close) {
  Case before = c;
  FieldOf<std::int64_t>(c, i, f) = value;
  const std::vector<Place> old = PlacesOf(before, i);
  const std::vector<Place> now = PlacesOf(c, i);
  for (std::size_t p = 0; p < now.size(); ++p) {
    if (!now[p].bytes || !old[p].touched || !now[p].touched) continue;
    const std::int64_t less = *old[p].touched - *now[p].touched;
    if (less <= 0 || !old[p].sane()) continue;
    *now[p].bytes -= less;
    for (std::size_t q = 0; close && q < now.size(); ++q) {
      const bool above = now[q].memory == now[p].memory && old[q].sane() &&
                         *old[q].at > *old[p].at;
      if (above) *now[q].at -= less;
    }
  }
}

bool LowerInteger(Attempts& attempts, std::size_t i, std::size_t f,
                  std::string_view name) {
  const std::int64_t simplest = Simplest(attempts.best().program[i], name);
  const auto lower = [&](const auto& set) {
    return attempts.Lower(FieldNow<std::int64_t>(attempts, i, f), simplest,
                          set);
  };
  bool any = lower(
      [&](Case& to, std::int64_t v) { FieldOf<std::int64_t>(to, i, f) = v; });
  for (bool close : {false, true}) {
    any |= lower(
        [&](Case& to, std::int64_t v) { SetWithWindows(to, i, f, v, close); });
  }
  return any;
}

/// A mask word toward few and low lanes.
bool LowerWord(Attempts& attempts, std::size_t i, std::size_t f) {
  const auto now = [&] { return FieldNow<std::uint64_t>(attempts, i, f); };
  const auto to = [&](std::uint64_t value) {
    return attempts.Change(
        [&](Case& c) { FieldOf<std::uint64_t>(c, i, f) = value; });
  };
  if (now() == 0 || to(0) || (now() > 1 && to(1))) return now() <= 1;
  bool any = false;
  for (int width = 32; width > 0; width /= 2) {
    const std::uint64_t ones = (std::uint64_t{1} << width) - 1;
    for (int at = 64 - width; at >= 0; at -= width) {
      const std::uint64_t left = now() & ~(ones << at);
      if (left != now()) any |= to(left);
    }
  }
  return any;
}

/// The step's own type stays: it is part of the signature.
bool ShrinkField(Attempts& attempts, std::size_t i, std::size_t f,
                 const isa::FieldRef& field) {
  return std::visit(
      [&]<class T>(const T&) {
        if constexpr (std::same_as<T, std::int64_t*>) {
          return LowerInteger(attempts, i, f, field.name);
        } else if constexpr (std::same_as<T, std::uint64_t*>) {
          return LowerWord(attempts, i, f);
        } else if constexpr (std::same_as<T, bool*>) {
          const bool simplest =
              Simplest(attempts.best().program[i], field.name) != 0;
          return attempts.Change(
              [&](Case& c) { FieldOf<bool>(c, i, f) = simplest; });
        } else if constexpr (std::same_as<T, std::optional<isa::Order>*>) {
          return attempts.Change([&](Case& c) {
            FieldOf<std::optional<isa::Order>>(c, i, f).reset();
          });
        } else if constexpr (std::same_as<T, isa::Operand*> ||
                             std::same_as<T, isa::Tile*>) {
          return attempts.Change([&](Case& c) {
            FieldOf<std::remove_pointer_t<T>>(c, i, f).dtype.reset();
          });
        } else {
          return false;
        }
      },
      field.value);
}

/// Begins step `i` at iteration `skip`: the finding's becomes the first one.
bool SkipIterations(Attempts& attempts, std::size_t i, std::int64_t skip,
                    std::int64_t left) {
  return attempts.Change([&](Case& c) {
    for (const Place& place : PlacesOf(c, i)) {
      if (!place.bytes || !place.sane()) continue;
      *place.at += skip * place.repeat_stride;
      *place.bytes -= skip * place.repeat_stride;
    }
    *RepeatField(c, i) = left;
  });
}

bool SkipToFinding(Attempts& attempts) {
  const Finding finding = attempts.finding();
  if (!finding.difference || finding.difference->iteration <= 0) return false;
  Case c = attempts.best();
  const std::int64_t* const repeat = RepeatField(c, finding.step);
  if (repeat == nullptr) return false;
  const std::int64_t skip = finding.difference->iteration;
  return SkipIterations(attempts, finding.step, skip, 1) ||
         SkipIterations(attempts, finding.step, skip, *repeat - skip) ||
         SkipIterations(attempts, finding.step, skip - 1, 2);
}

Call& CallAt(Case& c, std::size_t i) { return std::get<Call>(c.program[i]); }

/// Whether step `i` has a mask: its own if `own`, else the register's.
bool IsMasked(const Attempts& attempts, std::size_t i, bool own) {
  const auto* const call = std::get_if<Call>(&attempts.best().program[i]);
  return call != nullptr && call->IsMasked() && call->is_set_mask == own;
}

/// The call takes the first `lanes` lanes.
void TakeFirst(Call& call, std::int64_t lanes) {
  if (call.Has(Param::kMaskWords)) {
    call.mask_words = {};
    call.form = call.signature->FormWith(Param::kMask);
  }
  call[Param::kMask] = lanes;
  call.is_set_mask = true;
}

/// A call that takes its lanes from the mask register takes the first ones
/// instead, so that whatever sets the register can go.
bool SetOwnMask(Attempts& attempts, std::size_t i) {
  if (!IsMasked(attempts, i, false)) return false;
  return std::ranges::any_of(std::array{1, 2, 64, 128}, [&](int lanes) {
    return attempts.Change([&](Case& c) { TakeFirst(CallAt(c, i), lanes); });
  });
}

/// Alternative forms with fewer fields, of about the same extent.
bool SimplerForm(Attempts& attempts, std::size_t i) {
  if (!IsMasked(attempts, i, true)) return false;
  return attempts.Change([&](Case& c) {
    Call& call = CallAt(c, i);
    if (!call.Has(Param::kMaskWords)) return;
    TakeFirst(call, SpanOf(call.mask_words));
  });
}

using isa::kDataBlockBytes;

std::int64_t Sane(std::int64_t value) {
  return std::clamp<std::int64_t>(value, 0, kFarAway);
}

/// The least multiple of a DataBlock's elements that holds `count`.
std::int64_t WholeBlocks(std::int64_t count, isa::DType type) {
  return isa::RoundUp(std::max<std::int64_t>(1, Sane(count)),
                      kDataBlockBytes / isa::SizeBytes(type));
}

/// `count` valid columns in src and tmp, which are no wider than they need. The
/// rows of src move together with their data.
void SetColumns(Call& call, std::int64_t count) {
  call.tiles[Call::kSrcTile].valid_col = count;
  for (std::size_t t : {Call::kSrcTile, Call::kTmpTile}) {
    Tile& tile = call.tiles[t];
    tile.cols = WholeBlocks(count, call.dtype);
    tile.valid_col = std::min(tile.valid_col, tile.cols);
  }
}

/// `count` valid rows in all tiles, which are no higher than they need.
void SetRows(Call& call, std::int64_t count) {
  call.tiles[Call::kSrcTile].valid_row = count;
  call.tiles[Call::kDstTile].valid_row = count;
  for (Tile& tile : call.tiles) {
    tile.rows = tile.layout == isa::Layout::kDn
                    ? WholeBlocks(count, call.dtype)
                    : std::max<std::int64_t>(1, count);
    tile.valid_row = std::min(tile.valid_row, tile.rows);
  }
  call.tiles[Call::kTmpTile].rows = call.tiles[Call::kSrcTile].rows;
}

/// dst of one column, without gaps.
void SetDense(Call& call) {
  Tile& dst = call.tiles[Call::kDstTile];
  dst.layout = isa::Layout::kDn;
  dst.cols = 1;
  dst.valid_col = std::min<std::int64_t>(dst.valid_col, 1);
  dst.rows = WholeBlocks(dst.valid_row, call.dtype);
}

/// Begins src at the row of the finding.
bool SkipRows(Attempts& attempts, std::size_t i) {
  const Finding finding = attempts.finding();
  if (finding.step != i || !finding.difference) return false;
  const std::int64_t skip = finding.difference->iteration;
  if (skip <= 0) return false;
  return attempts.Change([&](Case& c) {
    Call& call = CallAt(c, i);
    Tile& src = call.tiles[Call::kSrcTile];
    src.at += skip * src.cols * isa::SizeBytes(call.dtype);
    SetRows(call, 1);
  });
}

/// Single fields, for those rules that speak of the tiles themselves.
bool LowerTile(Attempts& attempts, std::size_t i, std::size_t tile) {
  bool any = false;
  for (const auto field :
       {&Tile::valid_row, &Tile::valid_col, &Tile::rows, &Tile::cols}) {
    Case c = attempts.best();
    any |= attempts.Lower(CallAt(c, i).tiles[tile].*field, 1,
                          [&](Case& to, std::int64_t v) {
                            CallAt(to, i).tiles[tile].*field = v;
                          });
  }
  return any;
}

bool ShrinkCall(Attempts& attempts, std::size_t i) {
  bool any = SkipRows(attempts, i);
  const auto src = [&] {
    return std::get<Call>(attempts.best().program[i]).tiles[Call::kSrcTile];
  };
  const auto rows = [&](Case& c, std::int64_t n) { SetRows(CallAt(c, i), n); };
  const auto columns = [&](Case& c, std::int64_t n) {
    SetColumns(CallAt(c, i), n);
  };
  any |= attempts.Lower(src().valid_row, 1, rows);
  any |= attempts.Lower(src().valid_col, 1, columns);
  any |= attempts.Change([&](Case& c) { rows(c, src().valid_row); });
  any |= attempts.Change([&](Case& c) { columns(c, src().valid_col); });
  any |= attempts.Change([&](Case& c) { SetDense(CallAt(c, i)); });
  for (std::size_t tile : {Call::kSrcTile, Call::kDstTile, Call::kTmpTile}) {
    any |= LowerTile(attempts, i, tile);
  }
  return any;
}

}  // namespace

bool ShrinkFields(Attempts& attempts) {
  bool any = SkipToFinding(attempts);
  for (std::size_t i = 0; i < attempts.best().program.size(); ++i) {
    any |= SetOwnMask(attempts, i);
    any |= SimplerForm(attempts, i);
    Case c = attempts.best();
    const std::vector<isa::FieldRef> fields = isa::FieldsOf(c.program[i]);
    for (std::size_t f = 0; f < fields.size(); ++f) {
      any |= ShrinkField(attempts, i, f, fields[f]);
    }
  }
  return any;
}

bool ShrinkTiles(Attempts& attempts) {
  bool any = false;
  for (std::size_t i = 0; i < attempts.best().program.size(); ++i) {
    if (isa::IsOf(attempts.best().program[i], isa::Family::kTile)) {
      any |= ShrinkCall(attempts, i);
    }
  }
  return any;
}

}  // namespace lanediff::diff::shrink
