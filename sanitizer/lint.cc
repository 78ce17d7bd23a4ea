#include "sanitizer/lint.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <variant>
#include <vector>

#include "isa/state.h"
#include "sanitizer/walk.h"

namespace lanediff::lint {
namespace {

/// The places of the program's steps, numbered.
std::vector<std::optional<std::size_t>> SitesOf(const Case& c) {
  using Key = std::tuple<std::string_view, std::int64_t, std::int64_t>;
  std::map<Key, std::size_t> numbers;
  std::vector<std::optional<std::size_t>> sites(c.program.size());
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const StepSource* const source = SourceOf(c, i);
    if (source == nullptr) continue;
    const Key key{source->file, source->line, source->call.value_or(1)};
    sites[i] = numbers.try_emplace(key, numbers.size()).first->second;
  }
  return sites;
}

}  // namespace

Verdict Lint(const Case& c) {
  const auto sites = SitesOf(c);
  Walk walk(
      c, [&](std::size_t number) { return &c.program[number]; },
      [&](std::size_t number) { return sites[number]; });
  for (std::size_t i = 0; i < c.program.size(); ++i) {
    walk.Take(c.program[i], i);
    if (walk.unsupported()) break;
  }
  return walk.Finish();
}

std::string WhereOf(const Case& c, std::size_t step) {
  std::string text;
  if (const auto* call = std::get_if<isa::Carried>(&c.program[step])) {
    text = call->name;
  }
  if (const StepSource* const source = SourceOf(c, step)) {
    text += fmt::format("{}{}:{}", text.empty() ? "" : ", ", source->file,
                        source->line);
  }
  return text;
}

std::string WhereOf(const Case& c, const Hazard& hazard) {
  std::string text;
  const auto add = [&](std::size_t step) {
    const std::string where = WhereOf(c, step);
    if (where.empty()) return;
    text +=
        fmt::format("{}step {} is {}", text.empty() ? "" : "; ", step, where);
  };
  add(hazard.later.step);
  if (hazard.earlier && hazard.earlier->step != hazard.later.step) {
    add(hazard.earlier->step);
  }
  const bool has_third = hazard.rule == isa::state::kMaskDrift ||
                         hazard.rule == isa::sync::kInitStale;
  if (has_third && hazard.cause && hazard.cause->step != hazard.later.step) {
    add(hazard.cause->step);
  }
  return text;
}

}  // namespace lanediff::lint
