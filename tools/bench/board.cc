#include "tools/bench/board.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "isa/memory_map.h"
#include "oracle/oracle.h"
#include "tools/bench/data.h"

namespace lanediff::bench {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr std::array kMemories = {isa::Memory::kGm, isa::Memory::kUb,
                                  isa::Memory::kL1};

std::size_t SizeOf(isa::Product product, isa::Memory memory) {
  return memory == isa::Memory::kGm
             ? std::size_t{1} << 20
             : static_cast<std::size_t>(isa::CapacityBytes(product, memory));
}

Bytes Contents(const Board& board) {
  return {board.bytes().begin(), board.bytes().end()};
}

/// Where `board`'s memories are not `expected`; empty if they are.
std::string FirstDifference(const Board& board, const Bytes& expected) {
  const auto [e, f] = std::ranges::mismatch(expected, board.bytes());
  if (e == expected.end()) return "";
  auto at = static_cast<std::size_t>(e - expected.begin());
  for (const isa::Memory memory : kMemories) {
    const std::size_t size = SizeOf(board.product(), memory);
    if (at < size) {
      return fmt::format("{} byte {}: expected {:#04x}, found {:#04x}",
                         isa::Name(memory), at, *e, *f);
    }
    at -= size;
  }
  std::unreachable();
}

/// How emulator and oracle differ, or the rejected step; leaves the emulator's
/// results in the board.
std::string CheckAgainstOracle(const Board& board, const Steps& steps) {
  Bytes expected = Contents(board);
  oracle::Oracle oracle(board.product(), board.View(expected));
  emulator::Emulator emulator(board.product(), board.memories(), board.seams());
  for (int run = 0; run < 2; ++run) {
    for (const isa::Step& step : steps) {
      const isa::StepResult right = oracle.Execute(step);
      if (right.status != isa::StepResult::Status::kExecuted) {
        return fmt::format("the call breaks {}", right.rules.begin()->text());
      }
      if (emulator.Execute(step) != right) {
        return "the emulator's answer is not the oracle's";
      }
    }
    const std::string difference = FirstDifference(board, expected);
    if (!difference.empty()) return "emulator against oracle: " + difference;
  }
  return "";
}

}  // namespace

isa::Memories Board::View(std::span<std::uint8_t> bytes) const {
  isa::Memories memories;
  for (const isa::Memory memory : kMemories) {
    const std::size_t size = SizeOf(product_, memory);
    memories[memory] = bytes.first(size);
    bytes = bytes.subspan(size);
  }
  return memories;
}

Board::Board(isa::Product product, const emulator::Seams& seams)
    : product_(product),
      size_(SizeOf(product, kMemories[0]) + SizeOf(product, kMemories[1]) +
            SizeOf(product, kMemories[2])),
      owned_(static_cast<std::uint8_t*>(std::aligned_alloc(4096, size_))),
      seams_(seams),
      emulator_(product, memories(), seams_) {
  Fill(bytes(), isa::DType::kUint8, Data::kFinite, size_);
}

std::function<void()> Executes(std::shared_ptr<Board> board, Steps steps) {
  return [board = std::move(board), steps = std::move(steps)] {
    for (const isa::Step& step : steps) {
      benchmark::DoNotOptimize(board->emulator().Execute(step));
    }
  };
}

Prepared OnEmulator(std::shared_ptr<Board> board, Steps steps,
                    std::function<void()> yardstick, bool same_bytes) {
  Prepared prepared;
  prepared.yardstick = yardstick;
  prepared.check = [=]() -> std::string {
    const Bytes before = Contents(*board);
    std::string wrong = CheckAgainstOracle(*board, steps);
    if (!wrong.empty() || !yardstick || !same_bytes) return wrong;
    const Bytes expected = Contents(*board);
    std::ranges::copy(before, board->bytes().begin());
    yardstick();
    wrong = FirstDifference(*board, expected);
    return wrong.empty() ? "" : "yardstick against oracle: " + wrong;
  };
  prepared.work = Executes(std::move(board), std::move(steps));
  return prepared;
}

}  // namespace lanediff::bench
