#ifndef LANEDIFF_KERNEL_H
#define LANEDIFF_KERNEL_H

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "lanediff/kernel_abi.h"
#include "lanediff/kernel_number.h"

/// Launching kernels from host code: for unit tests, and what other ways of
/// launching are made of. C++17; links with the library of the kernel ABI.
namespace lanediff {

/// What a launch came to: findings by group, and how much was looked at.
struct Counts {
  std::uint64_t memcheck = 0;
  std::uint64_t racecheck = 0;
  std::uint64_t synccheck = 0;
  std::uint64_t initcheck = 0;
  std::uint64_t paramcheck = 0;
  std::uint64_t maskcheck = 0;
  std::uint64_t valuecheck = 0;
  std::uint64_t notes = 0;
  std::uint64_t checked = 0;  ///< calls
  std::uint64_t refused = 0;  ///< calls
  std::uint64_t Findings() const {
    return memcheck + racecheck + synccheck + initcheck + paramcheck +
           maskcheck + valuecheck;
  }
};

/// A number of blocks, and where it was said.
struct Blocks {
  template <typename V,
            std::enable_if_t<std::is_constructible_v<front::Num, V>, int> = 0>
  // NOLINTNEXTLINE(google-explicit-constructor): stands for every number
  Blocks(V value, LANEDIFF_SITE)
      : number(static_cast<front::Num>(value)), site(lanediff_site_) {}
  std::int64_t number;
  lanediff_site site;
};

/// Runs `body` once for each block; returns when all have ended.
template <typename Body>
void LaunchBlocks(const char* kernel, const Blocks& blocks, Body& body) {
  lanediff_launch(
      kernel, blocks.number,
      [](void* context) { (*static_cast<Body*>(context))(); },
      const_cast<std::remove_const_t<Body>*>(&body), blocks.site);
}

/// Launch(f, blocks, args...): runs f(args...) on `blocks` blocks.
template <typename Kernel, typename... Args>
Counts Launch(const Kernel& kernel, const Blocks& blocks, const Args&... args) {
  auto body = [&] { kernel(args...); };
  LaunchBlocks("", blocks, body);
  std::uint64_t all[LANEDIFF_COUNTS] = {};
  lanediff_last_launch(all);
  return {all[0], all[1], all[2], all[3], all[4],
          all[5], all[6], all[7], all[8], all[9]};
}

/// A pointer to global memory, of whatever type the kernel's parameter has.
class GmPointer {
 public:
  explicit GmPointer(void* pointer) : pointer_(pointer) {}
  template <typename T>
  // NOLINTNEXTLINE(google-explicit-constructor): stands for every pointer
  operator T*() const {
    return static_cast<T*>(pointer_);
  }

 private:
  void* pointer_;
};

/// Names `bytes` bytes of the host as global memory, exactly so long.
inline GmPointer Gm(const void* pointer, std::size_t bytes) {
  lanediff_gm_name(pointer, bytes);
  return GmPointer(const_cast<void*>(pointer));
}

/// What `f<T><<<blocks, ub, stream>>>(args)` is prepared to:
///
///     ::lanediff::KernelLaunch((blocks), (ub), (stream)).Run([&]{ f<T>(args);
///     })
///
/// A second argument of Run names the kernel.
class KernelLaunch {
 public:
  template <typename Ub, typename Stream>
  KernelLaunch(const Blocks& blocks, const Ub& /*ub*/, const Stream& /*stream*/)
      : blocks_(blocks) {}
  template <typename Ub>
  KernelLaunch(const Blocks& blocks, const Ub& ub)
      : KernelLaunch(blocks, ub, nullptr) {}
  template <typename Body>
  void Run(const Body& body, const char* kernel = "") const {
    LaunchBlocks(kernel, blocks_, body);
  }

 private:
  Blocks blocks_;
};

}  // namespace lanediff

#endif  // LANEDIFF_KERNEL_H
