#include "properties/hazards.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "isa/state.h"
#include "lint/sort_stably.h"

namespace lanediff::properties {

using isa::Memory;
using lint::Hazard;

oracle::HazardQuestion QuestionOf(const Case& c) {
  oracle::HazardQuestion question;
  question.product = c.product;
  question.program = c.program;
  if (c.lint.sync) question.automatic = c.lint.sync->automatic;
  question.start_unknown = c.lint.start_unknown;
  question.propagate = c.lint.propagate;
  for (std::size_t m = 0; m < c.memory.size(); ++m) {
    const auto size =
        static_cast<std::size_t>(SizeOf(c, static_cast<Memory>(m)));
    const auto& image = c.memory[m];
    question.written[m].assign(size, image && image->initialised);
    if (!image) continue;
    for (const Region& region : image->regions) {
      for (std::int64_t at = region.at; at < region.end(); ++at) {
        question.written[m][static_cast<std::size_t>(at)] = true;
      }
    }
  }
  return question;
}

namespace {

/// What the same hazard has in common.
struct Same {
  isa::RuleId rule;
  std::size_t earlier;  ///< 0 of INIT-READ
  std::size_t later;
  std::string_view operand;  ///< of INIT-READ

  auto operator<=>(const Same&) const = default;
};

bool IsRead(const oracle::ByteHazard& hazard) {
  return hazard.rule == isa::sync::kInitRead;
}

Same SameOf(const oracle::ByteHazard& hazard) {
  if (IsRead(hazard)) {
    return {hazard.rule, 0, hazard.later.step, hazard.later.operand};
  }
  return {hazard.rule, hazard.earlier->step, hazard.later.step, {}};
}

/// a and b of a byte; INIT-READ: b alone.
using Accesses = std::pair<std::pair<std::string_view, std::int64_t>,
                           std::pair<std::string_view, std::int64_t>>;
Accesses AccessesOf(const oracle::ByteHazard& hazard) {
  Accesses accesses;
  if (!IsRead(hazard)) {
    accesses.first = {hazard.earlier->operand, hazard.earlier->iteration};
  }
  accesses.second = {hazard.later.operand, hazard.later.iteration};
  return accesses;
}

class Gathering {
 public:
  Gathering(const Case& c, const oracle::HazardAnswer& answer)
      : c_(c), answer_(answer) {}

  std::vector<Hazard> All() const {
    std::map<Same, std::vector<oracle::ByteHazard>> gathered;
    for (const oracle::ByteHazard& hazard : answer_.bytes) {
      gathered[SameOf(hazard)].push_back(hazard);
    }
    std::vector<Hazard> all;
    for (auto& [same, bytes] : gathered) {
      std::ranges::sort(bytes, {}, [](const oracle::ByteHazard& b) {
        return std::pair(b.memory, b.at);
      });
      all.push_back(OfBytes(bytes));
    }
    for (const oracle::StepHazard& hazard : answer_.steps) {
      Hazard& one = all.emplace_back();
      one.rule = hazard.rule;
      if (hazard.earlier) one.earlier = Bare(*hazard.earlier);
      one.later = Bare(hazard.later);
      one.fix = hazard.fix;
    }
    lint::SortStably(all, [](const Hazard& h) {
      return std::tuple(h.later.step, h.rule,
                        h.earlier ? h.earlier->step + 1 : 0, h.later.operand);
    });
    return all;
  }

 private:
  lint::Place Bare(std::size_t step) const {
    return {.step = step, .op = isa::OpName(c_.program[step])};
  }
  std::optional<isa::Pipe> PipeOf(std::size_t step) const {
    for (const auto& operation : answer_.operations) {
      if (operation.step == step) return operation.pipe;
    }
    return std::nullopt;
  }
  lint::Place PlaceOf(const oracle::Toucher& toucher) const {
    lint::Place place = Bare(toucher.step);
    place.pipe = PipeOf(toucher.step);
    place.operand = toucher.operand;
    place.iteration = toucher.iteration;
    return place;
  }

  Hazard OfBytes(const std::vector<oracle::ByteHazard>& bytes) const {
    const oracle::ByteHazard& lowest = bytes.front();
    Hazard one;
    one.rule = lowest.rule;
    one.later = PlaceOf(lowest.later);
    if (!IsRead(lowest)) {
      one.earlier = PlaceOf(*lowest.earlier);
      one.fix = oracle::MissingCall(c_.product, c_.program, *one.earlier->pipe,
                                    *one.later.pipe);
    } else if (lowest.earlier) {
      one.earlier = Bare(lowest.earlier->step);
    }
    std::set<Accesses> different;
    for (const auto& hazard : bytes) different.insert(AccessesOf(hazard));
    std::int64_t run = 0;
    for (const auto& hazard : bytes) {
      if (hazard.memory != lowest.memory || hazard.at != lowest.at + run ||
          AccessesOf(hazard) != AccessesOf(lowest)) {
        break;
      }
      ++run;
    }
    one.bytes = {.memory = lowest.memory,
                 .at = lowest.at,
                 .bytes = run,
                 .total = static_cast<std::int64_t>(bytes.size()),
                 .folded = static_cast<std::int64_t>(different.size()) - 1};
    return one;
  }

