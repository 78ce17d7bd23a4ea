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
  switch (dataType) {
    case ACL_INT8:
    case ACL_UINT8:
    case ACL_BOOL:
      return 1;
    case ACL_FLOAT16:
    case ACL_BF16:
    case ACL_INT16:
    case ACL_UINT16:
      return 2;
    case ACL_FLOAT:
    case ACL_INT32:
    case ACL_UINT32:
      return 4;
    case ACL_INT64:
    case ACL_UINT64:
    case ACL_DOUBLE:
    case ACL_COMPLEX64:
      return 8;
    case ACL_COMPLEX128:
      return 16;
    default:
      return 0;
  }
}
inline float aclFloat16ToFloat(aclFloat16 value) {
  return lanediff::front::Format<10>::ToFloat(value);
}
inline aclFloat16 aclFloatToFloat16(float value) {
  return lanediff::front::Format<10>::FromFloat(value);
}

// ---- What succeeds and does nothing -----------------------------------------

inline aclError aclInit(const char* /*configPath*/) { return ACL_SUCCESS; }
inline aclError aclFinalize() { return ACL_SUCCESS; }
inline aclError aclrtSetDevice(std::int32_t /*deviceId*/) {
  return ACL_SUCCESS;
}
inline aclError aclrtResetDevice(std::int32_t /*deviceId*/) {
  return ACL_SUCCESS;
}
inline aclError aclrtGetDevice(std::int32_t* deviceId) {
  *deviceId = 0;
  return ACL_SUCCESS;
}
inline aclError aclrtGetDeviceCount(std::uint32_t* count) {
  *count = 1;
  return ACL_SUCCESS;
}
inline aclError aclrtGetRunMode(aclrtRunMode* runMode) {
  *runMode = ACL_HOST;
  return ACL_SUCCESS;
}
inline aclError aclrtSynchronizeDevice() { return ACL_SUCCESS; }
inline aclError aclrtCreateContext(aclrtContext* context,
                                   std::int32_t /*deviceId*/) {
  *context = nullptr;
  return ACL_SUCCESS;
}
inline aclError aclrtDestroyContext(aclrtContext /*context*/) {
  return ACL_SUCCESS;
}
inline aclError aclrtSetCurrentContext(aclrtContext /*context*/) {
  return ACL_SUCCESS;
}
inline aclError aclrtGetCurrentContext(aclrtContext* context) {
  *context = nullptr;
  return ACL_SUCCESS;
}
inline aclError aclrtCreateStream(aclrtStream* stream) {
  *stream = nullptr;
  return ACL_SUCCESS;
}
inline aclError aclrtDestroyStream(aclrtStream /*stream*/) {
  return ACL_SUCCESS;
}
inline aclError aclrtSynchronizeStream(aclrtStream /*stream*/) {
  return ACL_SUCCESS;
}
inline aclError aclrtSynchronizeStreamWithTimeout(aclrtStream /*stream*/,
                                                  std::int32_t /*timeout*/) {
  return ACL_SUCCESS;
}
inline aclError aclprofInit(const char* /*profilerResultPath*/,
                            std::size_t /*length*/) {
  return ACL_SUCCESS;
}
inline aclError aclprofFinalize() { return ACL_SUCCESS; }
inline aclError aclprofStart(const aclprofConfig* /*config*/) {
  return ACL_SUCCESS;
}
inline aclError aclprofStop(const aclprofConfig* /*config*/) {
  return ACL_SUCCESS;
}

#endif  // LANEDIFF_ACL_HOST_ACL_H
