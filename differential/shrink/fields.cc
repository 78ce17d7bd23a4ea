// Brings the fields of steps toward the smallest or the usual value.

#include "isa/fields.h"

#include <algorithm>
#include <functional>

#include "differential/shrink/attempts.h"
#include "differential/shrink/places.h"

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

}  // namespace lanediff::diff::shrink
