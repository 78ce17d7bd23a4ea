#include "emulator/address.h"

#include <array>

namespace lanediff::emulator {
namespace {

using isa::Memory;

constexpr auto kProducts = isa::kCount<isa::Product>;
constexpr auto kPositions = isa::kCount<isa::Position>;

constexpr auto kUb = Memory::kUb;
constexpr auto kL1 = Memory::kL1;
constexpr auto kGm = Memory::kGm;
constexpr auto kL0c = Memory::kL0c;
constexpr auto kBt = Memory::kBt;
constexpr auto kFb = Memory::kFb;

// Columns: GM VECIN VECCALC VECOUT A1 B1 TSCM C1 C2 C2PIPE2GM CO2 UB.
constexpr std::array<std::array<Memory, kPositions>, kProducts> kMemoryOf = {{
    {kGm, kUb, kUb, kUb, kL1, kL1, kL1, kUb, kL0c, kFb, kUb, kUb},  // training
    {kGm, kUb, kUb, kUb, kL1, kL1, kL1, kUb, kL0c, kFb, kUb, kUb},  // aicore
    {kGm, kUb, kUb, kUb, kL1, kL1, kL1, kUb, kL0c, kFb, kGm,
     kUb},                                                         // vectorcore
    {kGm, kUb, kUb, kUb, kL1, kL1, kL1, kL1, kBt, kFb, kGm, kUb},  // a2
    {kGm, kUb, kUb, kUb, kL1, kL1, kL1, kL1, kBt, kFb, kGm, kUb},  // a3
    {kGm, kUb, kUb, kUb, kL1, kL1, kL1, kUb, kBt, kFb, kGm,
     kUb},  // 200i-500-a2
    {kGm, kUb, kUb, kUb, kL1, kL1, kL1, kUb, kL0c, kFb, kGm,
     kUb},  // 200-300-500
}};

}  // namespace

isa::Memory MemoryOf(isa::Product product, isa::Position position) {
  return kMemoryOf[static_cast<std::size_t>(product)]
                  [static_cast<std::size_t>(position)];
}

}  // namespace lanediff::emulator
