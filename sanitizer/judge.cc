#include "sanitizer/judge.h"

#include <sys/mman.h>

#include <new>
#include <span>

#include "isa/footprint.h"
#include "isa/memory_map.h"
#include "sanitizer/step_use.h"

namespace lanediff::lint {
namespace {

/// Beyond every address that a program can mean.
constexpr std::size_t kEndlessBytes = std::size_t{1} << 45;

/// Addresses without memory behind them, for all memories of all programs: who
/// only judges looks at sizes.
std::uint8_t* Nowhere() {
  static auto* const address = [] {
    void* const reserved =
        mmap(nullptr, static_cast<std::size_t>(kMaxMemoryBytes), PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (reserved == MAP_FAILED) throw std::bad_alloc();
    return static_cast<std::uint8_t*>(reserved);
  }();
  return address;
}

isa::Memories MemoriesFor(const Case& c) {
  isa::Memories memories;
  const auto named = MemoriesOf(c);
  for (std::size_t m = 0; m < named.size(); ++m) {
    if (!named[m]) continue;
    const auto memory = static_cast<isa::Memory>(m);
    memories[memory] = {Nowhere(), static_cast<std::size_t>(SizeOf(c, memory))};
  }
  return memories;
}

/// A copy pads its blocks with unspecified bytes unless it states a value.
void AppendPadding(const isa::Call& call, isa::Product product,
                   std::vector<isa::Access>& accesses) {
  using isa::Param;
  if (!call.Has(Param::kIsPad) || call.is_pad) return;
  if (call[Param::kLeftPadding] + call[Param::kRightPadding] == 0) return;
  const isa::Footprint blocks = isa::FootprintsOfMove(call).front();
  const std::int64_t element = isa::SizeBytes(call.dtype);
  const std::int64_t before = call[Param::kLeftPadding] * element;
  const std::int64_t copied = before + call[Param::kBlockLen];
  const isa::Memory memory = isa::MemoryAt(product, call.dst().position);
  for (std::int64_t i = 0; i < blocks.iterations; ++i) {
    for (const auto& [begin, end] :
         {isa::Interval{0, before}, isa::Interval{copied, blocks.first}}) {
      if (begin == end) continue;
      accesses.push_back({.operand = kScratch,
                          .write = true,
                          .memory = memory,
                          .at = call.dst().at + i * blocks.stride + begin,
                          .bytes = end - begin,
                          .dtype = call.dtype,
                          .iteration = i,
                          .lane = begin / element});
    }
  }
}

/// A call leaves unspecified bytes in its scratch tiles, and as padding.
void AppendScratch(const isa::Step& step, isa::Product product,
                   std::vector<isa::Access>& accesses) {
  const auto* const call = std::get_if<isa::Call>(&step);
  if (call == nullptr || accesses.empty()) return;
  AppendPadding(*call, product, accesses);
  for (std::size_t i = 0; i < call->used_tiles().size(); ++i) {
    const isa::Tile& tile = call->tiles[i];
    if (!call->signature->tiles[i].is_scratch) continue;
    accesses.push_back(
        {.operand = kScratch,
         .write = true,
         .memory = isa::MemoryAt(product, tile.position),
         .at = tile.at,
         .bytes = tile.rows * tile.cols * isa::SizeBytes(call->dtype),
         .dtype = call->dtype,
         .iteration = 0,
         .lane = 0});
  }
}

oracle::Oracle NewOracle(const isa::Profile& profile,
                         const isa::Memories& memories) {
  oracle::Oracle oracle(profile, memories);
  oracle.set_computing(false);
  return oracle;
}

}  // namespace

Judge::Judge(const Case& c)
    : profile_(c.profile()),
      memories_(MemoriesFor(c)),
      synchronized_(c.lint.sync.has_value()),
      oracle_(NewOracle(profile_, memories_)) {}

void Judge::Await(const isa::Step& step) {
  if (!synchronized_ || !IsOf(step, isa::Family::kCopy)) return;
  oracle_.Execute(isa::PipeBarrier{isa::Pipe::kAll});
}

isa::StepResult Judge::Take(const isa::Step& step) {
  Await(step);
  const isa::StepResult result = oracle_.Execute(step);
  accesses_ = oracle_.accesses();
  AppendScratch(step, profile_.product, accesses_);
  return result;
}

MaskState::Words Judge::mask_register() const {
  const auto [high, low] = oracle_.mask_register();
  return MaskState::Words(isa::SetVectorMask{.high = high, .low = low});
}

const std::vector<isa::Access>& Judge::Again(const isa::Step& step,
                                             const MaskState::Words& mask) {
  oracle::Oracle oracle = NewOracle(profile_, memories_);
  oracle.Execute(isa::SetVectorMask(mask));
  oracle.Execute(step);
  again_ = oracle.accesses();
  AppendScratch(step, profile_.product, again_);
  return again_;
}

isa::RuleSet Judge::Broken(const isa::Step& step) {
  Await(step);
  return oracle_.BrokenAnywhere(step);
}

isa::RuleSet Judge::BrokenOn(isa::Product product,
                             const isa::Step& step) const {
  return NewOracle({product, profile_.edition}, memories_).BrokenAnywhere(step);
}

std::vector<isa::Access> Judge::Natural(const isa::Step& step) const {
  isa::Memories endless;
  for (std::size_t m = 0; m < isa::kCount<isa::Memory>; ++m) {
    endless[static_cast<isa::Memory>(m)] = {Nowhere(), kEndlessBytes};
  }
  oracle::Oracle oracle = NewOracle(profile_, endless);
  oracle.Execute(isa::SetVectorMask(mask_register()));
  if (!oracle.ExecuteExtended(step)) return {};
  return oracle.accesses();
}

}  // namespace lanediff::lint
