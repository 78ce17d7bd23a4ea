#ifndef LANEDIFF_ASCENDC_HOST_H
#define LANEDIFF_ASCENDC_HOST_H

#include <cstddef>
#include <cstdint>
#include <cstdio>

#include "lanediff/kernel.h"

/// The host's half of CPU mode: memory and launches.

enum class KernelMode : std::uint8_t { MIX_MODE, AIC_MODE, AIV_MODE };

namespace lanediff::front {

inline KernelMode kernel_mode = KernelMode::MIX_MODE;

/// ICPU_RUN_KF: blocks are vector cores whatever the mode; the modes that have
/// others print a line.
template <typename Body>
void RunKernel(const char* kernel, const Blocks& blocks, const Body& body) {
  if (kernel_mode == KernelMode::AIC_MODE) {
    const auto refuse = [&] {
      lanediff_refused("AIC_MODE", "cube kernels", blocks.site);
    };
    return LaunchBlocks(kernel, blocks, refuse);
  }
  static bool reported = false;
  if (kernel_mode == KernelMode::MIX_MODE && !reported) {
    reported = true;
    std::fprintf(stderr, "%s:%d: MIX_MODE runs as AIV_MODE\n", blocks.site.file,
                 static_cast<int>(blocks.site.line));
  }
  LaunchBlocks(kernel, blocks, body);
}

}  // namespace lanediff::front

namespace AscendC {

/// Null if there is none left. For GmFree.
inline void* GmAlloc(std::size_t size) { return lanediff_gm_alloc(size); }
inline void GmFree(void* pointer) {
  if (pointer != nullptr && lanediff_gm_free(pointer) == 0) {
    std::fprintf(stderr, "GmFree: %p is not from GmAlloc; nothing is done\n",
                 pointer);
  }
}
inline void SetKernelMode(KernelMode mode) {
  lanediff::front::kernel_mode = mode;
}

}  // namespace AscendC

#define ICPU_RUN_KF(FUNCTION, BLOCKS, ...)                \
  (static_cast<void>(::lanediff::Arguments(__VA_ARGS__)), \
   ::lanediff::front::RunKernel(#FUNCTION, (BLOCKS),      \
                                [&] { FUNCTION(__VA_ARGS__); }))
#define ICPU_SET_TILING_KEY(KEY) \
  lanediff_set_tiling_key(static_cast<std::uint64_t>(KEY))

#endif  // LANEDIFF_ASCENDC_HOST_H
