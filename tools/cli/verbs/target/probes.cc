#include "tools/cli/verbs/target/probes.h"

#include <algorithm>
#include <concepts>
#include <functional>
#include <utility>
#include <variant>

#include "differential/testcase/fit_memories.h"
#include "generators/boundary/sample.h"
#include "generators/boundary/sweep.h"
#include "isa/memory_map.h"

namespace lanediff::cli {
namespace {

/// Of each rule: enough to hold what every form of a call does.
constexpr std::uint64_t kSamplesOfRule = 16;
/// Pairs that are tried: a target may do but some types and forms.
constexpr std::size_t kPairs = 96;

bool SetsMask(const isa::Step& step) {
  return std::holds_alternative<isa::SetVectorMask>(step);
}

/// Whether the call takes its lanes from the mask register.
bool ReadsMaskRegister(const isa::Step& step) {
  return std::visit(
      [](const auto& s) {
        if constexpr (requires { s.is_set_mask; }) {
          return !s.is_set_mask;
        } else {
          return false;
        }
      },
      step);
}

/// Whether the call is of so many elements that they fill no whole DataBlocks.
bool HasTail(const isa::Step& step) {
  return std::visit(
      []<class Call>(const Call& s) {
        if constexpr (requires {
                        s.count;
                        Call::kCount;
                      }) {
          const std::int64_t lanes = 32 / isa::SizeBytes(s.dtype);
          return s.form == Call::kCount && s.count % lanes != 0;
        } else {
          return false;
        }
      },
      step);
}

/// Programs of two calls of `legal` in which the first leaves something that
/// the second does not write over.
std::vector<Case> Pairs(const std::vector<Case>& legal,
                        const diff::Target& oracle) {
  std::vector<Case> pairs;
  const std::size_t step = std::max<std::size_t>(1, legal.size() / kPairs);
  for (std::size_t i = 0; i + 1 < legal.size(); i += step) {
    const Case& first = legal[i];
    const Case& second = legal[i + 1];
    if (first.program.size() != 1 || second.program.size() != 1) continue;
    if (first.product != second.product) continue;
    Case pair = first;
    pair.id += "-and-next";
    pair.note += "; then " + second.note;
    pair.program.push_back(second.program.front());
    MakeWellFormed(pair);  // the second may lie in other memories
    Case alone = pair;
    alone.program.erase(alone.program.begin());
    const auto both = oracle.Run(pair);
    const auto one = oracle.Run(alone);
    const auto before = oracle.Run(first);
    if (!both || !one || !before || both->rejected() || *both == *one ||
        *both == *before) {
      continue;
    }
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

}  // namespace

Samples SamplesOf(std::string_view slug, const diff::Capabilities& can,
                  const diff::Target& oracle) {
  const make::Sample sample =
      make::DrawSample(slug, kSamplesOfRule, {}, [&](const Case& c) {
        return std::uint64_t{!diff::BeyondCapabilities(c, can)};
      });
  Samples samples;
  make::ForEachSweepCase(
      slug, [&](std::uint64_t number) { return sample.Holds(number); },
      [&](make::SweepCase&& swept) {
        const auto outcome = oracle.Run(swept.c);
        const bool refused = outcome && outcome->rejected();
        (refused ? samples.illegal : samples.legal)
            .push_back(std::move(swept.c));
        return true;
      });
  return samples;
}

std::vector<Probe> ProbesOf(const Samples& samples,
                            const diff::Target& oracle) {
  const auto all_of = [&](const std::function<bool(const Case&)>& is) {
    std::vector<Case> cases;
    for (const Case& c : samples.legal) {
      if (is(c)) cases.push_back(c);
    }
    return cases;
  };
  std::vector<Probe> probes = {
      {"after SetVectorMask", all_of([](const Case& c) {
         return std::ranges::any_of(c.program, SetsMask) &&
                ReadsMaskRegister(c.program.back());
       })},
      {"isSetMask=false", all_of([](const Case& c) {
         return c.program.size() == 1 && ReadsMaskRegister(c.program.back());
       })},
      {"count with a tail", all_of([](const Case& c) {
         return std::ranges::any_of(c.program, HasTail);
       })},
      {"two calls", Pairs(samples.legal, oracle)}};
  std::erase_if(probes, [](const Probe& probe) { return probe.cases.empty(); });
  return probes;
}

}  // namespace lanediff::cli
