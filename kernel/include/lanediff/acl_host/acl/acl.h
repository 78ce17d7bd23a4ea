#ifndef LANEDIFF_ACL_HOST_ACL_H
#define LANEDIFF_ACL_HOST_ACL_H

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#include "lanediff/kernel_abi.h"
#include "lanediff/kernel_half.h"

/// The acl calls that programs with kernels make: memory and copies work;
/// those for devices, contexts, streams and profiling succeed and do nothing.
/// There are no others.

using aclError = int;
using aclrtStream = void*;
using aclrtContext = void*;
using aclrtEvent = void*;
using aclFloat16 = std::uint16_t;
struct aclprofConfig;

constexpr aclError ACL_SUCCESS = 0;
constexpr aclError ACL_ERROR_NONE = 0;
constexpr aclError ACL_ERROR_INVALID_PARAM = 100000;
constexpr aclError ACL_ERROR_BAD_ALLOC = 200000;

enum aclrtMemMallocPolicy {
  ACL_MEM_MALLOC_HUGE_FIRST,
  ACL_MEM_MALLOC_HUGE_ONLY,
  ACL_MEM_MALLOC_NORMAL_ONLY
};
enum aclrtMemcpyKind {
  ACL_MEMCPY_HOST_TO_HOST,
  ACL_MEMCPY_HOST_TO_DEVICE,
  ACL_MEMCPY_DEVICE_TO_HOST,
  ACL_MEMCPY_DEVICE_TO_DEVICE,
  ACL_MEMCPY_DEFAULT
};
enum aclrtRunMode { ACL_DEVICE, ACL_HOST };
enum aclDataType {
  ACL_DT_UNDEFINED = -1,
  ACL_FLOAT = 0,
  ACL_FLOAT16 = 1,
  ACL_INT8 = 2,
  ACL_INT32 = 3,
  ACL_UINT8 = 4,
  ACL_INT16 = 6,
  ACL_UINT16 = 7,
  ACL_UINT32 = 8,
  ACL_INT64 = 9,
  ACL_UINT64 = 10,
  ACL_DOUBLE = 11,
  ACL_BOOL = 12,
  ACL_STRING = 13,
  ACL_COMPLEX64 = 16,
  ACL_COMPLEX128 = 17,
  ACL_BF16 = 27,
  ACL_INT4 = 29
};

// ---- Memory -----------------------------------------------------------------

/// Poisoned and uninitialised, exactly `size` bytes.
inline aclError aclrtMalloc(void** devPtr, std::size_t size,
                            aclrtMemMallocPolicy /*policy*/) {
  if (devPtr == nullptr || size == 0) return ACL_ERROR_INVALID_PARAM;
  *devPtr = lanediff_gm_alloc(size);
  return *devPtr == nullptr ? ACL_ERROR_BAD_ALLOC : ACL_SUCCESS;
}
inline aclError aclrtFree(void* devPtr) {
  return lanediff_gm_free(devPtr) != 0 ? ACL_SUCCESS : ACL_ERROR_INVALID_PARAM;
}
inline aclError aclrtMallocHost(void** hostPtr, std::size_t size) {
  if (hostPtr == nullptr || size == 0) return ACL_ERROR_INVALID_PARAM;
  *hostPtr = std::malloc(size);
  return *hostPtr == nullptr ? ACL_ERROR_BAD_ALLOC : ACL_SUCCESS;
}
inline aclError aclrtFreeHost(void* hostPtr) {
  std::free(hostPtr);
  return ACL_SUCCESS;
}
/// The first `count` of `maxCount` bytes.
inline aclError aclrtMemset(void* devPtr, std::size_t maxCount,
                            std::int32_t value, std::size_t count) {
  if (devPtr == nullptr || count > maxCount) return ACL_ERROR_INVALID_PARAM;
  std::memset(devPtr, value, count);
  return ACL_SUCCESS;
}
inline aclError aclrtMemsetAsync(void* devPtr, std::size_t maxCount,
                                 std::int32_t value, std::size_t count,
                                 aclrtStream /*stream*/) {
  return aclrtMemset(devPtr, maxCount, value, count);
}
inline aclError aclrtMemcpy(void* dst, std::size_t destMax, const void* src,
                            std::size_t count, aclrtMemcpyKind /*kind*/) {
  if (dst == nullptr || src == nullptr || count > destMax) {
    return ACL_ERROR_INVALID_PARAM;
  }
  std::memmove(dst, src, count);
  return ACL_SUCCESS;
}
inline aclError aclrtMemcpyAsync(void* dst, std::size_t destMax,
                                 const void* src, std::size_t count,
                                 aclrtMemcpyKind kind, aclrtStream /*stream*/) {
  return aclrtMemcpy(dst, destMax, src, count, kind);
}
/// `height` rows of `width` bytes, dpitch and spitch apart.
inline aclError aclrtMemcpy2d(void* dst, std::size_t dpitch, const void* src,
                              std::size_t spitch, std::size_t width,
                              std::size_t height, aclrtMemcpyKind /*kind*/) {
  if (dst == nullptr || src == nullptr || width > dpitch || width > spitch) {
    return ACL_ERROR_INVALID_PARAM;
  }
  for (std::size_t row = 0; row < height; ++row) {
    std::memmove(static_cast<char*>(dst) + row * dpitch,
                 static_cast<const char*>(src) + row * spitch, width);
  }
  return ACL_SUCCESS;
}
inline aclError aclrtMemcpy2dAsync(void* dst, std::size_t dpitch,
                                   const void* src, std::size_t spitch,
                                   std::size_t width, std::size_t height,
                                   aclrtMemcpyKind kind,
                                   aclrtStream /*stream*/) {
  return aclrtMemcpy2d(dst, dpitch, src, spitch, width, height, kind);
}

