#include <algorithm>
#include <map>
#include <optional>
#include <ranges>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "differential/testcase/sort_stably.h"
#include "isa/state.h"
#include "sanitizer/compare.h"

namespace lanediff::lint {

using isa::Memory;

oracle::HazardQuestion QuestionOf(const Case& c) {
  oracle::HazardQuestion question;
  question.product = c.product;
  question.edition = c.edition;
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
struct Gathered {
  isa::RuleId rule;
  std::size_t earlier;  ///< 0 of INIT-READ
  std::size_t later;
  std::string_view operand;  ///< of INIT-READ

  auto operator<=>(const Gathered&) const = default;
};

bool IsRead(const oracle::ByteHazard& hazard) {
  return hazard.rule == isa::sync::kInitRead;
}

Gathered GatheredAs(const oracle::ByteHazard& hazard) {
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
    std::map<Gathered, std::vector<oracle::ByteHazard>> gathered;
    for (const oracle::ByteHazard& hazard : answer_.bytes) {
      gathered[GatheredAs(hazard)].push_back(hazard);
    }
    std::vector<Hazard> all;
    for (auto& [same, bytes] : gathered) {
      std::ranges::sort(bytes, {}, [](const oracle::ByteHazard& b) {
        return std::pair(b.memory, b.at);
      });
      all.push_back(OfBytes(bytes));
    }
    for (const oracle::StepHazard& hazard : answer_.steps) {
      all.push_back(OfStep(hazard));
    }
    Sort(all);
    return all;
  }

  std::vector<Hazard> AtEnd() const {
    std::vector<Hazard> open;
    for (const oracle::StepHazard& hazard : answer_.at_end) {
      open.push_back(OfStep(hazard));
    }
    Sort(open);
    return open;
  }

 private:
  static void Sort(std::vector<Hazard>& hazards) {
    SortStably(hazards, [](const Hazard& h) {
      return std::tuple(h.later.step, h.rule,
                        h.earlier ? h.earlier->step + 1 : 0, h.later.operand);
    });
  }
  Hazard OfStep(const oracle::StepHazard& hazard) const {
    Hazard one;
    one.rule = hazard.rule;
    if (hazard.earlier) one.earlier = Bare(*hazard.earlier);
    one.later = Bare(hazard.later);
    one.fix = hazard.fix;
    return one;
  }
  Place Bare(std::size_t step) const {
    return {.step = step, .op = isa::OpName(c_.program[step])};
  }
  std::optional<isa::Pipe> PipeOf(std::size_t step) const {
    for (const auto& operation : answer_.operations) {
      if (operation.step == step) return operation.pipe;
    }
    return std::nullopt;
  }
  Place PlaceOf(const oracle::Toucher& toucher) const {
    Place place = Bare(toucher.step);
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
    const auto last =
        std::ranges::find(bytes | std::views::reverse, lowest.memory,
                          &oracle::ByteHazard::memory);
    one.bytes = {.memory = lowest.memory,
                 .at = lowest.at,
                 .bytes = run,
                 .end = last->at + 1,
                 .total = static_cast<std::int64_t>(bytes.size()),
                 .folded = static_cast<std::int64_t>(different.size()) - 1};
    return one;
  }

  const Case& c_;
  const oracle::HazardAnswer& answer_;
};

}  // namespace

Verdict LiteralVerdict(const Case& c, const oracle::HazardAnswer& answer) {
  Verdict verdict;
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
  after.at_end = Gathering(c, answer).AtEnd();
  return verdict;
}

Verdict LiteralVerdict(const Case& c) {
  const auto answer = oracle::FindHazards(QuestionOf(c));
  return answer ? LiteralVerdict(c, *answer) : Verdict{};
}

bool IsRace(const Hazard& hazard) {
  return hazard.rule == isa::sync::kRaw || hazard.rule == isa::sync::kWar ||
         hazard.rule == isa::sync::kWaw;
}

}  // namespace lanediff::lint
