#include "tools/bench/board.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <new>
#include <utility>

#include "isa/memory_map.h"
#include "oracle/oracle.h"
#include "tools/bench/data.h"

namespace lanediff::bench {
namespace {

constexpr std::int64_t kGmBytes = std::int64_t{1} << 20;
constexpr std::array kMemories = {isa::Memory::kGm, isa::Memory::kUb,
                                  isa::Memory::kL1};

/// The bytes of all memories, one after the other.
std::vector<std::uint8_t> Contents(const isa::Memories& memories) {
  std::vector<std::uint8_t> bytes;
  for (const isa::Memory memory : kMemories) {
    bytes.insert(bytes.end(), memories[memory].begin(), memories[memory].end());
  }
  return bytes;
}

/// `bytes` of `board` as memories of their own.
isa::Memories ViewOf(const Board& board, std::vector<std::uint8_t>& bytes) {
  isa::Memories view;
  std::size_t at = 0;
  for (const isa::Memory memory : kMemories) {
    const std::size_t size = board.memories()[memory].size();
    view[memory] = std::span(bytes).subspan(at, size);
    at += size;
  }
  return view;
}

/// Where contents of `board`'s memories first differ; empty if they don't.
std::string FirstDifference(const Board& board,
                            const std::vector<std::uint8_t>& expected,
                            const std::vector<std::uint8_t>& found) {
  const auto [e, f] = std::ranges::mismatch(expected, found);
  if (e == expected.end()) return "";
  auto at = static_cast<std::size_t>(e - expected.begin());
  for (const isa::Memory memory : kMemories) {
    const std::size_t size = board.memories()[memory].size();
    if (at < size) {
      return fmt::format("{} byte {}: expected {:#04x}, found {:#04x}",
                         isa::Name(memory), at, *e, *f);
    }
    at -= size;
  }
  std::unreachable();
}

void Restore(Board& board, const std::vector<std::uint8_t>& bytes) {
  std::size_t at = 0;
  for (const isa::Memory memory : kMemories) {
    const std::span<std::uint8_t> to = board.memories()[memory];
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), to.size(),
                to.begin());
    at += to.size();
  }
}

}  // namespace

void Board::Free::operator()(std::uint8_t* bytes) const { std::free(bytes); }

isa::Memories Board::Allocate() {
  constexpr std::size_t kPage = 4096;
  isa::Memories memories;
  for (const isa::Memory memory : kMemories) {
    const auto size = static_cast<std::size_t>(
        memory == isa::Memory::kGm ? kGmBytes
                                   : isa::CapacityBytes(product_, memory));
    owned_.emplace_back(
        static_cast<std::uint8_t*>(std::aligned_alloc(kPage, size)));
    if (owned_.back() == nullptr) throw std::bad_alloc();
    memories[memory] = {owned_.back().get(), size};
    FillBytes(memories[memory], size);
  }
  return memories;
}

Board::Board(isa::Product product, const emulator::Seams& seams)
    : product_(product),
      memories_(Allocate()),
      seams_(seams),
      emulator_(product, memories_, seams_) {}

std::function<void()> Executes(std::shared_ptr<Board> board, Steps steps) {
  if (steps.size() == 1) {
    return [board = std::move(board), step = std::move(steps.front())] {
      benchmark::DoNotOptimize(board->emulator().Execute(step));
    };
  }
  return [board = std::move(board), steps = std::move(steps)] {
    for (const isa::Step& step : steps) {
      benchmark::DoNotOptimize(board->emulator().Execute(step));
    }
  };
}

std::string CheckAgainstOracle(Board& board, const Steps& steps) {
  std::vector<std::uint8_t> expected = Contents(board.memories());
  oracle::Oracle oracle(board.product(), ViewOf(board, expected));
  emulator::Emulator emulator(board.product(), board.memories(), board.seams());
  for (int run = 0; run < 2; ++run) {
    for (const isa::Step& step : steps) {
      const isa::StepResult right = oracle.Execute(step);
      const isa::StepResult found = emulator.Execute(step);
      if (right.status != isa::StepResult::Status::kExecuted) {
        return fmt::format("the call breaks {}", right.rules.begin()->text());
      }
      if (found != right) return "the emulator's answer is not the oracle's";
    }
    const std::string difference =
        FirstDifference(board, expected, Contents(board.memories()));
    if (!difference.empty()) return "emulator against oracle: " + difference;
  }
  return "";
}

Prepared OnEmulator(std::shared_ptr<Board> board, Steps steps,
                    std::function<void()> yardstick, bool same_bytes) {
  Prepared prepared;
  prepared.yardstick = yardstick;
  prepared.check = [=]() -> std::string {
    const std::vector<std::uint8_t> before = Contents(board->memories());
    std::string wrong = CheckAgainstOracle(*board, steps);
    if (!wrong.empty() || !yardstick || !same_bytes) return wrong;
    const std::vector<std::uint8_t> expected = Contents(board->memories());
    Restore(*board, before);
    yardstick();
    wrong = FirstDifference(*board, expected, Contents(board->memories()));
    return wrong.empty() ? "" : "yardstick against oracle: " + wrong;
  };
  prepared.work = Executes(std::move(board), std::move(steps));
  return prepared;
}

}  // namespace lanediff::bench
