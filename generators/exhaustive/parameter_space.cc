#include "generators/exhaustive/parameter_space.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "differential/compare/compare.h"
#include "differential/testcase/content_hash.h"
#include "generators/exhaustive/pair_space.h"
#include "isa/fields.h"
#include "isa/memory_map.h"

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
    diff::Join(result.open, tally.open);
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

/// The memory that `ParameterSpaceOf` describes.
MemoryImage PatternImage(std::int64_t bytes) {
  std::vector<std::uint8_t> pattern(static_cast<std::size_t>(bytes));
  for (std::size_t i = 0; i + 1 < pattern.size(); i += 2) {
    const auto mixed = static_cast<std::uint32_t>(i * 2654435761u) >> 7;
    const std::uint32_t half = (mixed >> 3 & 0x8000) | (0x3800 + mixed % 0x800);
    pattern[i] = static_cast<std::uint8_t>(half);
    pattern[i + 1] = static_cast<std::uint8_t>(half >> 8);
  }
  return {
      .fill = 0,
      .size = bytes,
      .regions = {
          {.at = 0, .dtype = isa::DType::kHalf, .bytes = std::move(pattern)}}};
}

class ParameterSpace final : public Space {
 public:
  ParameterSpace(isa::Call start, std::int64_t bytes, std::vector<Grid> grids,
                 void (*finish)(isa::Call&))
      : slug_(start.signature->slug),
        name_(fmt::format("params-{}", slug_)),
        start_(start),
        image_(PatternImage(bytes)),
        grids_(std::move(grids)),
        finish_(finish) {
    for (const Grid& grid : grids_) size_ += grid.size();
  }

  std::string_view name() const override { return name_; }
  std::string_view slug() const override { return slug_; }
  std::string_view point_word() const override { return "cases"; }
  std::vector<std::string> Bounds() const override {
    std::vector<std::string> lines;
    for (const Grid& grid : grids_) lines.push_back(grid.Text());
    return lines;
  }
  std::uint64_t calls() const override { return size_; }
  std::uint64_t points() const override { return size_; }
  std::uint64_t PointsIn(std::uint64_t) const override { return 1; }

  Case CaseAt(std::uint64_t number) const override {
    const Grid* grid = grids_.data();
    while (number >= grid->size()) number -= (grid++)->size();
    Draft draft = {.c = {}, .call = start_};
    grid->Set(number, draft);
    finish_(draft.call);
    Case& c = draft.c;
    c.id = fmt::format("{}/{}", slug_, name_);
    c.program = std::move(draft.before);
    c.program.push_back(draft.call);
    std::ranges::move(draft.after, std::back_inserter(c.program));
    for (isa::Step& step : c.program) {
      if (auto* const call = std::get_if<isa::Call>(&step)) Close(*call, c);
    }
    return std::move(c);
  }

  std::unique_ptr<Walker> Open(const diff::Target& target,
                               const diff::Target& reference,
                               isa::Edition edition) const override {
    return OpenCaseWalker(*this, target, reference, edition);
  }

 private:
  /// Gives a call the memories that it names, and windows to their ends.
  void Close(isa::Call& call, Case& c) const {
    const auto fill = [&](isa::Position position) {
      auto& image = c.memory[static_cast<std::size_t>(
          isa::MemoryAt(c.product, position))];
      if (!image) image = image_;
    };
    for (isa::Operand& operand : call.used_operands()) {
      if (operand.bytes == 0) operand.bytes = image_.size - operand.at;
      fill(operand.position);
    }
    for (const isa::Tile& tile : call.used_tiles()) fill(tile.position);
  }

  std::string_view slug_;
  std::string name_;
  isa::Call start_;
  MemoryImage image_;
  std::vector<Grid> grids_;
  void (*finish_)(isa::Call&);
  std::uint64_t size_ = 0;
};

}  // namespace

// ---- Axes and grids ---------------------------------------------------------

Axis Numbers(std::string_view field, std::vector<std::int64_t> numbers,
             std::function<void(Draft&, std::int64_t)> set) {
  std::vector<std::pair<std::string, std::int64_t>> named;
  for (const std::int64_t n : numbers) named.emplace_back(std::to_string(n), n);
  return Named(field, std::move(named), std::move(set));
}

Axis Products(const std::vector<isa::Product>& products) {
  return Words("product", products,
               [](Draft& d, isa::Product v) { d.c.product = v; });
}

