#include "generators/exhaustive/parameter_space.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "differential/compare/compare.h"
#include "differential/testcase/content_hash.h"
#include "generators/exhaustive/pair_space.h"

namespace lanediff::make::exhaust {
namespace {

class CaseWalker final : public Walker {
 public:
  CaseWalker(const Space& space, const diff::Target& target,
             const diff::Target& reference, isa::Edition edition)
      : space_(space),
        target_(target),
        reference_(reference),
        edition_(edition) {}

  void Run(std::uint64_t call, Tally& tally) override {
    ++tally.calls;
    Case c = space_.CaseAt(call);
    c.edition = edition_;
    diff::Comparison result = diff::CompareCase(c, target_, reference_);
    (result.unsupported ? tally.unsupported : tally.points) +=
        space_.PointsIn(call);
    if (result.findings.empty()) return;
    ++tally.disagree;
    if (!tally.Wants(result.findings.front().signature)) return;
    tally.shown.push_back(
        {call, std::move(c), std::move(result.findings.front())});
  }

 private:
  const Space& space_;
  const diff::Target& target_;
  const diff::Target& reference_;
  isa::Edition edition_;
};

}  // namespace

std::vector<std::uint8_t> PatternBytes(std::int64_t bytes) {
  std::vector<std::uint8_t> pattern(static_cast<std::size_t>(bytes));
  for (std::size_t i = 0; i + 1 < pattern.size(); i += 2) {
    const auto mixed = static_cast<std::uint32_t>(i * 2654435761u) >> 7;
    const std::uint32_t half = (mixed >> 3 & 0x8000) | (0x3800 + mixed % 0x800);
    pattern[i] = static_cast<std::uint8_t>(half);
    pattern[i + 1] = static_cast<std::uint8_t>(half >> 8);
  }
  return pattern;
}

MemoryImage PatternImage(std::int64_t bytes) {
  return {
      .fill = 0,
      .size = bytes,
      .regions = {
          {.at = 0, .dtype = isa::DType::kHalf, .bytes = PatternBytes(bytes)}}};
}

std::unique_ptr<Walker> OpenCaseWalker(const Space& space,
                                       const diff::Target& target,
                                       const diff::Target& reference,
                                       isa::Edition edition) {
  return std::make_unique<CaseWalker>(space, target, reference, edition);
}

const std::vector<std::unique_ptr<Space>>& Spaces() {
  static const std::vector<std::unique_ptr<Space>> spaces = [] {
    std::vector<std::unique_ptr<Space>> list;
    for (auto& space : PairSpaces()) list.push_back(std::move(space));
    isa::ForEachIntrinsic(
        [&](const auto& kind) { list.push_back(ParametersOf(kind)); });
    return list;
  }();
  return spaces;
}

const Space* FindSpace(std::string_view name) {
  const auto& spaces = Spaces();
  const auto found = std::ranges::find_if(
      spaces, [&](const auto& space) { return space->name() == name; });
  return found == spaces.end() ? nullptr : found->get();
}

std::string VersionOf(const Space& space) {
  const std::string text =
      fmt::format("{} {} {} {}", space.name(), space.calls(), space.points(),
                  fmt::join(space.Bounds(), "\n"));
  return TextHash(text);
}

}  // namespace lanediff::make::exhaust
