#include "kernel/engine/executor.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

#include "differential/compare/memory_compare.h"
#include "differential/testcase/element.h"
#include "isa/memory_map.h"
#include "isa/units.h"
#include "kernel/engine/audited.h"
#include "oracle/oracle.h"
#include "sanitizer/step_use.h"

namespace lanediff::kernel {
namespace {

/// Beyond every address of a process.
constexpr std::size_t kGmBytes = std::size_t{1} << 47;

constexpr auto kLocal = {isa::Memory::kUb, isa::Memory::kL1, isa::Memory::kL0c,
                         isa::Memory::kBt, isa::Memory::kFb};

std::uint8_t* GmAt(std::int64_t at) {
  return reinterpret_cast<std::uint8_t*>(at + kGmBase);
}

/// What of GM the accesses touch.
std::pair<std::int64_t, std::int64_t> GmRange(
    const std::vector<isa::Access>& accesses) {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  for (const isa::Access& access : accesses) {
    if (access.memory != isa::Memory::kGm || access.bytes == 0) continue;
    begin = end == 0 ? access.at : std::min(begin, access.at);
    end = std::max(end, access.at + access.bytes);
  }
  return {begin, end};
}

bool IsUsed(const std::vector<isa::Access>& accesses, isa::Memory memory) {
  return std::ranges::any_of(accesses, [&](const isa::Access& access) {
    return access.memory == memory;
  });
}

/// Bytes that should be, and are, equal: from address `at` of `memory` on.
struct Sides {
  isa::Memory memory;
  std::int64_t at;
  std::span<const std::uint8_t> expected;
  std::span<const std::uint8_t> actual;
};

/// The first element that differs, where two NaNs are equal unless the call
/// moves bits. The bytes of scratch are unspecified.
std::optional<std::string> Difference(
    const isa::Call& call, const Sides& s,
    const std::vector<isa::Access>& accesses) {
  if (std::ranges::equal(s.expected, s.actual)) return std::nullopt;
  std::vector<bool> known(s.expected.size());
  const auto runs = diff::WritesOf(call, accesses);
  for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
    if (run->memory != s.memory) continue;
    const bool scratch = run->operand == lint::kScratch;
    const std::int64_t size = isa::SizeBytes(run->dtype);
    for (std::int64_t at = run->at; at + size <= run->at + run->bytes;
         at += size) {
      const auto offset = static_cast<std::size_t>(at - s.at);
      if (at < s.at || offset + static_cast<std::size_t>(size) > known.size() ||
          known[offset]) {
        continue;
      }
      std::fill_n(known.begin() + static_cast<std::ptrdiff_t>(offset), size,
                  true);
      const auto e = LoadElement(run->dtype, s.expected.subspan(offset));
      const auto a = LoadElement(run->dtype, s.actual.subspan(offset));
      if (e == a || scratch || (!run->moved && SameElement(run->dtype, e, a))) {
        continue;
      }
      diff::ElementDifference difference;
      difference.memory = s.memory;
      difference.at = at;
      difference.dtype = run->dtype;
      difference.expected = e;
      difference.actual = a;
      difference.operand = run->operand;
      difference.iteration = run->iteration;
      difference.lane = run->lane + (at - run->at) / size;
      difference.differing_bytes = size;
      return diff::Describe(difference);
    }
  }
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (known[i] || s.expected[i] == s.actual[i]) continue;
    return fmt::format("wrote {} byte {}, which it should not touch",
                       isa::Name(s.memory),
                       s.at + static_cast<std::int64_t>(i));
  }
  return std::nullopt;
}

using Regions = std::array<std::vector<Region>, isa::kCount<isa::Memory>>;

/// What is read of each memory, from the first byte to the last.
Regions ReadBy(const std::vector<isa::Access>& accesses,
               const isa::Memories& memories) {
  Regions regions;
  for (const isa::Access& access : accesses) {
    if (access.write || access.bytes == 0) continue;
    auto& one = regions[static_cast<std::size_t>(access.memory)];
    if (one.empty()) one.push_back({.at = access.at, .dtype = {}, .bytes = {}});
    const std::int64_t end = std::max(one[0].end(), access.at + access.bytes);
    const std::int64_t at = std::min(one[0].at, access.at);
    const std::uint8_t* const bytes = memories[access.memory].data();
    one[0].at = at;
    one[0].bytes.assign(bytes + at, bytes + end);
  }
  return regions;
}

}  // namespace

Executor::Executor(isa::Profile profile, LocalMemory& local,
                   const emulator::Seams& seams)
    : profile_(profile), local_(local), seams_(seams) {}

