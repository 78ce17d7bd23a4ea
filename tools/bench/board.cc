#include "tools/bench/board.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "generators/random.h"
#include "isa/memory_map.h"
#include "oracle/oracle.h"

namespace lanediff::bench {
namespace {

constexpr std::array<std::uint16_t, 12> kSpecialHalves = {
    0x7e00, 0xfe01, 0x7d55, 0x7c00, 0xfc00, 0x0000,
    0x8000, 0x0001, 0x83ff, 0x0400, 0x7bff, 0xfbff};
constexpr std::array<std::uint32_t, 12> kSpecialFloats = {
    0x7fc00000, 0xffc12345, 0x7f812345, 0x7f800000, 0xff800000, 0x00000000,
    0x80000000, 0x00000001, 0x807fffff, 0x00800000, 0x7f7fffff, 0xff7fffff};

template <class Bits>
Bits Sign(std::uint64_t word, int bit) {
  return static_cast<Bits>((word >> 63) << bit);
}

std::uint16_t Half(Data data, std::uint64_t word) {
  if (data == Data::kSpecials && (word >> 32) % 8 == 0) {
    return kSpecialHalves[word % kSpecialHalves.size()];
  }
  if (data == Data::kNearOne) {
    // Halves step by 2^-11 below 1 and by 2^-10 above.
    const auto steps = static_cast<std::uint16_t>(word % 307);
    return static_cast<std::uint16_t>(Sign<std::uint16_t>(word, 15) |
                                      (0x3c00 - 204 + steps));
  }
  const auto exponent = static_cast<std::uint16_t>((word >> 16) % 31);
  return static_cast<std::uint16_t>(Sign<std::uint16_t>(word, 15) |
                                    exponent << 10 | (word & 0x3ff));
}

std::uint32_t Float(Data data, std::uint64_t word) {
  if (data == Data::kSpecials && (word >> 32) % 8 == 0) {
    return kSpecialFloats[word % kSpecialFloats.size()];
  }
  if (data == Data::kNearOne) {
    // Floats step by 2^-24 below 1 and by 2^-23 above.
    const auto steps = static_cast<std::uint32_t>(word % 2516582);
    return Sign<std::uint32_t>(word, 31) | (0x3f800000u - 1677721u + steps);
  }
  const auto exponent = static_cast<std::uint32_t>((word >> 32) % 255);
  return Sign<std::uint32_t>(word, 31) | exponent << 23 |
         static_cast<std::uint32_t>(word & 0x7fffff);
}

std::uint64_t Element(isa::DType type, Data data, std::uint64_t word) {
  if (type == isa::DType::kHalf) return Half(data, word);
  if (type == isa::DType::kFloat) return Float(data, word);
  return data == Data::kNearOne ? word % 257 - 128 : word;
}

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

std::vector<std::uint64_t> Elements(isa::DType type, std::size_t count,
                                    Data data, std::uint64_t seed) {
  make::Random words(seed);
  std::vector<std::uint64_t> elements(count);
  for (std::uint64_t& bits : elements) bits = Element(type, data, words.Bits());
  return elements;
}

void Fill(std::span<std::uint8_t> bytes, isa::DType type, Data data,
          std::uint64_t seed) {
  const auto size = static_cast<std::size_t>(isa::SizeBytes(type));
  std::uint8_t* at = bytes.data();
  for (const std::uint64_t bits :
       Elements(type, bytes.size() / size, data, seed)) {
    std::memcpy(at, &bits, size);
    at += size;
  }
}

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