Axis Types(const std::vector<isa::DType>& types) {
  return Words("dtype", types,
               [](Draft& d, isa::DType v) { d.call.dtype = v; });
}

Axis SrcAt(std::vector<std::int64_t> places) {
  return Numbers("src.at", std::move(places),
                 [](Draft& d, std::int64_t v) { d.call.src(0).at = v; });
}

Axis FromSrc(const isa::Signature& row, std::size_t i,
             std::vector<std::int64_t> offsets) {
  return Numbers(
      fmt::format("{}.at-{}.at", row.operands[i].name, row.operands[1].name),
      std::move(offsets), [i](Draft& d, std::int64_t v) {
        d.call.operands[i].at = d.call.src(0).at + v;
      });
}

Axis Registers(std::vector<std::pair<std::string, isa::SetVectorMask>> masks) {
  return Named("register", std::move(masks),
               [](Draft& d, const isa::SetVectorMask& v) { d.before = {v}; });
}

Axis MaskWords(std::uint8_t form) {
  using Mask = std::array<std::uint64_t, 2>;
  return Named("mask",
               std::vector<std::pair<std::string, Mask>>{
                   {"none", {0, 0}},
                   {"lane-3", {8, 0}},
                   {"lanes-0-and-64", {1, 1}},
                   {"lane-127", {0, std::uint64_t{1} << 63}},
                   {"first-64", {kAll, 0}},
                   {"all", {kAll, kAll}}},
               [form](Draft& d, const Mask& v) {
                 d.call.form = form;
                 d.call.mask_words = v;
               });
}

std::uint64_t Grid::size() const {
  std::uint64_t product = 1;
  for (const Axis& axis : axes) product *= axis.values.size();
  return product;
}

void Grid::Set(std::uint64_t number, Draft& draft) const {
  std::uint64_t rest = size();
  for (const Axis& axis : axes) {
    rest /= axis.values.size();
    axis.set(draft, static_cast<std::size_t>(number / rest));
    number %= rest;
  }
}

std::string Grid::Text() const {
  std::string text = fmt::format("{} ({} cases):", form, size());
  for (const Axis& axis : axes) {
    text += fmt::format(" {}{} {{{}}}", &axis == &axes.front() ? "" : "x ",
                        axis.field, fmt::join(axis.values, " "));
  }
  return text;
}

void AddIntegers(
    Grid& grid, const isa::Signature& row,
    const std::vector<std::pair<isa::Param, std::vector<std::int64_t>>>& all) {
  for (const auto& [param, values] : all) {
    if (!row.Has(param)) continue;
    grid.axes.push_back(
        Numbers(isa::NameOf(row, param), values,
                [p = param](Draft& d, std::int64_t v) { d.call[p] = v; }));
  }
}

// ---- Spaces -----------------------------------------------------------------

std::unique_ptr<Walker> OpenCaseWalker(const Space& space,
                                       const diff::Target& target,
                                       const diff::Target& reference,
                                       isa::Edition edition) {
  return std::make_unique<CaseWalker>(space, target, reference, edition);
}

std::unique_ptr<Space> ParameterSpaceOf(isa::Call start, std::int64_t bytes,
                                        std::vector<Grid> grids,
                                        void (*finish)(isa::Call&)) {
  return std::make_unique<ParameterSpace>(start, bytes, std::move(grids),
                                          finish);
}

std::unique_ptr<Space> ParametersOf(const isa::Call& kind) {
  const isa::Signature& row = *kind.signature;
  switch (row.family) {
    case isa::Family::kLanewise:
      return LanewiseParameters(row);
    case isa::Family::kReduction:
      return ReductionParameters(row);
    case isa::Family::kCopy:
      return CopyParameters(row);
    case isa::Family::kTranspose:
      return TransposeParameters(row);
    case isa::Family::kBroadcast:
      return BroadcastParameters(row);
    case isa::Family::kTile:
      break;
  }
  return TileParameters(row);
}

const std::vector<std::unique_ptr<Space>>& Spaces() {
  static const std::vector<std::unique_ptr<Space>> spaces = [] {
    std::vector<std::unique_ptr<Space>> list;
    for (auto& space : PairSpaces()) list.push_back(std::move(space));
    for (const isa::Call& kind : isa::CallKinds()) {
      list.push_back(ParametersOf(kind));
    }
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