isa::Memories Executor::Here() {
  isa::Memories memories;
  memories[isa::Memory::kGm] = {GmAt(0), kGmBytes};
  for (isa::Memory memory : kLocal) {
    const std::int64_t capacity = local_.CapacityOf(memory);
    if (capacity == 0) continue;
    memories[memory] = {local_.BytesOf(memory),
                        static_cast<std::size_t>(capacity)};
  }
  return memories;
}

isa::StepResult Executor::Execute(const isa::Call& call,
                                  const Registers& registers) {
  if (!emulator_) {
    emulator_ = std::make_unique<emulator::Emulator>(profile_, Here(), seams_);
  }
  emulator_->Execute(
      isa::SetVectorMask{.high = registers.high, .low = registers.low});
  if (registers.saturation != set_.saturation) {
    emulator_->Execute(isa::SetSaturation{registers.saturation});
    set_.saturation = registers.saturation;
  }
  // Order is the Walk's affair, and no rule's on barriers.
  if (call.Is(isa::Family::kCopy)) {
    emulator_->Execute(isa::PipeBarrier{isa::Pipe::kAll});
  }
  return emulator_->Execute(call);
}

Executor::Compared Executor::ExecuteAndCompare(
    const isa::Call& call, const Registers& registers,
    const std::vector<isa::Access>& accesses) {
  const auto [begin, end] = GmRange(accesses);
  // The oracle's GM begins at the page of the first byte that is touched.
  const std::int64_t page = begin - begin % kGmBase;
  std::vector<std::uint8_t> gm(static_cast<std::size_t>(begin - page));
  const std::size_t lead = gm.size();
  gm.insert(gm.end(), GmAt(begin), GmAt(end));
  isa::Memories apart;
  apart[isa::Memory::kGm] = {gm.data(), kGmBytes};
  for (isa::Memory memory : kLocal) {
    const std::int64_t capacity = local_.CapacityOf(memory);
    if (capacity == 0) continue;
    auto& copy = copies_[static_cast<std::size_t>(memory)];
    if (IsUsed(accesses, memory) || memory == isa::Memory::kUb) {
      copy.assign(local_.BytesOf(memory), local_.BytesOf(memory) + capacity);
    }
    apart[memory] = {copy.data(), static_cast<std::size_t>(capacity)};
  }
  auto before = ReadBy(MovedInGm(accesses, -page), apart);
  for (Region& region : before[static_cast<std::size_t>(isa::Memory::kGm)]) {
    region.at += page;
  }
  oracle::Oracle oracle(profile_, apart);
  oracle.Execute(
      isa::SetVectorMask{.high = registers.high, .low = registers.low});
  if (!registers.saturation) oracle.Execute(isa::SetSaturation{false});
  const isa::StepResult exact = oracle.Execute(MovedInGm(call, -page));
  Compared compared{.emulator = Execute(call, registers),
                    .difference = std::nullopt,
                    .before = {},
                    .open = {}};
  if (exact.status != compared.emulator.status ||
      exact.rules != compared.emulator.rules) {
    compared.difference = "emulator and oracle disagree whether it is legal";
    return compared;
  }
  // What may differ counts as equal: the oracle's copy takes it.
  compared.open = diff::CountOf(isa::OpName(call));
  for (const isa::Access& run : oracle.open_results()) {
    auto& copy = copies_[static_cast<std::size_t>(run.memory)];
    const std::int64_t size = isa::SizeBytes(run.dtype);
    for (std::int64_t at = run.at; at < run.at + run.bytes; at += size) {
      std::uint8_t* const here = local_.BytesOf(run.memory) + at;
      const std::span want = std::span(copy).subspan(
          static_cast<std::size_t>(at), static_cast<std::size_t>(size));
      if (diff::MayDiffer(
              LoadElement(run.dtype, want),
              LoadElement(run.dtype, {here, static_cast<std::size_t>(size)}),
              run.dtype, compared.open)) {
        std::copy_n(here, size, want.begin());
      }
    }
  }
  compared.difference = Difference(call,
                                   {isa::Memory::kGm,
                                    begin,
                                    std::span(gm).subspan(lead),
                                    {GmAt(begin), GmAt(end)}},
                                   accesses);
  for (isa::Memory memory : kLocal) {
    const auto& copy = copies_[static_cast<std::size_t>(memory)];
    if (compared.difference || apart[memory].data() == nullptr ||
        !IsUsed(accesses, memory)) {
      continue;
    }
    compared.difference = Difference(
        call, {memory, 0, copy, {local_.BytesOf(memory), apart[memory].size()}},
        accesses);
  }
  if (compared.difference) compared.before = std::move(before);
  return compared;
}

}  // namespace lanediff::kernel
