#ifndef LANEDIFF_ASCENDC_BLOCK_H
#define LANEDIFF_ASCENDC_BLOCK_H

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>

#include "lanediff/kernel.h"
#include "lanediff_ascendc/product.h"
#include "lanediff_ascendc/tensor.h"
#include "lanediff_ascendc/types.h"

/// What a kernel knows of its launch: blocks, tiling, workspace; and printing.

using GM_ADDR = __gm__ std::uint8_t*;

/// `block_idx`, `block_num`: variables in the documents.
namespace lanediff::front {
struct BlockIdx {
  // NOLINTNEXTLINE(google-explicit-constructor): is read like a number
  operator std::int64_t() const { return lanediff_block_idx(); }
};
struct BlockNum {
  // NOLINTNEXTLINE(google-explicit-constructor): is read like a number
  operator std::int64_t() const { return lanediff_block_num(); }
};
}  // namespace lanediff::front
inline constexpr lanediff::front::BlockIdx block_idx;
inline constexpr lanediff::front::BlockNum block_num;

namespace AscendC {

inline std::int64_t GetBlockIdx() { return lanediff_block_idx(); }
inline std::int64_t GetBlockNum() { return lanediff_block_num(); }
/// Blocks are vector cores; there are no halves.
inline std::int64_t GetSubBlockIdx() { return 0; }
inline std::int64_t GetSubBlockNum() { return 1; }
inline std::int16_t GetTaskRatio() { return 1; }
/// Counts calls: time is not modelled.
inline std::int64_t GetSystemCycle() { return lanediff_system_cycle(); }

}  // namespace AscendC

#define ASCEND_IS_AIV (true)
#define ASCEND_IS_AIC (false)

// ---- Tiling -----------------------------------------------------------------

// The option TILING HEADER TYPE of the build defines these two.
#ifdef LANEDIFF_TILING_HEADER
#include LANEDIFF_TILING_HEADER
#endif
#ifdef LANEDIFF_TILING_TYPE
using option_TILING_HEADER_TYPE_must_name_the_tiling_struct =
    LANEDIFF_TILING_TYPE;
#endif

/// The struct of GET_TILING_DATA, in this scope. Without it, and without the
/// option, the compiler reports this name as unknown.
#define REGISTER_TILING_DEFAULT(TYPE) \
  using option_TILING_HEADER_TYPE_must_name_the_tiling_struct = TYPE

#define GET_TILING_DATA_WITH_STRUCT(TYPE, DATA, POINTER) \
  TYPE DATA;                                             \
  std::memcpy(static_cast<void*>(&(DATA)), (POINTER), sizeof(DATA))

#define GET_TILING_DATA(DATA, POINTER) \
  GET_TILING_DATA_WITH_STRUCT(         \
      option_TILING_HEADER_TYPE_must_name_the_tiling_struct, DATA, POINTER)

#define TILING_KEY_IS(KEY) \
  (lanediff_tiling_key() == static_cast<std::uint64_t>(KEY))

/// Kernels run as vector kernels, whatever the type.
#define KERNEL_TASK_TYPE(KEY, TYPE)
#define KERNEL_TASK_TYPE_DEFAULT(TYPE)

// ---- Workspace --------------------------------------------------------------

namespace lanediff::front {
inline thread_local std::uint8_t* workspace = nullptr;
}  // namespace lanediff::front

namespace AscendC {

/// The pointer given.
inline GM_ADDR GetUserWorkspace(GM_ADDR workspace) {
  return lanediff::front::workspace = workspace;
}
/// The pointer that GetUserWorkspace was given.
inline GM_ADDR GetSysWorkSpacePtr(LANEDIFF_SITE) {
  if (lanediff::front::workspace == nullptr) {
    lanediff_refused("GetSysWorkSpacePtr", "no workspace was given",
                     lanediff_site_);
  }
  return lanediff::front::workspace;
}

}  // namespace AscendC

using AscendC::GetSysWorkSpacePtr;
using AscendC::GetUserWorkspace;

// ---- Printing ---------------------------------------------------------------

namespace lanediff::front {

/// What C's printf takes in the argument's place.
template <typename T>
auto Printable(const T& value) {
  if constexpr (kIsSmallFloat<T>) {
    return static_cast<double>(static_cast<float>(value));
  } else if constexpr (std::is_class_v<T>) {
    return static_cast<long long>(value);
  } else if constexpr (std::is_array_v<T>) {
    return &value[0];
  } else {
    return value;
  }
}
template <typename T>
auto Printable(const Element<T>& value) {
  return Printable(static_cast<T>(value));
}

}  // namespace lanediff::front

namespace AscendC {

template <typename... Args>
int printf(const char* format, const Args&... args) {
  // One argument more than the format needs: without any, compilers warn.
  return std::printf(format, lanediff::front::Printable(args)..., 0);
}
template <typename... Args>
int PRINTF(const char* format, const Args&... args) {
  return AscendC::printf(format, args...);
}

}  // namespace AscendC

using AscendC::PRINTF;

// ---- Assertions -------------------------------------------------------------

namespace lanediff::front {

/// Prints the failed condition and its place, and ends the program.
template <typename Holds, typename... Args>
void Assert(const char* text, const char* file, int line, const Holds& holds,
            const Args&... more) {
  if (static_cast<bool>(holds)) return;
  std::fprintf(stderr, "%s:%d: the kernel asserts: %s\n", file, line, text);
  if constexpr (sizeof...(Args) > 0) AscendC::printf(more...);
  std::abort();
}

}  // namespace lanediff::front

/// ASSERT(condition); ascendc_assert(condition[, format, values...]).
#define ASSERT(...) \
  lanediff::front::Assert(#__VA_ARGS__, __FILE__, __LINE__, (__VA_ARGS__))
#define ascendc_assert(...) \
  lanediff::front::Assert(#__VA_ARGS__, __FILE__, __LINE__, __VA_ARGS__)

#endif  // LANEDIFF_ASCENDC_BLOCK_H
