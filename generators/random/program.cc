#include <algorithm>
#include <array>
#include <variant>

#include "differential/testcase/case.h"
#include "generators/random/generate.h"
#include "generators/random/mutate.h"
#include "generators/random/operands.h"
#include "generators/random/programs.h"

namespace lanediff::make {
namespace {

constexpr std::size_t kMostSteps = 10;

/// Products on which at least two instructions run.
constexpr std::array kProducts = {
    isa::Product::kAtlasA2,        isa::Product::kAtlasA2,
    isa::Product::kAtlasTraining,  isa::Product::kAtlasInferenceAicore,
    isa::Product::kAtlas200i500A2, isa::Product::kAtlasA3};

void Join(Case from, Case& into) {
  for (std::size_t m = 0; m < into.memory.size(); ++m) {
    if (!from.memory[m]) continue;
    if (into.memory[m]) {
      into.memory[m]->size =
          std::max(into.memory[m]->size, from.memory[m]->size);
      JoinRegions(*from.memory[m], *into.memory[m]);
    } else {
      into.memory[m] = std::move(from.memory[m]);
    }
  }
  std::ranges::move(from.program, std::back_inserter(into.program));
}

/// Lets calls without a mask take what earlier steps left in the register.
void LeaveRegister(Case& c) {
  std::erase_if(c.program, [](const isa::Step& step) {
    return std::holds_alternative<isa::SetVectorMask>(step);
  });
}

/// An instruction that draws from `product`, but for TROWPROD: what it leaves
/// in tmp is unspecified, so nothing may come behind it that could read it.
const Generator& PartFor(Random& random, const Plan& plan, isa::Product product,
                         bool last) {
  constexpr int kTries = 200;  // then it is one that is not claimed
  const std::span<const Generator> all = Generators();
  for (int i = 0;; ++i) {
    const Generator& part = all[static_cast<std::size_t>(
        random.Between(0, static_cast<std::int64_t>(all.size()) - 2))];
    if (part.op == "TROWPROD" && !last) continue;
    if (plan.can != nullptr && i < kTries &&
        !diff::Claims(*plan.can, part.slug)) {
      continue;
    }
    if (std::ranges::find(part.products, product) != part.products.end()) {
      return part;
    }
  }
}

/// Programs whose calls share bytes, with flags and barriers between them that
/// are right, nearly right or anyhow.
constexpr int kSynchronizedPercent = 12;

Generated GenerateProgram(Random& random, const Plan& plan) {
  const isa::Product product = PickProduct(random, plan, kProducts);
  if (plan.style == Style::kByIntent && random.Percent(kSynchronizedPercent)) {
    Generated g;
    g.c = SynchronizedProgram(random, {.product = product});
    // No target takes a masked call in counter mode.
    std::erase_if(g.c.program, [](const isa::Step& step) {
      return std::holds_alternative<isa::SetMaskCount>(step);
    });
    MaybeMutate(random, plan, 45, g);
    return g;
  }
  const std::int64_t parts = random.OneOf<std::int64_t>({1, 2, 2, 3, 3, 4});
  const Plan part_plan = {.style = plan.style,
                          .product = product,
                          .operations = plan.operations / (4 + parts),
                          .few_repeats = random.Percent(55),
                          .untouched = true,
                          .can = plan.can};
  Generated g;
  g.c.product = product;
  g.c.id = "generated/program";
  for (std::int64_t i = 0; i < parts; ++i) {
    const Generator& generator = PartFor(random, plan, product, i + 1 == parts);
    Generated part = GenerateWithin(generator, random, part_plan);
    if (i > 0 && g.c.program.size() + part.c.program.size() >= kMostSteps) {
      break;
    }
    if (i == 0) {
      g.layout = part.layout;
      g.data = part.data;
    }
    // Copies may write where earlier ones did.
    if (i > 0 && random.Percent(80)) {
      g.c.program.emplace_back(isa::PipeBarrier{isa::Pipe::kAll});
    }
    if (i > 0 && random.Percent(20)) LeaveRegister(part.c);
    Join(std::move(part.c), g.c);
  }
  MakeWellFormed(g.c);
  MaybeMutate(random, plan, 28, g);
  return g;
}

}  // namespace

Generator ProgramGenerator() {
  return {.slug = "program",
          .op = {},
          .generate = GenerateProgram,
          .layouts = {},
          .products = {kProducts.begin(), kProducts.end()}};
}

}  // namespace lanediff::make
