#include <algorithm>
#include <array>

#include "differential/testcase/case.h"
#include "generators/random/mutate.h"
#include "isa/fields.h"

namespace lanediff::make {
namespace {

using isa::Operand;
using isa::Tile;

constexpr std::size_t kMostCrossedSteps = 16;

/// Takes each part of an operand or tile from the other one or leaves it, in
/// half of the cases; false for fields of other kinds.
template <class T, class... Part>
bool CrossWindow(Random& random, const isa::FieldRef& other,
                 const isa::FieldRef& mine, Part T::*... parts) {
  T* const* const from = std::get_if<T*>(&other.value);
  T* const* const to = std::get_if<T*>(&mine.value);
  if (from == nullptr || to == nullptr) return false;
  if (!random.Percent(50)) {
    **to = **from;
    return true;
  }
  const auto cross = [&](auto part) {
    if (random.Percent(50)) (*to)->*part = (*from)->*part;
  };
  (cross(parts), ...);
  return true;
}

/// The field of `fields` that corresponds to number `index` of `mine`: of the
/// same name, and of several such the same one.
const isa::FieldRef* Counterpart(const std::vector<isa::FieldRef>& mine,
                                 std::size_t index,
                                 const std::vector<isa::FieldRef>& fields) {
  std::ptrdiff_t before = std::count_if(
      mine.begin(), mine.begin() + static_cast<std::ptrdiff_t>(index),
      [&](const auto& f) { return f.name == mine[index].name; });
  for (const isa::FieldRef& field : fields) {
    if (field.name == mine[index].name && before-- == 0) return &field;
  }
  return nullptr;
}

/// The data of a region, where the other image has a region that begins at the
/// same place.
void CrossData(Random& random, const MemoryImage& other, MemoryImage& mine) {
  for (Region& region : mine.regions) {
    const auto twin = std::ranges::find(other.regions, region.at, &Region::at);
    if (twin == other.regions.end() || random.Percent(50)) continue;
    std::copy_n(twin->bytes.begin(),
                std::min(twin->bytes.size(), region.bytes.size()),
                region.bytes.begin());
  }
}

void CrossMemory(Random& random, const std::optional<MemoryImage>& other,
                 std::optional<MemoryImage>& mine) {
  if (!other) return;
  if (!mine) {
    mine = other;
    return;
  }
  switch (random.Between(0, 3)) {
    case 0:
      mine = other;
      break;
    case 1:
      if (random.Percent(50)) mine->size = std::max(mine->size, other->size);
      JoinRegions(*other, *mine);
      break;
    case 2:
      CrossData(random, *other, *mine);
      break;
    default:
      break;
  }
}

/// The first steps of one parent and the last of the other.
std::vector<isa::Step> Splice(Random& random, const Case& a, const Case& b) {
  const auto part = [&](const Case& c) {
    return random.Between(0, static_cast<std::int64_t>(c.program.size()));
  };
  std::vector<isa::Step> steps(a.program.begin(), a.program.begin() + part(a));
  steps.insert(steps.end(), b.program.begin() + part(b), b.program.end());
  if (steps.empty()) steps.push_back(a.program.front());
  if (steps.size() > kMostCrossedSteps) steps.resize(kMostCrossedSteps);
  return steps;
}

/// Steps of `c` take fields of steps of `other` with the same op.
void CrossProgram(Random& random, const Case& other, Case& c) {
  for (isa::Step& step : c.program) {
    std::vector<const isa::Step*> mates;
    for (const isa::Step& mate : other.program) {
      if (isa::NumberOf(mate) == isa::NumberOf(step)) mates.push_back(&mate);
    }
    if (!mates.empty()) step = CrossSteps(random, step, *random.Pick(mates));
  }
}

}  // namespace

void JoinRegions(const MemoryImage& from, MemoryImage& into) {
  for (const Region& region : from.regions) {
    const bool free = std::ranges::none_of(into.regions, [&](const Region& r) {
      return r.at < region.end() && region.at < r.end();
    });
    if (free && region.end() <= into.size) into.regions.push_back(region);
  }
  std::ranges::sort(into.regions, {}, &Region::at);
}

isa::Step CrossSteps(Random& random, const isa::Step& a, const isa::Step& b) {
  if (isa::NumberOf(a) != isa::NumberOf(b)) return a;
  const bool swap = random.Percent(50);  // whose form it has
  isa::Step child = swap ? b : a;
  isa::Step other = swap ? a : b;
  const std::vector<isa::FieldRef> mine = isa::FieldsOf(child);
  const std::vector<isa::FieldRef> theirs = isa::FieldsOf(other);
  for (std::size_t i = 0; i < mine.size(); ++i) {
    if (isa::DecidesFields(mine[i])) continue;
    const isa::FieldRef* const from = Counterpart(mine, i, theirs);
    if (from == nullptr || random.Percent(50)) continue;
    if (CrossWindow(random, *from, mine[i], &Operand::position, &Operand::at,
                    &Operand::bytes, &Operand::dtype) ||
        CrossWindow(random, *from, mine[i], &Tile::position, &Tile::at,
                    &Tile::rows, &Tile::cols, &Tile::valid_row,
                    &Tile::valid_col, &Tile::layout, &Tile::dtype)) {
      continue;
    }
    CopyField(*from, mine[i]);
  }
  FitElement(child);
  return child;
}

Case Cross(Random& random, const Case& a, const Case& b) {
  const bool swap = random.Percent(50);
  const Case& base = swap ? b : a;
  const Case& other = swap ? a : b;
  Case child = base;
  const std::int64_t kind = random.Between(0, 99);
  if (kind < 35) child.program = Splice(random, base, other);
  if (kind >= 25) CrossProgram(random, other, child);
  for (std::size_t m = 0; m < child.memory.size(); ++m) {
    CrossMemory(random, other.memory[m], child.memory[m]);
  }
  child.expect.reset();
  child.origin.reset();
  MakeWellFormed(child);
  return child;
}

}  // namespace lanediff::make
