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

/// A number of blocks, and where it was given.
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

/// A pointer to global memory, of whatever type the kernel's parameter has.
class GmPointer {
 public:
  /// `element`: bytes of what it points to, 0 where that is not known.
  explicit GmPointer(void* pointer, std::int64_t element = 0,
                     bool output = false)
      : pointer_(pointer), element_(element), output_(output) {}
  /// The next launch has it as its argument `number`, from 1.
  void SetArgument(std::int64_t number) const {
    lanediff_gm_argument(pointer_, number, element_, output_ ? 1 : 0);
  }
  template <typename T>
  // NOLINTNEXTLINE(google-explicit-constructor): stands for every pointer
  operator T*() const {
    return static_cast<T*>(pointer_);
  }

 private:
  void* pointer_;
  std::int64_t element_;
  bool output_;
};

/// Bytes of an element; 0 of bytes, which stand for every type.
template <typename T>
constexpr std::int64_t ElementBytes() {
  if constexpr (std::is_void_v<T>) {
    return 0;
  } else {
    return sizeof(T) == 1 ? 0 : static_cast<std::int64_t>(sizeof(T));
  }
}

/// Names `bytes` bytes of the host as global memory, exactly so long. What the
/// kernel does not write of it keeps its value.
template <typename T>
GmPointer Gm(const T* pointer, std::size_t bytes) {
  lanediff_gm_name(pointer, bytes);
  return GmPointer(const_cast<T*>(pointer), ElementBytes<T>());
}

/// The same of a buffer that the launch must fill: it is poisoned, nothing of
/// it counts as written, and what no block writes is a finding (INIT-OUTPUT).
template <typename T>
GmPointer Out(T* pointer, std::size_t bytes) {
  lanediff_gm_name_output(pointer, bytes);
  return GmPointer(pointer, ElementBytes<T>(), true);
}

/// Which arguments of the next launch are pointers, and to what.
class Arguments {
 public:
  template <typename... Args>
  explicit Arguments(const Args&... args) {
    [[maybe_unused]] std::int64_t number = 0;
    (Set(++number, args), ...);
  }

 private:
  static void Set(std::int64_t number, const GmPointer& pointer) {
    pointer.SetArgument(number);
  }
  template <typename T>
  static void Set(std::int64_t number, const T& argument) {
    if constexpr (std::is_pointer_v<T>) {
      using Element = std::remove_cv_t<std::remove_pointer_t<T>>;
      if constexpr (std::is_object_v<Element> || std::is_void_v<Element>) {
        lanediff_gm_argument(argument, number, ElementBytes<Element>(), 0);
      }
    }
  }
};

/// Launch(f, blocks, args...): runs f(args...) on `blocks` blocks.
template <typename Kernel, typename... Args>
Counts Launch(const Kernel& kernel, const Blocks& blocks, const Args&... args) {
  auto body = [&] { kernel(args...); };
  [[maybe_unused]] const Arguments named(args...);
  LaunchBlocks("", blocks, body);
  std::uint64_t all[LANEDIFF_COUNTS] = {};
  lanediff_last_launch(all);
  return {all[0], all[1], all[2], all[3], all[4],
          all[5], all[6], all[7], all[8], all[9]};
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