  const Case& c_;
  const oracle::HazardAnswer& answer_;
};

}  // namespace

lint::Verdict LiteralVerdict(const Case& c,
                             const oracle::HazardAnswer& answer) {
  lint::Verdict verdict;
  verdict.racecheck = c.lint.sync.has_value();
  verdict.unsupported = answer.unsupported;
  verdict.hazards = Gathering(c, answer).All();
  if (answer.rejected.empty()) return verdict;
  const auto& first = answer.rejected.front();
  verdict.rejected = {first.step, first.rules};
  auto& after = verdict.after.emplace();
  for (std::size_t i = 1; i < answer.rejected.size(); ++i) {
    after.rejected.push_back(
        {answer.rejected[i].step, answer.rejected[i].rules});
  }
  const auto end = std::ranges::find_if(verdict.hazards, [&](const Hazard& h) {
    return h.later.step > first.step;
  });
  after.hazards.assign(end, verdict.hazards.end());
  verdict.hazards.erase(end, verdict.hazards.end());
  return verdict;
}

lint::Verdict LiteralVerdict(const Case& c) {
  const auto answer = oracle::FindHazards(QuestionOf(c));
  return answer ? LiteralVerdict(c, *answer) : lint::Verdict{};
}

bool IsRace(const Hazard& hazard) {
  return hazard.rule == isa::sync::kRaw || hazard.rule == isa::sync::kWar ||
         hazard.rule == isa::sync::kWaw;
}

namespace {

std::string TextOfPlace(const lint::Place& place) {
  std::string text = fmt::format("{} {}", place.step, place.op);
  if (place.pipe) text += fmt::format(" {}", isa::Name(*place.pipe));
  if (!place.operand.empty()) {
    text += fmt::format(" {}[{}]", place.operand, place.iteration);
  }
  return text;
}

std::string TextOfStep(const isa::Step& step) {
  return std::visit(
      []<class S>(const S& s) {
        std::string text(S::kOp);
        if constexpr (requires { s.event; }) {
          text += fmt::format(" {} {}", isa::Name(s.event), s.id);
        } else if constexpr (requires { s.pipe; }) {
          text += fmt::format(" {}", isa::Name(s.pipe));
        } else if constexpr (requires { s.high; }) {
          text += fmt::format(" {:x} {:x}", s.high, s.low);
        }
        const auto operand = [&](std::string_view name, const auto& o) {
          text += fmt::format(" {} {} {}", name, isa::Name(o.position), o.at);
        };
        if constexpr (requires { s.dst; }) operand("dst", s.dst);
        if constexpr (requires { s.src; }) operand("src", s.src);
        if constexpr (requires { s.src0; }) operand("src0", s.src0);
        if constexpr (requires { s.src1; }) operand("src1", s.src1);
        if constexpr (requires { s.count; }) {
          text += fmt::format(" count {}", s.count);
        }
        if constexpr (requires { s.is_set_mask; }) {
          if (!s.is_set_mask) text += " register";
        }
        return text;
      },
      step);
}

std::string TextOfHazard(const Hazard& hazard) {
  std::string text(hazard.rule.text());
  if (hazard.bytes) {
    text += fmt::format(" {} {}+{}/{} x{}", isa::Name(hazard.bytes->memory),
                        hazard.bytes->at, hazard.bytes->bytes,
                        hazard.bytes->total, hazard.bytes->folded + 1);
  }
  if (hazard.earlier) text += " (" + TextOfPlace(*hazard.earlier) + ")";
  text += " " + TextOfPlace(hazard.later) + ";";
  for (const isa::Step& step : hazard.fix) text += " " + TextOfStep(step);
  return text + "\n";
}

std::string TextOfRejected(const lint::RejectedStep& rejected) {
  std::string text = fmt::format("rejected {}:", rejected.step);
  for (const isa::RuleId rule : rejected.rules) {
    text += fmt::format(" {}", rule.text());
  }
  return text + "\n";
}

}  // namespace

std::string TextOf(const lint::Verdict& verdict) {
  std::string text;
  for (const Hazard& hazard : verdict.hazards) text += TextOfHazard(hazard);
  if (verdict.rejected) text += TextOfRejected(*verdict.rejected);
  if (verdict.unsupported) {
    text += fmt::format("unsupported {}\n", *verdict.unsupported);
  }
  if (!verdict.after) return text;
  for (const Hazard& hazard : verdict.after->hazards) {
    text += "after: " + TextOfHazard(hazard);
  }
  for (const auto& rejected : verdict.after->rejected) {
    text += "after: " + TextOfRejected(rejected);
  }
  return text;
}

std::string Difference(const lint::Verdict& literal,
                       const lint::Verdict& found) {
  const std::string expected = TextOf(literal);
  const std::string text = TextOf(found);
  if (expected == text && literal.racecheck == found.racecheck) return "";
  return "literal:\n" + expected + "lint:\n" + text;
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

}  // namespace lanediff::properties