// ---- Types ------------------------------------------------------------------

/// In bytes; 0 of those without a size.
inline std::size_t aclDataTypeSize(aclDataType dataType) {
  constexpr std::uint8_t kBytes[] = {4, 2, 1, 4, 1, 0, 2, 2, 4,
                                     8, 8, 8, 1, 0, 0, 0, 8, 16};
  if (dataType == ACL_BF16) return 2;
  return dataType >= 0 && dataType <= ACL_COMPLEX128 ? kBytes[dataType] : 0;
}
inline float aclFloat16ToFloat(aclFloat16 value) {
  return lanediff::front::Format<10>::ToFloat(value);
}
inline aclFloat16 aclFloatToFloat16(float value) {
  return lanediff::front::Format<10>::FromFloat(value);
}

// ---- What succeeds and does nothing -----------------------------------------

#define LANEDIFF_SUCCEEDS(NAME, ...) \
  inline aclError NAME(__VA_ARGS__) { return ACL_SUCCESS; }
#define LANEDIFF_SUCCEEDS_WITH(NAME, VALUE, RESULT, ...) \
  inline aclError NAME(__VA_ARGS__) {                    \
    *RESULT = VALUE;                                     \
    return ACL_SUCCESS;                                  \
  }
LANEDIFF_SUCCEEDS(aclInit, const char* /*configPath*/)
LANEDIFF_SUCCEEDS(aclFinalize, )
LANEDIFF_SUCCEEDS(aclrtSetDevice, std::int32_t /*deviceId*/)
LANEDIFF_SUCCEEDS(aclrtResetDevice, std::int32_t /*deviceId*/)
LANEDIFF_SUCCEEDS_WITH(aclrtGetDevice, 0, deviceId, std::int32_t* deviceId)
LANEDIFF_SUCCEEDS_WITH(aclrtGetDeviceCount, 1, count, std::uint32_t* count)
LANEDIFF_SUCCEEDS_WITH(aclrtGetRunMode, ACL_HOST, runMode,
                       aclrtRunMode* runMode)
LANEDIFF_SUCCEEDS(aclrtSynchronizeDevice, )
LANEDIFF_SUCCEEDS_WITH(aclrtCreateContext, nullptr, context,
                       aclrtContext* context, std::int32_t /*deviceId*/)
LANEDIFF_SUCCEEDS(aclrtDestroyContext, aclrtContext /*context*/)
LANEDIFF_SUCCEEDS(aclrtSetCurrentContext, aclrtContext /*context*/)
LANEDIFF_SUCCEEDS_WITH(aclrtGetCurrentContext, nullptr, context,
                       aclrtContext* context)
LANEDIFF_SUCCEEDS_WITH(aclrtCreateStream, nullptr, stream, aclrtStream* stream)
LANEDIFF_SUCCEEDS(aclrtDestroyStream, aclrtStream /*stream*/)
LANEDIFF_SUCCEEDS(aclrtSynchronizeStream, aclrtStream /*stream*/)
LANEDIFF_SUCCEEDS(aclrtSynchronizeStreamWithTimeout, aclrtStream /*stream*/,
                  std::int32_t /*timeout*/)
LANEDIFF_SUCCEEDS(aclprofInit, const char* /*profilerResultPath*/,
                  std::size_t /*length*/)
LANEDIFF_SUCCEEDS(aclprofFinalize, )
LANEDIFF_SUCCEEDS(aclprofStart, const aclprofConfig* /*config*/)
LANEDIFF_SUCCEEDS(aclprofStop, const aclprofConfig* /*config*/)
#undef LANEDIFF_SUCCEEDS
#undef LANEDIFF_SUCCEEDS_WITH

#endif  // LANEDIFF_ACL_HOST_ACL_H
