// DataCopy: the seam of vectors, in the place of kernel and write-back.

#include <array>
#include <span>

#include "emulator/mutants/modules.h"
#include "emulator/mutants/plant.h"

namespace lanediff::mutants {
namespace {

namespace rule = isa::dc;
using emulator::Path;
using Plan = emulator::DataCopyPlan;
using Constant = std::span<const std::uint8_t>;
using Bytes = std::span<std::uint8_t>;

Path Real(const Plan& plan, Constant src, Bytes dst) {
  return emulator::FastestSeams().data_copy.vectors(plan, src, dst);
}

Mutant Computed(const Label& label, emulator::DataCopyVectors vectors) {
  return Plant(isa::DataCopy::kSlug, &emulator::Seams::data_copy,
               &emulator::DataCopySeams::vectors, vectors, label);
}

/// Whether the real kernel copies all of `plan` in one go.
bool WithoutGaps(const emulator::Blocks& blocks) {
  return blocks.count == 1 || blocks.stride == blocks.bytes;
}

}  // namespace

Table DataCopyVectorKernels() {
  return {
      Computed({"dc-vectors-remainder-lost", rule::kAddress,
                "vectors copy DataBlocks with gaps in fours and leave out what "
                "is left of more than four",
                "an unrolled loop without its remainder"},
               [](const Plan& plan, Constant src, Bytes dst) {
                 Plan other = plan;
                 if (plan.dst.bytes == emulator::kBlockBytes &&
                     plan.dst.count > 4 && !WithoutGaps(plan.dst)) {
                   other.src.count = other.dst.count -= plan.dst.count % 4;
                 }
                 return Real(other, src, dst);
               }),
      Computed({"dc-vectors-gap-of-dst-overwritten", rule::kAddress,
                "vectors write blocks of dst side by side where those of src, "
                "in another memory, are"},
               [](const Plan& plan, Constant src, Bytes dst) {
                 Plan other = plan;
                 if (WithoutGaps(plan.src) &&
                     plan.src_memory != plan.dst_memory) {
                   other.dst.stride = plan.dst.bytes;
                 }
                 return Real(other, src, dst);
               }),
      Computed({"dc-vectors-write-64-bytes", rule::kAddress,
                "vectors write multiples of 64 bytes, into the gap of dst",
                "a vector twice as wide as a DataBlock"},
               [](const Plan& plan, Constant src, Bytes dst) {
                 const Path path = Real(plan, src, dst);
                 if (plan.widens || plan.dst.bytes % 64 == 0 ||
                     plan.src_memory == plan.dst_memory) {
                   return path;
                 }
                 for (std::int64_t i = 0; i < plan.dst.count; ++i) {
                   const std::int64_t from =
                       plan.src.begin + i * plan.src.stride + plan.src.bytes;
                   const std::int64_t to =
                       plan.dst.begin + i * plan.dst.stride + plan.dst.bytes;
                   using Block =
                       std::array<std::uint8_t, emulator::kBlockBytes>;
                   emulator::Store(dst, to, emulator::Load<Block>(src, from));
                 }
                 return path;
               }),
      Computed({"dc-vectors-widening-flushes-subnormals", rule::kBits,
                "vectors widen subnormal halves to zeros",
                "conversion under denormals-are-zero"},
               [](const Plan& plan, Constant src, Bytes dst) {
                 const Path path = Real(plan, src, dst);
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
