#include "sanitizer/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <compare>
#include <iterator>
#include <string_view>
#include <variant>
#include <vector>

#include "differential/compare/signature.h"
#include "isa/state.h"
#include "sanitizer/lint.h"

namespace lanediff::lint {
namespace {

std::string TextOfPlace(const Place& place) {
  std::string text = fmt::format("{} {}", place.step, place.op);
  if (place.pipe) text += fmt::format(" {}", isa::Name(*place.pipe));
  if (!place.operand.empty()) {
    text += fmt::format(" {}[{}]", place.operand, place.iteration);
  }
  return text;
}

std::string TextOfStep(const isa::Step& step) {
  std::string text(isa::OpName(step));
  const auto add = [&](std::string_view name, const auto& o) {
    text += fmt::format(" {} {} {}", name, isa::Name(o.position), o.at);
  };
  const auto* const call = std::get_if<isa::Call>(&step);
  if (call == nullptr) {
    std::visit(
        [&](const auto& s) {
          if constexpr (requires { s.event; }) {
            text += fmt::format(" {} {}", isa::Name(s.event), s.id);
          } else if constexpr (requires { s.pipe; }) {
            text += fmt::format(" {}", isa::Name(s.pipe));
          } else if constexpr (requires { s.high; }) {
            text += fmt::format(" {:x} {:x}", s.high, s.low);
          } else if constexpr (requires { s.src.at; }) {
            add("src", s.src);
          } else if constexpr (requires { s.dst.at; }) {
            add("dst", s.dst);
          }
        },
        step);
    return text;
  }
  const isa::Signature& row = *call->signature;
  for (std::size_t i = 0; i < call->used_operands().size(); ++i) {
    add(row.operands[i].name, call->operands[i]);
  }
  for (std::size_t i = 0; i < row.tiles.size(); ++i) {
    if (!row.tiles[i].is_scratch) add(row.tiles[i].name, call->tiles[i]);
  }
  if (row.Has(isa::Param::kCount)) {
    text += fmt::format(" count {}", (*call)[isa::Param::kCount]);
  }
  if (!call->is_set_mask) text += " register";
  return text;
}

std::string TextOfHazard(const Hazard& hazard) {
  std::string text(hazard.rule.text());
  if (hazard.bytes) {
    text += fmt::format(" {} {}+{}/{} x{}", isa::Name(hazard.bytes->memory),
                        hazard.bytes->at, hazard.bytes->bytes,
                        hazard.bytes->total, hazard.bytes->folded + 1);
  }
  if (hazard.earlier) text += " (" + TextOfPlace(*hazard.earlier) + ")";
  text += " " + TextOfPlace(hazard.later);
  for (std::size_t i = 0; i < hazard.fix.size(); ++i) {
    text += (i == 0 ? "; " : ", ") + TextOfStep(hazard.fix[i]);
  }
  return text;
}

/// A report about one step.
struct Line {
  std::size_t step = 0;
  std::vector<isa::RuleId> rules = {};
  std::string text = {};

