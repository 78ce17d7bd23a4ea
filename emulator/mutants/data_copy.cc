// DataCopy: kernels and write-back.

#include <bit>

#include "emulator/address.h"
#include "emulator/mutants/floats.h"
#include "emulator/mutants/modules.h"
#include "emulator/mutants/plant.h"

namespace lanediff::mutants {
namespace {

namespace rule = isa::dc;
using emulator::kDataCopy;
using Bytes = std::span<std::uint8_t>;
using Call = isa::DataCopy;
using Constant = std::span<const std::uint8_t>;
using Plan = emulator::DataCopyPlan;
using Seams = emulator::DataCopySeams;

Mutant Copied(const Label& label, emulator::DataCopyKernel kernel) {
  return Plant(Call::kSlug, &emulator::Seams::data_copy, &Seams::copy_kernel,
               kernel, label);
}

/// Widens each half to `Widen(bits)`, bits of a float.
template <class Widen>
Mutant Widened(const Label& label, Widen) {
  return Plant(
      Call::kSlug, &emulator::Seams::data_copy, &Seams::widen_kernel,
      [](Constant memory, std::int64_t at, Bytes out) {
        const auto bytes = static_cast<std::int64_t>(out.size());
        for (std::int64_t i = 0; i < bytes; i += 4) {
          const auto half = emulator::Load<std::uint16_t>(memory, at + i / 2);
          emulator::Store(out, i, std::uint32_t{Widen{}(half)});
        }
      },
      label);
}

Mutant Written(const Label& label, decltype(Seams::write_back) write_back) {
  return Plant(Call::kSlug, &emulator::Seams::data_copy, &Seams::write_back,
               write_back, label);
}

}  // namespace

Table DataCopyKernels() {
  return {
      Copied({"dc-copy-flushes-subnormals", rule::kBits,
              "loses 16-bit patterns that are subnormal halves",
              "a copy through a floating-point register"},
             [](Constant memory, std::int64_t at, Bytes out) {
               const auto bytes = static_cast<std::int64_t>(out.size());
               kDataCopy.copy_kernel(memory, at, out);
               for (std::int64_t i = 0; i + 1 < bytes; i += 2) {
                 const auto half = emulator::Load<std::uint16_t>(out, i);
                 emulator::Store(out, i, FlushedHalf(half));
               }
             }),
      Copied({"dc-copy-swaps-32-bit-words", rule::kBits,
              "swaps the two words of each 8 bytes"},
             [](Constant memory, std::int64_t at, Bytes out) {
               const auto bytes = static_cast<std::int64_t>(out.size());
               kDataCopy.copy_kernel(memory, at, out);
               for (std::int64_t i = 0; i + 7 < bytes; i += 8) {
                 const auto pair = emulator::Load<std::uint64_t>(out, i);
                 emulator::Store(out, i, std::rotl(pair, 32));
               }
             }),
      Widened({"dc-widening-flushes-subnormals", rule::kBits,
               "makes a subnormal half zero", "F16C without subnormals"},
              [](std::uint16_t half) {
                return BitsOf(emulator::HalfToFloat(FlushedHalf(half)));
              }),
      Widened({"dc-widening-loses-sign-of-zero", rule::kBits, "makes -0 +0",
               "an early return for zero"},
              [](std::uint16_t half) {
                return (half & 0x7fffu) == 0
                           ? 0
                           : BitsOf(emulator::HalfToFloat(half));
              }),
      Widened({"dc-widening-nan-becomes-inf", rule::kBits,
               "drops the payload of a NaN, which makes it an infinity"},
              [](std::uint16_t half) {
                const std::uint32_t bits = BitsOf(emulator::HalfToFloat(half));
                return (half & 0x7c00u) == 0x7c00u ? bits & 0xff800000u : bits;
              }),
      Widened({"dc-widening-inf-becomes-number", rule::kBits,
               "takes exponent 31 for one more binade",
               "the alternative half format of some processors"},
              [](std::uint16_t half) {
                const std::uint32_t bits = BitsOf(emulator::HalfToFloat(half));
                const bool special = (half & 0x7c00u) == 0x7c00u;
                return special ? (bits & 0x807fffffu) | 0x47800000u : bits;
              }),
      Widened({"dc-widening-of-bfloat16", rule::kBits,
               "takes the half for a bfloat16",
               "bits moved up by 16, the other 16-bit format"},
              [](std::uint16_t half) { return std::uint32_t{half} << 16; }),
  };
}

Table DataCopyWriteBacks() {
  return {
      Written({"dc-second-chunk-on-first", rule::kAddress,
               "writes what is beyond 4096 bytes over a block's beginning",
               "a loop over chunks whose offset is not added"},
              [](const Plan& p, std::int64_t block, std::int64_t,
                 Constant bytes, Bytes memory) {
                kDataCopy.write_back(p, block, 0, bytes, memory);
              }),
      Written(
          {"dc-gap-overwritten", rule::kAddress,
           "clears the gap behind a block", "a copy of whole rows that pads"},
          [](const Plan& p, std::int64_t block, std::int64_t offset,
             Constant bytes, Bytes memory) {
            kDataCopy.write_back(p, block, offset, bytes, memory);
            if (block + 1 == p.dst.count) return;
            const std::int64_t head = p.dst.begin + block * p.dst.stride;
            for (auto i = p.dst.bytes; i < p.dst.stride; ++i) {
              emulator::Store(memory, head + i, std::uint8_t{0});
            }
          }),
      Written({"dc-byte-behind-written", rule::kAddress,
               "changes the byte behind the last block"},
              [](const Plan& p, std::int64_t block, std::int64_t offset,
                 Constant bytes, Bytes memory) {
                kDataCopy.write_back(p, block, offset, bytes, memory);
                if (block + 1 != p.dst.count) return;
                const std::int64_t behind =
                    p.dst.begin + block * p.dst.stride + p.dst.bytes;
                const auto old = emulator::Load<std::uint8_t>(memory, behind);
                emulator::Store(memory, behind,
                                static_cast<std::uint8_t>(~old));
              }),
      Written({"dc-last-byte-lost", rule::kAddress,
               "doesn't write the last byte of a block"},
              [](const Plan& p, std::int64_t block, std::int64_t offset,
                 Constant bytes, Bytes memory) {
                const auto size = static_cast<std::int64_t>(bytes.size());
                const bool last = offset + size == p.dst.bytes;
                kDataCopy.write_back(
                    p, block, offset,
                    last ? bytes.first(bytes.size() - 1) : bytes, memory);
              }),
  };
}

}  // namespace lanediff::mutants
