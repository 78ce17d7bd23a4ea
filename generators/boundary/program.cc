// Machine state: what each step leaves for the next ones.

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <variant>

#include "generators/boundary/calls.h"
#include "generators/lanewise.h"
#include "isa/footprint.h"
#include "isa/memory_map.h"

namespace lanediff::make::sweep {
namespace {

using isa::DType;
using isa::Position;
using isa::Product;

constexpr std::int64_t kUbBytes = 8192;

isa::Call Sum(std::string_view op, DType dtype, std::int64_t elems,
              bool set_mask, std::int64_t repeat = 1) {
  isa::Call s = isa::CallOf(op);
  s.dtype = dtype;
  s.dst() = At(Position::kVecout, 0,
               std::max<std::int64_t>(32, 2 * isa::ResultBytes(s)));
  s.src(0) = At(Position::kVecin, 1024, 512);
  s[isa::Param::kRepeatTimes] = repeat;
  s[isa::Param::kMask] = set_mask ? elems : 0;
  s[isa::Param::kSrc0BlkStride] = 1;
  s[isa::Param::kDstRepStride] = 1;
  s[isa::Param::kSrc0RepStride] = 8;
  s.is_set_mask = set_mask;
  return s;
}

isa::Call Lanewise(std::string_view op, DType dtype, std::uint8_t form,
                   std::int64_t lanes, bool set_mask, std::int64_t repeat = 1) {
  constexpr std::int64_t kPlaces[] = {2048, 1024, 1536, 2560};
  isa::Call s = isa::CallOf(op);
  s.dtype = dtype;
  for (std::size_t i = 0; i < s.used_operands().size(); ++i) {
    s.operands[i] =
        At(i == 0 ? Position::kVecout : Position::kVecin, kPlaces[i], 512);
  }
  CompleteConversion(s, Product::kAtlasA2);
  SetForm(s, form);
  if (form == isa::kCountForm) {
    s[isa::Param::kCount] = WholeCount(s, lanes);
    return s;
  }
  if (form == isa::kMaskForm && set_mask) s[isa::Param::kMask] = lanes;
  if (form == isa::kBitsForm && set_mask) {
    const isa::SetVectorMask mask = FirstLanes(lanes);
    s.mask_words = {mask.low, mask.high};
  }
  s[isa::Param::kRepeatTimes] = repeat;
  SetDenseStrides(s);
  s.is_set_mask = set_mask;
  return s;
}

isa::Call Product2() {
  isa::Call s = isa::CallOf("TROWPROD");
  s.dtype = DType::kHalf;
  auto& [dst, src, tmp] = s.tiles;
  src.at = 1024;
  src.rows = src.valid_row = 2;
  src.cols = src.valid_col = 16;
  tmp = src;
  tmp.at = 4096;
  dst = src;
  dst.at = 5120;
  dst.valid_col = 1;
  return s;
}

isa::Call Transpose() {
  isa::Call s = isa::CallOf("vec_trans");
  s.dst() = At(Position::kUb, 6144, 512);
  s.src(0) = At(Position::kUb, 1024, 512);
  s[isa::Param::kRepeatTimes] = 1;
  return s;
}

/// A step that may change state, or must not.
struct Actor {
  std::string name;
  isa::Step step;
};

std::vector<Actor> Actors() {
  const auto min = [](DType dtype, std::uint8_t form, std::int64_t lanes,
                      bool set_mask = true, std::int64_t repeat = 1) {
    return Lanewise("Min", dtype, form, lanes, set_mask, repeat);
  };
  const auto sum = [](DType dtype, std::int64_t elems, bool set_mask,
                      std::int64_t repeat = 1) {
    return Sum("RepeatReduceSum", dtype, elems, set_mask, repeat);
  };
  return {
      {"mask none", isa::SetVectorMask{}},
      {"mask low", isa::SetVectorMask{.high = 0, .low = 0x0f}},
      {"mask high", isa::SetVectorMask{.high = 0xf0f0, .low = 0}},
      {"mask mixed", isa::SetVectorMask{.high = 1, .low = 0x8000000000000001}},
      {"saturation off", isa::SetSaturation{.enabled = false}},
      {"saturation on", isa::SetSaturation{.enabled = true}},
      {"sum half 5", sum(DType::kHalf, 5, true)},
      {"sum float 64", sum(DType::kFloat, 64, true)},
      {"sum half 100, repeat 0", sum(DType::kHalf, 100, true, 0)},
      {"sum half, register", sum(DType::kHalf, 0, false)},
      {"sum float, register", sum(DType::kFloat, 0, false)},
      {"min count 0", min(DType::kHalf, isa::kCountForm, 0)},
      {"min count 1", min(DType::kHalf, isa::kCountForm, 1)},
      {"min float count 100", min(DType::kFloat, isa::kCountForm, 100)},
      {"min half mask 7", min(DType::kHalf, isa::kMaskForm, 7)},
      {"min float mask 9", min(DType::kFloat, isa::kMaskForm, 9)},
      {"min half words 70", min(DType::kHalf, isa::kBitsForm, 70)},
      {"min half mask 3, repeat 0",
       min(DType::kHalf, isa::kMaskForm, 3, true, 0)},
      {"min half, register", min(DType::kHalf, isa::kMaskForm, 0, false)},
      {"min float, register", min(DType::kFloat, isa::kBitsForm, 0, false)},
      {"min rejected", min(DType::kHalf, isa::kMaskForm, 129)},
      {"barrier V", isa::PipeBarrier{.pipe = isa::Pipe::kV}},
      {"barrier MTE2", isa::PipeBarrier{.pipe = isa::Pipe::kMte2}},
      {"barrier MTE3", isa::PipeBarrier{.pipe = isa::Pipe::kMte3}},
      {"barrier ALL", isa::PipeBarrier{.pipe = isa::Pipe::kAll}},
      {"copy in", HalvesCopied(Position::kGm, 0, Position::kVecin, 1024)},
      {"copy within",
       HalvesCopied(Position::kVecin, 1536, Position::kVecout, 1024)},
      {"copy out", HalvesCopied(Position::kVecout, 0, Position::kGm, 256)},
      {"product", Product2()},
      {"transpose", Transpose()},
  };
}

/// The same of the calls that the list above has no step of, and integers,
/// which some of them saturate.
std::vector<Actor> MoreActors() {
  std::vector<Actor> actors;
  for (const isa::Call& kind : isa::CallKinds()) {
    const isa::Signature& row = *kind.signature;
    const auto add = [&](std::string_view what, const isa::Call& step) {
      actors.push_back({fmt::format("{} {}", row.slug, what), step});
    };
    if (kind.Is(isa::Family::kReduction) && row.Has(isa::Param::kMaskWords)) {
      add("half 5", Sum(row.op, DType::kHalf, 5, true));
      add("float 64, repeat 0", Sum(row.op, DType::kFloat, 64, true, 0));
      add("half, register", Sum(row.op, DType::kHalf, 0, false));
      isa::Call words = Sum(row.op, DType::kHalf, 0, true);
      words.form = row.FormWith(isa::Param::kMaskWords);
      words.mask_words = {0x8001, 0x10};
      add("half words", words);
      add("rejected", Sum(row.op, DType::kHalf, 129, true));
    }
    if (row.Has(isa::Param::kIsPad)) {
      isa::Call copy = HalvesCopied(Position::kVecout, 0, Position::kGm, 257);
      copy.signature = &row;
      copy.params = {};
      copy.SetBlocks(1, 38);
      copy.form = row.FormWith(isa::Param::kIsPad) + 1;
      add("out", copy);
      --copy.form;
      copy.src(0) = At(Position::kGm, 1, 64);
      copy.dst() = At(Position::kVecin, 1024, 64);
      copy[isa::Param::kRightPadding] = 3;
      add("in", copy);
      copy[isa::Param::kBlockLen] = 37;
      add("rejected", copy);
    }
    if (row.family == isa::Family::kBroadcast) {
      isa::Call fill = isa::CallOf(row);
      fill.src(0) = At(Position::kVecin, 1024, 16);
      fill.dst() = At(Position::kVecout, 2048, 256);
      fill[isa::Param::kRepeatTimes] = fill.BlkStride(0) = 1;
      add("eight halves", fill);
      fill[isa::Param::kRepeatTimes] = 256;
      add("rejected", fill);
    }
    if (row.family != isa::Family::kLanewise || row.op == "Min" ||
        &InPrograms(row) != &row) {
      continue;
    }
    const auto call = [&](std::string_view what, DType wanted,
                          std::uint8_t form, std::int64_t lanes,
                          bool set_mask = true, std::int64_t repeat = 1) {
      const DType dtype = TypeLike(row.op, wanted);
      add(fmt::format(fmt::runtime(what), isa::Name(dtype)),
          Lanewise(row.op, dtype, form, lanes, set_mask, repeat));
    };
    if (row.Has(isa::Param::kCount)) {
      call("{} count 0", DType::kHalf, isa::kCountForm, 0);
      call("{} count 100", DType::kInt16, isa::kCountForm, 100);
    }
    call("{} words 70", DType::kHalf, isa::kBitsForm, 70);
    call("{} mask 9, repeat 0", DType::kInt32, isa::kMaskForm, 9, true, 0);
    if (row.Has(isa::Param::kIsSetMask)) {
      call("{}, register", DType::kHalf, isa::kMaskForm, 0, false);
    }
    call("rejected", DType::kHalf, isa::kMaskForm, 129);
  }
  return actors;
}

/// The steps beside the calls, and elements behind their windows.
std::vector<Actor> StepsBeside() {
  const isa::Operand window = At(Position::kVeccalc, 1024, 64);
  return {
      {"flag set", isa::SetFlag{isa::Event::kMte2V, 0}},
      {"flag waited for", isa::WaitFlag{isa::Event::kMte2V, 0}},
      {"counter mode", isa::SetMaskCount{}},
      {"normal mode", isa::SetMaskNorm{}},
      {"mask reset", isa::ResetMask{}},
      {"element read", isa::GetValue{DType::kHalf, window, 3}},
      {"element written", isa::SetValue{DType::kHalf, window, 3, 0x3c00}},
      {"element read behind", isa::GetValue{DType::kHalf, window, 32}},
      {"element written behind", isa::SetValue{DType::kHalf, window, 32, 1}},
  };
}

/// A call by count that is refused: counter mode keeps only masked calls from
/// being judged.
std::vector<Actor> RefusedCounts() {
  std::vector<Actor> actors;
  for (const isa::Signature& row : isa::kLanewiseRows) {
    if (&InPrograms(row) != &row || !row.Has(isa::Param::kCount)) continue;
    actors.push_back({fmt::format("{} count -1", row.slug),
                      Lanewise(row.op, TypeLike(row.op, DType::kHalf),
                               isa::kCountForm, -1, true)});
  }
  return actors;
}

/// Whether no target supports the second behind the first: a masked call in
/// counter mode.
bool IsUnsupported(const Actor& a, const Actor& b) {
  const auto* const call = std::get_if<isa::Call>(&b.step);
  return std::holds_alternative<isa::SetMaskCount>(a.step) && call != nullptr &&
         call->IsMasked();
}

void AddProgram(Emitter& out, Product product,
                const std::vector<const Actor*>& actors, Data data) {
  if (!out.Next()) return;
  Case c;
  c.product = product;
  std::string names;
  for (const Actor* actor : actors) {
    c.program.push_back(actor->step);
    names += fmt::format("{}{}", names.empty() ? "" : ", ", actor->name);
  }
  Ub(c) = Image(kUbBytes);
  c.memory[static_cast<std::size_t>(isa::Memory::kGm)] = Image(1024);
  out.Give({.what = fmt::format("steps: {} on {}, {}", names,
                                isa::Name(product), DataName(data)),
            .rule = isa::state::kMaskRegister,
            .c = std::move(c),
            .data = data});
}

/// One or two switches. Bits 0 and 1 of `modes`: the state of the two; 2:
/// whether there is a second.
Case Switched(Product product, std::int64_t modes) {
  Case c;
  c.product = product;
  Ub(c) = Image(kUbBytes);
  c.program.push_back(isa::SetSaturation{.enabled = (modes & 1) != 0});
  if ((modes & 4) != 0) {
    c.program.push_back(isa::SetSaturation{.enabled = (modes & 2) != 0});
  }
  return c;
}

/// Saturation switched on and off on each product.
void SweepSaturation(Emitter& out) {
  for (const auto& [product, enabled] :
       out.Each<Product, bool>(kEveryProduct, {true, false})) {
    Case c;
    c.product = product;
    c.program.push_back(isa::SetSaturation{.enabled = enabled});
    out.Give({.what = fmt::format("saturation: {} alone on {}", enabled,
                                  isa::Name(product)),
              .rule = isa::state::kSaturationProduct,
              .c = std::move(c)});
  }
  for (const auto& [product, modes, data, dtype] :
       out.Each<Product, std::int64_t, Data, DType>(
           kEveryProduct, Range(0, 15), {Data::kOverflow, Data::kSpecial},
           {DType::kHalf, DType::kFloat})) {
    Case c = Switched(product, modes);
    // Bit 3: which instruction follows.
    if ((modes & 8) != 0) {
      c.program.push_back(Sum("RepeatReduceSum", dtype, 64, true, 2));
    } else {
      c.program.push_back(Lanewise("Min", dtype, isa::kCountForm, 64, true));
    }
    out.Give({.what = fmt::format("saturation: modes {:#x} on {}, {} of {}",
                                  modes, isa::Name(product), DataName(data),
                                  isa::Name(dtype)),
              .rule = (modes & 2) != 0 ? isa::state::kSaturation
                                       : isa::state::kSaturationProduct,
              .c = std::move(c),
              .data = data});
  }
}

/// One or two switches before each of the calls that saturate something.
void SweepSaturatedCalls(Emitter& out, const std::vector<Actor>& actors) {
  for (Product product : kEveryProduct) {
    for (std::int64_t modes : Range(0, 7)) {
      for (const Actor& actor : actors) {
        if (!out.Next()) continue;
        Case c = Switched(product, modes);
        c.program.push_back(actor.step);
        out.Give({.what = fmt::format("saturated calls: modes {:#x} on {}, {}",
                                      modes, isa::Name(product), actor.name),
                  .rule = isa::state::kSaturation,
                  .c = std::move(c),
                  .data = Data::kOverflow});
      }
    }
  }
}

/// An operand that ends around the place from which UB's end is reserved, and
/// at UB's end, on each product and in each edition.
void SweepReservedUb(Emitter& out) {
  constexpr std::int64_t kReserved = 8192;
  for (const auto& [edition, product] : Combinations<isa::Edition, Product>(
           EveryValue<isa::Edition>(), kEveryProduct)) {
    const std::int64_t end = isa::CapacityBytes(product, isa::Memory::kUb);
    for (const auto& [until, source] : out.Each<std::int64_t, bool>(
             {end - kReserved - 32, end - kReserved, end - kReserved + 32,
              end - 256, end - 224, end},
             {false, true})) {
      Case c;
      c.product = product;
      c.edition = edition;
      const isa::Operand far = At(Position::kVecin, until - 32, 32);
      if (source) {
        c.program.push_back(isa::GetValue{DType::kHalf, far, 3});
      } else {
        c.program.push_back(isa::SetValue{DType::kHalf, far, 3, 0x3c00});
      }
      // A region of its own, so that not all of UB is filled.
      Ub(c) = Image(end);
      Ub(c)->regions.push_back(
          {.at = 0, .dtype = DType::kHalf, .bytes = {1, 2}});
      out.Give({.what = fmt::format("reserved UB: until {} bytes before its "
                                    "end on {}, edition {}{}",
                                    end - until, isa::Name(product),
                                    isa::Name(edition), source ? ", read" : ""),
                .rule = isa::state::kUbReserved,
                .c = std::move(c)});
    }
  }
}

}  // namespace

void SweepProgram(Emitter& out) {
  SweepSaturation(out);
  SweepReservedUb(out);
  const std::vector<Actor> actors = Actors();
  const auto before = [&](Product product, const Actor& a,
                          const std::vector<Actor>& behind) {
    for (const Actor& b : behind) {
      AddProgram(out, product, {&a, &b}, Data::kSpecial);
    }
  };
  for (Product product : kEveryProduct) {
    for (const Actor& a : actors) {
      AddProgram(out, product, {&a}, Data::kSpecial);
      before(product, a, actors);
    }
  }
  for (const Actor& a : actors) {
    for (const Actor& b : actors) {
      for (const Actor& c : actors) {
        AddProgram(out, Product::kAtlasA2, {&a, &b, &c}, Data::kOverflow);
      }
    }
  }
  const std::vector<Actor> more = MoreActors();
  SweepSaturatedCalls(out, more);
  for (Product product : kEveryProduct) {
    for (const Actor& a : more) {
      AddProgram(out, product, {&a}, Data::kSpecial);
      before(product, a, more);
      for (const Actor& b : actors) {
        AddProgram(out, product, {&a, &b}, Data::kSpecial);
        AddProgram(out, product, {&b, &a}, Data::kSpecial);
      }
    }
  }
  const std::vector<Actor> beside = StepsBeside();
  const std::vector<Actor> refused = RefusedCounts();
  for (Product product : kEveryProduct) {
    for (const Actor& a : beside) {
      before(product, a, beside);
      before(product, a, refused);
      for (const std::vector<Actor>* others : {&actors, &more}) {
        for (const Actor& b : *others) {
          if (!IsUnsupported(a, b)) {
            AddProgram(out, product, {&a, &b}, Data::kSpecial);
          }
          AddProgram(out, product, {&b, &a}, Data::kSpecial);
        }
      }
    }
  }
  SweepFlags(out);
}

}  // namespace lanediff::make::sweep
