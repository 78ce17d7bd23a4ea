#include "generators/random/tally.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "differential/memory/memory_set.h"
#include "differential/testcase/element.h"
#include "generators/random/data.h"
#include "generators/values.h"
#include "isa/catalogue.h"
#include "isa/memory_map.h"

namespace lanediff::make {
namespace {

constexpr std::int64_t kLongIterations = 64;

constexpr double kLeastLegal = 0.40;
constexpr double kLeastOperations = 256;
constexpr double kLeastLong = 0.03;

double Ratio(std::uint64_t a, std::uint64_t b) {
  return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b);
}

/// What an instruction's data are for, with the kinds of types that it takes.
struct DataNeed {
  std::string_view op;
  DataUse use;
  bool integers;
  bool floats;
};

const std::vector<DataNeed>& Needs() {
  static const std::vector<DataNeed> needs = [] {
    std::vector<DataNeed> all;
    for (const isa::Call& kind : isa::CallKinds()) {
      const std::string_view op = kind.signature->op;
      const auto& types = isa::FindInstruction(op)->dtypes;
      const auto has = [&](bool floating) {
        return types.empty() ||
               std::ranges::any_of(types, [&](isa::DType type) {
                 return IsFloating(type) == floating;
               });
      };
      all.push_back({op, ValuesOf(op).use, has(false), has(true)});
    }
    return all;
  }();
  return needs;
}

bool Lists(std::span<const Weighted<DataIntent>> table, DataIntent intent) {
  return std::ranges::find(table, intent, &Weighted<DataIntent>::value) !=
         table.end();
}

}  // namespace

Judgement Judge(const Case& c, const diff::Target& reference) {
  Judgement judgement;
  diff::MemorySet memory(c);
  const auto session =
      diff::StepsOf(reference).Open(c.profile(), memory.view());
  for (const isa::Step& step : c.program) {
    const isa::StepResult result = session->Execute(step);
    judgement.legal = result.status == isa::StepResult::Status::kExecuted;
    judgement.rules.assign(result.rules.begin(), result.rules.end());
    if (!judgement.legal) break;
    for (const isa::Access& access : *session->accesses()) {
      judgement.iterations =
          std::max(judgement.iterations, access.iteration + 1);
      if (!access.write) continue;
      judgement.operations += static_cast<std::uint64_t>(
          access.bytes / isa::SizeBytes(access.dtype));
    }
  }
  judgement.nodes = session->node_count();
  judgement.operations += judgement.nodes;
  return judgement;
}

void Tally::Add(const Generated& generated, const Judgement& judgement) {
  ++cases;
  mutated += generated.mutated;
  if (generated.layout) {
    ++layouts[static_cast<std::size_t>(*generated.layout)];
  }
  if (generated.data) ++data[static_cast<std::size_t>(*generated.data)];
  for (const auto& image : generated.c.memory) {
    if (image) bytes += static_cast<std::uint64_t>(image->size);
  }
  for (isa::RuleId rule : judgement.rules) ++broken[rule];
  if (!judgement.legal) return;
  ++legal;
  nodes += judgement.nodes;
  operations += judgement.operations;
  long_cases += judgement.iterations >= kLongIterations;
}

double Tally::legal_share() const { return Ratio(legal, cases); }
double Tally::mean_operations() const { return Ratio(operations, legal); }
double Tally::long_share() const { return Ratio(long_cases, legal); }
double Tally::mean_bytes() const { return Ratio(bytes, cases); }

std::vector<isa::RuleId> RejectRulesOf(const Generator& generator) {
  std::vector<isa::RuleId> rules;
  for (const isa::Rule& rule : isa::Catalogue()) {
    if (rule.effect != isa::Effect::kReject || isa::IsOfLint(rule)) continue;
    if (generator.op.empty() || rule.instruction == generator.op) {
      rules.push_back(rule.id);
    }
  }
  return rules;
}

bool Draws(const Generator& generator, DataIntent intent) {
  return std::ranges::any_of(Needs(), [&](const DataNeed& need) {
    if (!generator.op.empty() && need.op != generator.op) return false;
    return (need.integers &&
            Lists(DataIntentsOf(isa::DType::kInt32, need.use), intent)) ||
           (need.floats &&
            Lists(DataIntentsOf(isa::DType::kFloat, need.use), intent));
  });
}

std::vector<std::string> MissedFloors(const Tally& tally) {
  std::vector<std::string> missed;
  const auto floor = [&](std::string_view what, double found, double least) {
    if (found >= least) return;
    missed.push_back(fmt::format("{}: {} {:.4g}; at least {:.4g} is allowed",
                                 tally.generator->slug, what, found, least));
  };
  floor("share of legal cases", tally.legal_share(), kLeastLegal);
  floor("mean operations of a legal case", tally.mean_operations(),
        kLeastOperations);
  floor("share of legal cases with 64 iterations or more", tally.long_share(),
        kLeastLong);
  const auto never = [&](std::string_view what, std::string_view name) {
    missed.push_back(fmt::format("{}: {} {} never came in {} cases",
                                 tally.generator->slug, what, name,
                                 tally.cases));
  };
  // Programs take from all instructions; each has its own turn.
  if (!tally.generator->op.empty()) {
    for (isa::RuleId rule : RejectRulesOf(*tally.generator)) {
      if (!tally.broken.contains(rule)) never("broken rule", rule.text());
    }
  }
  for (const auto& row : tally.generator->layouts) {
    if (tally.layouts[static_cast<std::size_t>(row.value)] == 0) {
      never("layout", isa::Name(row.value));
    }
  }
  for (std::size_t i = 0; i < tally.data.size(); ++i) {
    const auto intent = static_cast<DataIntent>(i);
    if (Draws(*tally.generator, intent) && tally.data[i] == 0) {
      never("data", isa::Name(intent));
    }
  }
  return missed;
}

}  // namespace lanediff::make