  auto operator<=>(const Line&) const = default;
};

std::vector<Line> LinesOf(const Verdict& verdict) {
  std::vector<Line> lines;
  const auto add_hazards = [&](std::string_view how, const auto& hazards) {
    for (const Hazard& hazard : hazards) {
      lines.push_back({hazard.later.step,
                       {hazard.rule},
                       std::string(how) + TextOfHazard(hazard)});
    }
  };
  const auto add_rejected = [&](std::string_view how, const auto& rejected) {
    Line& line = lines.emplace_back(rejected.step);
    line.text = fmt::format("{}rejected {}:", how, rejected.step);
    for (const isa::RuleId rule : rejected.rules) {
      line.rules.push_back(rule);
      line.text += fmt::format(" {}", rule.text());
    }
  };
  if (!verdict.racecheck) lines.push_back({.text = "no racecheck"});
  add_hazards("", verdict.hazards);
  if (verdict.rejected) add_rejected("", *verdict.rejected);
  if (verdict.unsupported) {
    lines.push_back({*verdict.unsupported,
                     {},
                     fmt::format("unsupported {}", *verdict.unsupported)});
  }
  if (!verdict.after) return lines;
  add_hazards("after: ", verdict.after->hazards);
  for (const auto& one : verdict.after->rejected) add_rejected("after: ", one);
  add_hazards("at the end: ", verdict.after->at_end);
  return lines;
}

/// Of `lines`, sorted, those that `others` hasn't.
std::vector<Line> Without(const std::vector<Line>& lines,
                          const std::vector<Line>& others) {
  std::vector<Line> left;
  std::ranges::set_difference(lines, others, std::back_inserter(left));
  return left;
}

/// Adds the lines of `who` alone at the finding's step; returns their rules.
std::vector<isa::RuleId> AddLines(std::string_view who,
                                  const std::vector<Line>& lines,
                                  diff::Finding& finding) {
  std::vector<isa::RuleId> rules;
  for (const Line& line : lines) {
    if (line.step != finding.step) continue;
    finding.message += fmt::format("; {} alone reports {}", who, line.text);
    rules.insert(rules.end(), line.rules.begin(), line.rules.end());
  }
  std::ranges::sort(rules);
  return rules;
}

}  // namespace

std::string TextOf(const Verdict& verdict) {
  std::string text;
  for (const Line& line : LinesOf(verdict)) text += line.text + "\n";
  return text;
}

std::string TextOf(const Case& c) {
  std::string text = fmt::format("{} sync {}{}{}\n", isa::Name(c.product),
                                 !c.lint.sync             ? "none"
                                 : c.lint.sync->automatic ? "auto"
                                                          : "manual",
                                 c.lint.start_unknown ? " unknown" : "",
                                 c.lint.propagate ? " prop" : "");
  for (std::size_t i = 0; i < c.program.size(); ++i) {
    text += fmt::format("{}: {}\n", i, TextOfStep(c.program[i]));
  }
  return text;
}

std::optional<diff::Finding> DifferenceOf(const Case& c, const Verdict& literal,
                                          const Verdict& found) {
  std::vector<Line> expected = LinesOf(literal);
  std::vector<Line> actual = LinesOf(found);
  if (expected == actual) return std::nullopt;
  std::ranges::sort(expected);
  std::ranges::sort(actual);
  const std::vector<Line> missing = Without(expected, actual);
  const std::vector<Line> added = Without(actual, expected);
  std::vector<Line> odd = missing;
  odd.insert(odd.end(), added.begin(), added.end());

  diff::Finding finding;
  finding.kind = diff::FindingKind::kLintDiffers;
  finding.side = "lint";
  finding.reference = "oracle";
  if (!odd.empty()) finding.step = std::ranges::min(odd).step;
  finding.op = isa::OpName(c.program.at(finding.step));
  finding.message = fmt::format("step {} {}", finding.step, finding.op);
  finding.expected_rules = AddLines("the model of bytes", missing, finding);
  finding.actual_rules = AddLines("lint", added, finding);
  if (odd.empty()) finding.message += "; the same lines in another order";
  const auto elsewhere = std::ranges::count_if(
      odd, [&](const Line& line) { return line.step != finding.step; });
  if (elsewhere > 0) {
    finding.message += fmt::format("; {} more of later steps", elsewhere);
  }
  finding.signature = diff::SignatureOf(c, finding).Text();
  return finding;
}

std::expected<std::optional<diff::Finding>, std::string> Compare(
    const Case& c) {
  const auto answer = oracle::FindHazards(QuestionOf(c));
  if (!answer) return std::unexpected(std::string(answer.error()));
  const Verdict found = Lint(c);
  if (std::ranges::any_of(found.hazards, [](const Hazard& hazard) {
        return hazard.rule == isa::state::kMaskDrift;
      })) {
    return std::unexpected("places of calls, which MASK-DRIFT is about");
  }
  return DifferenceOf(c, LiteralVerdict(c, *answer), found);
}

diff::ShrinkResult ShrinkDifference(const Case& c, const diff::Finding& wanted,
                                    const diff::ShrinkBudget& budget) {
  return diff::Shrink(
      c, wanted,
      [&](const Case& candidate) -> std::optional<diff::Finding> {
        auto compared = Compare(candidate);
        const bool same =
            compared && *compared && (*compared)->signature == wanted.signature;
        return same ? *std::move(compared) : std::nullopt;
      },
      budget);
}

}  // namespace lanediff::lint
