#include "generators/boundary/boundaries.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "isa/catalogue.h"

namespace lanediff::make::sweep {
namespace {

/// Breakers that meet each boundary value of all bases but the first.
constexpr std::size_t kFew = 3;

/// None of a base whose form the rule does not speak of.
std::optional<isa::RuleId> RuleOfField(const Kit& kit, const Base& base,
                                       std::string_view name) {
  using enum isa::CallRule;
  for (const FieldRule& one : kit.field_rules) {
    if (one.field == name) return kit.row.Rule(one.rule);
  }
  if (name.ends_with(".at")) {
    const isa::RuleId id = kit.row.Rule(isa::HasRule(kit.row, kAlign) ? kAlign
                                        : name == "dst.at" ? kDstAlign
                                                           : kSrcAlign);
    const isa::Rule* const rule = isa::FindRule(id.text());
    const auto form = std::get<isa::Call>(base.c.program.back()).form;
    if (rule != nullptr && (rule->forms >> form & 1) == 0) return std::nullopt;
    return id;
  }
  for (const isa::Rule& rule : isa::Catalogue()) {
    if (rule.instruction != kit.row.op) continue;
    for (const isa::Range& range : rule.ranges) {
      if (range.field == name) return rule.id;
    }
  }
  if (name.ends_with(".bytes")) return kit.row.Rule(kBounds);
  return std::nullopt;
}

/// How windows and memories are made to fit after a field has changed.
struct Fitting {
  enum Kind { kAsItWas, kExact, kShortWindow, kShortMemory, kLongWindow };
  Kind kind;
  std::size_t operand;
};

constexpr std::string_view kFittingNames[] = {
    "windows as they were", "exact windows", "window one byte short",
    "memory one byte short", "window one byte too long"};

std::vector<Fitting> FittingsFor(const isa::Signature& row) {
  std::vector<Fitting> all = {{Fitting::kAsItWas, 0}};
  for (std::size_t k = 0; k < WindowCount(row); ++k) {
    for (Fitting::Kind kind : {Fitting::kExact, Fitting::kShortWindow,
                               Fitting::kShortMemory, Fitting::kLongWindow}) {
      all.push_back({kind, k});
    }
  }
  return all;
}

bool Fit(Case& c, Fitting fitting) {
  if (fitting.kind == Fitting::kAsItWas) return true;
  const std::size_t k = fitting.operand;
  if (!Place(c, k)) return false;
  if (fitting.kind == Fitting::kExact) return true;
  if (fitting.kind == Fitting::kShortMemory) {
    auto& size = MemoryOf(c, k)->size;
    if (size == 0) return false;
    --size;
    return true;
  }
  std::int64_t* const bytes = WindowsOf(Subject(c))[k].bytes;
  if (bytes == nullptr) return false;
  *bytes += fitting.kind == Fitting::kShortWindow ? -1 : 1;
  return true;
}

/// Boundary values of every integer of `base`, by the integer's number.
struct FieldValues {
  std::size_t field;
  std::string name;
  bool window;
  std::vector<std::int64_t> values;
};

std::vector<FieldValues> ValuesOf(const Kit& kit, const Base& base) {
  isa::Step step = base.c.program.back();
  std::vector<FieldValues> all;
  const auto integers = IntegersOf(step);
  for (std::size_t f = 0; f < integers.size(); ++f) {
    all.push_back(
        {f, integers[f].name, integers[f].IsWindow(),
         BoundaryValues(kit.row.op, integers[f].name, *integers[f].value)});
  }
  return all;
}

/// Calls `visit` with each field of `base` and each of its values.
template <class Visit>
void ForEachValue(const Kit& kit, const Base& base, const Visit& visit) {
  for (const FieldValues& field : ValuesOf(kit, base)) {
    for (std::int64_t value : field.values) visit(field, value);
  }
}

void SetField(Case& c, std::size_t field, std::int64_t value) {
  *IntegersOf(c.program.back())[field].value = value;
}

void AddBoundary(Emitter& out, const Kit& kit, const Base& base,
                 const FieldValues& field, std::int64_t value, Fitting fitting,
                 isa::Edition edition = isa::kNewestEdition) {
  if (!out.Next()) return;
  Case c = base.c;
  c.edition = edition;
  SetField(c, field.field, value);
  if (!Fit(c, fitting)) return;
  // Windows that fit exactly are the legal side of the bounds rule.
  const bool of_field =
      fitting.kind == Fitting::kAsItWas ||
      (fitting.kind == Fitting::kExact && fitting.operand == 0);
  out.Give({.what = fmt::format("boundary of {}: {}, {} {}, base {}",
                                field.name, value, kFittingNames[fitting.kind],
                                fitting.operand, base.name),
            .rule = of_field ? RuleOfField(kit, base, field.name)
                             : kit.row.Rule(isa::CallRule::kBounds),
            .c = std::move(c),
            .point = of_field ? std::optional(FieldPoint{field.name, value})
                              : std::nullopt});
}

/// The breakers of these numbers, one after the other.
void AddBroken(Emitter& out, const Kit& kit, const Base& base,
               const std::vector<std::size_t>& which) {
  if (!out.Next()) return;
  Case c = base.c;
  std::string rules;
  std::string hows;
  for (std::size_t k : which) {
    const Breaker& breaker = kit.breakers[k];
    if (!breaker.Apply(c)) return;
    rules += fmt::format(" {}", kit.row.Rule(breaker.rule).text());
    hows += fmt::format("{}, ", breaker.how);
  }
  out.Give({.what = fmt::format("broken{}: {}base {}", rules, hows, base.name),
            .rule = which.size() == 1 ? std::optional(kit.row.Rule(
                                            kit.breakers[which[0]].rule))
                                      : std::nullopt,
            .c = std::move(c)});
}

}  // namespace

std::vector<std::int64_t> BoundaryValues(std::string_view op,
                                         std::string_view name,
                                         std::int64_t now) {
  using Limits64 = std::numeric_limits<std::int64_t>;
  using Limits32 = std::numeric_limits<std::int32_t>;
  std::vector<std::int64_t> values = {-32,
                                      -1,
                                      0,
                                      1,
                                      2,
                                      255,
                                      256,
                                      65535,
                                      65536,
                                      Limits32::min(),
                                      Limits32::max(),
                                      std::int64_t{Limits32::max()} + 1,
                                      std::int64_t{1} << 32,
                                      Limits64::min(),
                                      Limits64::max()};
  for (int d : {-32, -2, -1, 1, 2, 16, 31, 32, 64, 128}) {
    values.push_back(now + d);
  }
  for (const isa::Rule& rule : isa::Catalogue()) {
    if (rule.instruction != op) continue;
    for (const isa::Range& range : rule.ranges) {
      if (range.field != name) continue;
      for (std::int64_t d = -1; d <= 1; ++d) {
        values.push_back(range.low + d);
        values.push_back(range.high + d);
      }
    }
  }
  std::ranges::sort(values);
  const auto rest = std::ranges::unique(values);
  values.erase(rest.begin(), rest.end());
  return values;
}

void SweepBoundaries(Emitter& out, const Kit& kit) {
  const auto fittings = FittingsFor(kit.row);
  for (const Base& base : kit.bases) {
    ForEachValue(kit, base, [&](const FieldValues& field, std::int64_t value) {
      for (Fitting fitting : fittings) {
        // What is to be at a boundary is not to be moved away from it.
        if (field.window && fitting.kind != Fitting::kAsItWas) continue;
        AddBoundary(out, kit, base, field, value, fitting);
      }
    });
  }
}

void SweepBrokenBoundaries(Emitter& out, const Kit& kit) {
  std::size_t turn = 0;
  for (std::size_t b = 0; b < kit.bases.size(); ++b) {
    const Base& base = kit.bases[b];
    const std::size_t few =
        b == 0 ? kit.breakers.size() : std::min(kFew, kit.breakers.size());
    ForEachValue(kit, base, [&](const FieldValues& field, std::int64_t value) {
      for (std::size_t k = 0; k < few; ++k) {
        const Breaker& breaker = kit.breakers[turn++ % kit.breakers.size()];
        if (!out.Next()) continue;
        Case c = base.c;
        SetField(c, field.field, value);
        if (!breaker.Apply(c)) continue;
        out.Give(
            {.what = fmt::format("boundary of {} and a broken {}: {}, {}, "
                                 "base {}",
                                 field.name, kit.row.Rule(breaker.rule).text(),
                                 value, breaker.how, base.name),
             .rule = std::nullopt,
             .c = std::move(c)});
      }
    });
  }
}

void SweepBreakers(Emitter& out, const Kit& kit) {
  const std::size_t n = kit.breakers.size();
  for (const Base& base : kit.bases) {
    for (std::size_t i = 0; i < n; ++i) {
      AddBroken(out, kit, base, {i});
      // Either may undo the other, so both orders count.
      for (std::size_t j = 0; j < n; ++j) {
        if (j != i) AddBroken(out, kit, base, {i, j});
      }
      AddBroken(out, kit, base, {i, (i + 1) % n, (i + 2) % n});
    }
  }
}

void SweepEverywhere(Emitter& out, const Kit& kit,
                     const std::vector<EveryBase>& bases) {
  for (const auto& [base, fields] : bases) {
    for (std::size_t i = 0; i < kit.breakers.size(); ++i) {
      AddBroken(out, kit, base, {i});
    }
    if (!fields) continue;
    ForEachValue(kit, base, [&](const FieldValues& field, std::int64_t value) {
      AddBoundary(out, kit, base, field, value, {Fitting::kAsItWas, 0});
      if (!field.window) {
        AddBoundary(out, kit, base, field, value, {Fitting::kExact, 0});
      }
    });
  }
}

void SweepShift(Emitter& out, const Base& base, std::size_t i,
                isa::CallRule rule, const std::vector<std::int64_t>& shifts) {
  for (std::int64_t shift : shifts) {
    if (!out.Next()) continue;
    Case c = base.c;
    if (!Place(c)) continue;
    isa::Call& call = Subject(c);
    // Space on both sides, so that only the shift decides.
    auto& size = MemoryOf(c, 0)->size;
    const std::int64_t space = (size + 127) / 128 * 128;
    for (isa::Operand& operand : call.used_operands()) operand.at += space;
    call.dst().at = call.src(i).at + shift;
    size += 2 * space;
    if (call.dst().at < 0) continue;
    out.Give({.what = fmt::format("dst against {}: {:+} bytes, base {}",
                                  call.signature->operands[i + 1].name, shift,
                                  base.name),
              .rule = call.Rule(rule),
              .c = std::move(c)});
  }
}

void SweepOlderBoundaries(Emitter& out, const Kit& kit) {
  for (const Base& base : kit.bases) {
    for (const FieldValues& field : ValuesOf(kit, base)) {
      const auto rule = RuleOfField(kit, base, field.name);
      const isa::Rule* const found =
          rule ? isa::FindRule(rule->text()) : nullptr;
      if (found == nullptr || found->statement_2024.empty()) continue;
      for (std::int64_t value : field.values) {
        for (Fitting::Kind kind : {Fitting::kAsItWas, Fitting::kExact}) {
          AddBoundary(out, kit, base, field, value, {kind, 0},
                      isa::Edition::k2024);
        }
      }
    }
  }
}

void SweepAlignment(Emitter& out, const Kit& kit, std::int64_t count) {
  for (const Base& base : kit.bases) {
    for (std::size_t k = 0; k < WindowCount(kit.row); ++k) {
      for (std::int64_t shift = 0; shift < count; ++shift) {
        if (!out.Next()) continue;
        Case c = base.c;
        if (!Place(c, k)) continue;
        MemoryOf(c, k)->size += shift;
        const Window window = WindowsOf(Subject(c))[k];
        *window.at += shift;
        const auto field = fmt::format("{}.at", window.name);
        out.Give({.what = fmt::format("alignment of {}: {:+} bytes, base "
                                      "{}",
                                      field, shift, base.name),
                  .rule = RuleOfField(kit, base, field),
                  .c = std::move(c)});
      }
    }
  }
}

}  // namespace lanediff::make::sweep
