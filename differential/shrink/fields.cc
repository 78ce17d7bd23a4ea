// Brings the fields of steps toward the smallest or the usual value.

#include "isa/fields.h"

#include <algorithm>
#include <functional>

#include "differential/shrink/attempts.h"
#include "isa/memory_map.h"
#include "isa/units.h"

namespace lanediff::diff::shrink {
namespace {

/// What a reader expects of a field that does not matter: one iteration, one
/// element, operands without gaps.
std::int64_t Simplest(std::string_view op, std::string_view name) {
  const bool sum =
      op == isa::RepeatReduceSum::kOp || op == isa::WholeReduceSum::kOp;
  if (name.ends_with("Gap")) return 0;
  if (sum && name == "dstBlkStride") return 0;  // means nothing
  if (name.ends_with("RepStride")) {            // DataBlocks; dst of a sum: 1
    return sum && name == "dstRepStride" ? 1 : 8;
  }
  return 1;
}

/// Puts `value` into field `f` of step `i`.
void SetInteger(Case& c, std::size_t i, std::size_t f, std::int64_t value) {
  *std::get<std::int64_t*>(isa::FieldsOf(c.program[i])[f].value) = value;
}

/// The same, and every window keeps its distance from what the call touches,
/// above (`bytes`) and, with `close`, between one operand and the next.
void SetWithWindows(Case& c, std::size_t i, std::size_t f, std::int64_t value,
                    bool close) {
  Case before = c;
  SetInteger(c, i, f, value);
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

bool LowerInteger(Attempts& attempts, std::size_t i, std::size_t f) {
  Case c = attempts.best();
  const isa::FieldRef field = isa::FieldsOf(c.program[i])[f];
  const std::int64_t simplest = Simplest(isa::OpName(c.program[i]), field.name);
  const auto now = [&] {
    Case best = attempts.best();
    return *std::get<std::int64_t*>(isa::FieldsOf(best.program[i])[f].value);
  };
  bool any = attempts.Lower(now(), simplest, [&](Case& to, std::int64_t v) {
    SetInteger(to, i, f, v);
  });
  for (bool close : {false, true}) {
    any |= attempts.Lower(now(), simplest, [&](Case& to, std::int64_t v) {
      SetWithWindows(to, i, f, v, close);
    });
  }
  return any;
}

/// A mask word toward few and low lanes.
bool LowerWord(Attempts& attempts, std::size_t i, std::size_t f) {
  const auto word = [&](Case& c) -> std::uint64_t& {
    return *std::get<std::uint64_t*>(isa::FieldsOf(c.program[i])[f].value);
  };
  const auto now = [&] {
    Case best = attempts.best();
    return word(best);
  };
  const auto to = [&](std::uint64_t value) {
    return attempts.Change([&](Case& c) { word(c) = value; });
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

struct FieldShrinker {
  Attempts& attempts;
  std::size_t step;
  std::size_t field;

  bool operator()(std::int64_t*) const {
    return LowerInteger(attempts, step, field);
  }
  bool operator()(std::uint64_t*) const {
    return LowerWord(attempts, step, field);
  }
  bool operator()(bool*) const {
    return attempts.Change([&](Case& c) { *Ref<bool*>(c) = true; });
  }
  bool operator()(std::optional<isa::Order>*) const {
    return attempts.Change(
        [&](Case& c) { Ref<std::optional<isa::Order>*>(c)->reset(); });
  }
  bool operator()(isa::Operand*) const {
    return attempts.Change(
        [&](Case& c) { Ref<isa::Operand*>(c)->dtype.reset(); });
  }
  bool operator()(isa::Tile*) const {
    return attempts.Change([&](Case& c) { Ref<isa::Tile*>(c)->dtype.reset(); });
  }
  template <class Word>
  bool operator()(Word) const {
    return false;  // the step's own type is part of the signature
  }

  template <class T>
  T Ref(Case& c) const {
    return std::get<T>(isa::FieldsOf(c.program[step])[field].value);
  }
};

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

/// A call that takes its lanes from the mask register takes them from its own
/// field instead, so that whatever sets the register can go.
struct OwnMask {
  std::int64_t lanes;

  void operator()(isa::RepeatReduceSum& s) const {
    if (s.is_set_mask) return;
    s.is_set_mask = true;
    s.elems_in_one_repeat = lanes;
  }
  void operator()(isa::WholeReduceSum& s) const { Set(s); }
  template <isa::Elementwise Call>
  void operator()(Call& s) const {
    if (s.form != Call::kCount) Set(s);
  }
  void operator()(isa::DataCopy&) const {}
  void operator()(isa::Trowprod&) const {}
  void operator()(isa::VecTrans&) const {}
  template <isa::StateStep Step>
  void operator()(Step&) const {}

 private:
  template <MaskForms Call>
  void Set(Call& s) const {
    if (s.is_set_mask) return;
    s.is_set_mask = true;
    s.form = Call::kContiguous;
    s.mask = lanes;
    s.mask_words = {};
  }
};

bool SetOwnMask(Attempts& attempts, std::size_t i) {
  bool any = false;
  for (std::int64_t lanes : {1, 2, 64, 128}) {
    any = any || attempts.Change([&](Case& c) {
      std::visit(OwnMask{lanes}, c.program[i]);
    });
  }
  return any;
}

/// Alternative forms with fewer fields, of about the same extent.
bool SimplerForm(Attempts& attempts, std::size_t i) {
  return attempts.Change([&](Case& c) {
    std::visit(
        []<class S>(S& s) {
          if constexpr (MaskForms<S>) {
            if (s.form != S::kBitwise || !s.is_set_mask) return;
            s.mask = SpanOf(s.mask_words);
            s.mask_words = {};
            s.form = S::kContiguous;
          }
        },
        c.program[i]);
  });
}

using isa::Tile;
using isa::Trowprod;

using isa::kDataBlockBytes;

Trowprod& At(Case& c, std::size_t i) {
  return std::get<Trowprod>(c.program[i]);
}

std::int64_t Sane(std::int64_t value) {
  return std::clamp<std::int64_t>(value, 0, kFarAway);
}

/// The least multiple of a DataBlock's elements that holds `count`.
std::int64_t WholeBlocks(std::int64_t count, isa::DType type) {
  const std::int64_t unit = kDataBlockBytes / isa::SizeBytes(type);
  return std::max<std::int64_t>(1, (Sane(count) + unit - 1) / unit) * unit;
}

/// `count` valid columns in src and tmp, which are no wider than they need. The
/// rows of src move together with their data.
void SetColumns(Case& c, std::size_t i, std::int64_t count) {
  Trowprod& call = At(c, i);
  call.src.valid_col = count;
  for (Tile* tile : {&call.src, &call.tmp}) {
    tile->cols = WholeBlocks(count, call.dtype);
    tile->valid_col = std::min(tile->valid_col, tile->cols);
  }
}

/// `count` valid rows in all tiles, which are no higher than they need.
void SetRows(Case& c, std::size_t i, std::int64_t count) {
  Trowprod& call = At(c, i);
  call.src.valid_row = count;
  call.dst.valid_row = count;
  for (Tile* tile : {&call.src, &call.dst, &call.tmp}) {
    tile->rows = tile->layout == isa::Layout::kDn
                     ? WholeBlocks(count, call.dtype)
                     : std::max<std::int64_t>(1, count);
    tile->valid_row = std::min(tile->valid_row, tile->rows);
  }
  call.tmp.rows = call.src.rows;
}

/// dst of one column, without gaps.
void SetDense(Case& c, std::size_t i) {
  Tile& dst = At(c, i).dst;
  dst.layout = isa::Layout::kDn;
  dst.cols = 1;
  dst.valid_col = std::min<std::int64_t>(dst.valid_col, 1);
  dst.rows = WholeBlocks(dst.valid_row, At(c, i).dtype);
}

/// Begins src at the row of the finding.
bool SkipRows(Attempts& attempts, std::size_t i) {
  const Finding finding = attempts.finding();
  if (finding.step != i || !finding.difference) return false;
  const std::int64_t skip = finding.difference->iteration;
  if (skip <= 0) return false;
  return attempts.Change([&](Case& c) {
    Trowprod& call = At(c, i);
    call.src.at += skip * call.src.cols * isa::SizeBytes(call.dtype);
    SetRows(c, i, 1);
  });
}

/// Single fields, for those rules that speak of the tiles themselves.
bool LowerTile(Attempts& attempts, std::size_t i, Tile Trowprod::* tile) {
  struct Field {
    std::int64_t Tile::* member;
    std::int64_t simplest;
  };
  const std::array fields = {Field{&Tile::valid_row, 1},
                             Field{&Tile::valid_col, 1}, Field{&Tile::rows, 1},
                             Field{&Tile::cols, 1}};
  bool any = false;
  for (const Field& field : fields) {
    Case c = attempts.best();
    const std::int64_t now = At(c, i).*tile.*field.member;
    any |= attempts.Lower(now, field.simplest, [&](Case& to, std::int64_t v) {
      (At(to, i).*tile).*field.member = v;
    });
  }
  return any;
}

bool ShrinkCall(Attempts& attempts, std::size_t i) {
  bool any = SkipRows(attempts, i);
  const auto src = [&] {
    return std::get<Trowprod>(attempts.best().program[i]).src;
  };
  any |= attempts.Lower(src().valid_row, 1, [&](Case& c, std::int64_t count) {
    SetRows(c, i, count);
  });
  any |= attempts.Lower(src().valid_col, 1, [&](Case& c, std::int64_t count) {
    SetColumns(c, i, count);
  });
  any |= attempts.Change([&](Case& c) { SetRows(c, i, src().valid_row); });
  any |= attempts.Change([&](Case& c) { SetColumns(c, i, src().valid_col); });
  any |= attempts.Change([&](Case& c) { SetDense(c, i); });
  for (auto tile : {&Trowprod::src, &Trowprod::dst, &Trowprod::tmp}) {
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
      any |= std::visit(FieldShrinker{attempts, i, f}, fields[f].value);
    }
  }
  return any;
}

bool ShrinkTiles(Attempts& attempts) {
  bool any = false;
  for (std::size_t i = 0; i < attempts.best().program.size(); ++i) {
    if (std::holds_alternative<Trowprod>(attempts.best().program[i])) {
      any |= ShrinkCall(attempts, i);
    }
  }
  return any;
}

}  // namespace lanediff::diff::shrink
