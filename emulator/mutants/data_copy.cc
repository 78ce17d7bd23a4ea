// DataCopy: kernels, write-back, and vectors in their place.

#include <array>
#include <bit>
#include <span>

#include "emulator/address.h"
#include "emulator/mutants/floats.h"
#include "emulator/mutants/plant.h"

namespace lanediff::mutants {
namespace {

using enum isa::CallRule;
using emulator::kDataCopy;
using Bytes = std::span<std::uint8_t>;
using Constant = std::span<const std::uint8_t>;
using Plan = emulator::DataCopyPlan;
using Seams = emulator::DataCopySeams;
using emulator::Path;

Mutant Copied(const Label& label, emulator::DataCopyKernel kernel) {
  return PlantedIn(&Seams::copy_kernel, kernel, label);
}

/// Widens each half to `Widen(bits)`, bits of a float.
template <class Widen>
Mutant Widened(const Label& label, Widen) {
  return PlantedIn(
      &Seams::widen_kernel,
      [](Constant memory, std::int64_t at, Bytes out) {
        const auto bytes = static_cast<std::int64_t>(out.size());
        for (std::int64_t i = 0; i < bytes; i += 4) {
          const auto half = emulator::Load<std::uint16_t>(memory, at + i / 2);
          emulator::Store(out, i, std::uint32_t{Widen{}(half)});
        }
      },
      label);
}

/// Whether the real kernel copies all of `plan` in one go.
bool WithoutGaps(const emulator::Blocks& blocks) {
  return blocks.count == 1 || blocks.stride == blocks.bytes;
}

}  // namespace

Table DataCopyKernels() {
  return {
      Copied(kCopyRow("dc-copy-flushes-subnormals", kBits,
                      "loses 16-bit patterns that are subnormal halves",
                      "a copy through a floating-point register"),
             [](Constant memory, std::int64_t at, Bytes out) {
               const auto bytes = static_cast<std::int64_t>(out.size());
               kDataCopy.copy_kernel(memory, at, out);
               for (std::int64_t i = 0; i + 1 < bytes; i += 2) {
                 const auto half = emulator::Load<std::uint16_t>(out, i);
                 emulator::Store(out, i, FlushedHalf(half));
               }
             }),
      Copied(kCopyRow("dc-copy-swaps-32-bit-words", kBits,
                      "swaps the two words of each 8 bytes"),
             [](Constant memory, std::int64_t at, Bytes out) {
               const auto bytes = static_cast<std::int64_t>(out.size());
               kDataCopy.copy_kernel(memory, at, out);
               for (std::int64_t i = 0; i + 7 < bytes; i += 8) {
                 const auto pair = emulator::Load<std::uint64_t>(out, i);
                 emulator::Store(out, i, std::rotl(pair, 32));
               }
             }),
      Widened(
          kCopyRow("dc-widening-flushes-subnormals", kBits,
                   "makes a subnormal half zero", "F16C without subnormals"),
          [](std::uint16_t half) {
            return BitsOf(emulator::HalfToFloat(FlushedHalf(half)));
          }),
      Widened(kCopyRow("dc-widening-loses-sign-of-zero", kBits, "makes -0 +0",
                       "an early return for zero"),
              [](std::uint16_t half) {
                return (half & 0x7fffu) == 0
                           ? 0
                           : BitsOf(emulator::HalfToFloat(half));
              }),
      Widened(
          kCopyRow("dc-widening-nan-becomes-inf", kBits,
                   "drops the payload of a NaN, which makes it an infinity"),
          [](std::uint16_t half) {
            const std::uint32_t bits = BitsOf(emulator::HalfToFloat(half));
            return (half & 0x7c00u) == 0x7c00u ? bits & 0xff800000u : bits;
          }),
      Widened(kCopyRow("dc-widening-inf-becomes-number", kBits,
                       "takes exponent 31 for one more binade",
                       "the alternative half format of some processors"),
              [](std::uint16_t half) {
                const std::uint32_t bits = BitsOf(emulator::HalfToFloat(half));
                const bool special = (half & 0x7c00u) == 0x7c00u;
                return special ? (bits & 0x807fffffu) | 0x47800000u : bits;
              }),
      Widened(kCopyRow("dc-widening-of-bfloat16", kBits,
                       "takes the half for a bfloat16",
                       "bits moved up by 16, the other 16-bit format"),
              [](std::uint16_t half) { return std::uint32_t{half} << 16; }),
  };
}

Table DataCopyWriteBacks() {
  return {
      kCopyRow("dc-second-chunk-on-first", kAddress,
               "writes what is beyond 4096 bytes over a block's beginning",
               "a loop over chunks whose offset is not added")
          .Written([](const Plan& p, std::int64_t block, std::int64_t,
                      Constant bytes, Bytes memory) {
            kDataCopy.write_back(p, block, 0, bytes, memory);
          }),
      kCopyRow("dc-gap-overwritten", kAddress, "clears the gap behind a block",
               "a copy of whole rows that pads")
          .Written([](const Plan& p, std::int64_t block, std::int64_t offset,
                      Constant bytes, Bytes memory) {
            kDataCopy.write_back(p, block, offset, bytes, memory);
            if (block + 1 == p.dst.count) return;
            const std::int64_t head = p.dst.begin + block * p.dst.stride;
            for (auto i = p.dst.bytes; i < p.dst.stride; ++i) {
              emulator::Store(memory, head + i, std::uint8_t{0});
            }
          }),
      kCopyRow("dc-byte-behind-written", kAddress,
               "changes the byte behind the last block")
          .Written([](const Plan& p, std::int64_t block, std::int64_t offset,
                      Constant bytes, Bytes memory) {
            kDataCopy.write_back(p, block, offset, bytes, memory);
            if (block + 1 != p.dst.count) return;
            const std::int64_t behind =
                p.dst.begin + block * p.dst.stride + p.dst.bytes;
            const auto old = emulator::Load<std::uint8_t>(memory, behind);
            emulator::Store(memory, behind, static_cast<std::uint8_t>(~old));
          }),
      kCopyRow("dc-last-byte-lost", kAddress,
               "doesn't write the last byte of a block")
          .Written([](const Plan& p, std::int64_t block, std::int64_t offset,
                      Constant bytes, Bytes memory) {
            const auto size = static_cast<std::int64_t>(bytes.size());
            const bool last = offset + size == p.dst.bytes;
            kDataCopy.write_back(p, block, offset,
                                 last ? bytes.first(bytes.size() - 1) : bytes,
                                 memory);
          }),
  };
}

Table DataCopyVectorKernels() {
  return {
      kCopyRow("dc-vectors-remainder-lost", kAddress,
               "vectors copy DataBlocks with gaps in fours and leave out what "
               "is left of more than four",
               "an unrolled loop without its remainder")
          .Computed([](const Plan& plan, Constant src, Bytes dst) {
            Plan other = plan;
            if (plan.dst.bytes == emulator::kBlockBytes && plan.dst.count > 4 &&
                !WithoutGaps(plan.dst)) {
              other.src.count = other.dst.count -= plan.dst.count % 4;
            }
            return RealVectors<Seams>(other, src, dst);
          }),
      kCopyRow("dc-vectors-gap-of-dst-overwritten", kAddress,
               "vectors write blocks of dst side by side where those of src, "
               "in another memory, are")
          .Computed([](const Plan& plan, Constant src, Bytes dst) {
            Plan other = plan;
            if (WithoutGaps(plan.src) && plan.src_memory != plan.dst_memory) {
              other.dst.stride = plan.dst.bytes;
            }
            return RealVectors<Seams>(other, src, dst);
          }),
      kCopyRow("dc-vectors-write-64-bytes", kAddress,
               "vectors write multiples of 64 bytes, into the gap of dst",
               "a vector twice as wide as a DataBlock")
          .Computed([](const Plan& plan, Constant src, Bytes dst) {
            const Path path = RealVectors<Seams>(plan, src, dst);
            if (plan.widens || plan.dst.bytes % 64 == 0 ||
                plan.src_memory == plan.dst_memory) {
              return path;
            }
            for (std::int64_t i = 0; i < plan.dst.count; ++i) {
              const std::int64_t from =
                  plan.src.begin + i * plan.src.stride + plan.src.bytes;
              const std::int64_t to =
                  plan.dst.begin + i * plan.dst.stride + plan.dst.bytes;
              using Block = std::array<std::uint8_t, emulator::kBlockBytes>;
              emulator::Store(dst, to, emulator::Load<Block>(src, from));
            }
            return path;
          }),
      kCopyRow("dc-vectors-widening-flushes-subnormals", kBits,
               "vectors widen subnormal halves to zeros",
               "conversion under denormals-are-zero")
          .Computed([](const Plan& plan, Constant src, Bytes dst) {
            const Path path = RealVectors<Seams>(plan, src, dst);
            if (!plan.widens) return path;
            for (std::int64_t i = 0; i < plan.dst.count; ++i) {
              for (std::int64_t b = 0; b < plan.dst.bytes; b += 4) {
                const std::int64_t at =
                    plan.dst.begin + i * plan.dst.stride + b;
                const auto bits = emulator::Load<std::uint32_t>(dst, at);
                // Below 2^-14, the least normal half.
                if ((bits & 0x7fffffffu) < 0x38800000u) {
                  emulator::Store(dst, at, bits & 0x80000000u);
                }
              }
            }
            return path;
          }),
  };
}

}  // namespace lanediff::mutants
