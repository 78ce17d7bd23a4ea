#include "emulator/vector/target.h"

#include <vector>

namespace lanediff::emulator {
namespace {

struct Entry {
  std::string_view name;
  std::string_view needs;
  bool tested;
};

#ifdef LANEDIFF_FEW_VECTOR_TARGETS
constexpr bool kHasAll = false;
constexpr std::string_view kSse4 = "a program that is compiled for it";
constexpr std::string_view kAvx3 = kSse4;
#else
constexpr bool kHasAll = true;
constexpr std::string_view kSse4 = "SSE4.2, PCLMUL and AES";
constexpr std::string_view kAvx3 = "AVX-512 with F, VL, DQ and BW";
#endif

constexpr ByVectorTarget<Entry> kEntries = {
    {{"scalar", "nothing", true},
     {"sse4", kSse4, true},
     {"avx2", "AVX2, FMA, BMI, BMI2 and F16C", true},
     {"avx3", kAvx3, true},
     {"neon", "64-bit Arm with NEON and AES", false}}};

const Entry& EntryOf(VectorTarget target) {
  return kEntries[static_cast<std::size_t>(target)];
}

// Highway's own detection is in its compiled library, which fuzz programs can't
// link. The features are those that its headers compile each target with.
#if defined(__x86_64__)
bool RunsHere(VectorTarget target) {
  const bool sse4 = __builtin_cpu_supports("sse4.2") &&
                    __builtin_cpu_supports("pclmul") &&
                    __builtin_cpu_supports("aes");
  const bool avx2 =
      sse4 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
      __builtin_cpu_supports("f16c");
  switch (target) {
    case VectorTarget::kScalar:
      return true;
    case VectorTarget::kSse4:
      return kHasAll && sse4;
    case VectorTarget::kAvx2:
      return avx2;
    case VectorTarget::kAvx3:
      return kHasAll && avx2 && __builtin_cpu_supports("avx512f") &&
             __builtin_cpu_supports("avx512vl") &&
             __builtin_cpu_supports("avx512dq") &&
             __builtin_cpu_supports("avx512bw");
    case VectorTarget::kNeon:
      return false;
  }
  return false;
}
#elif defined(__aarch64__)
bool RunsHere(VectorTarget target) {
  return target == VectorTarget::kScalar || target == VectorTarget::kNeon;
}
#else
bool RunsHere(VectorTarget target) { return target == VectorTarget::kScalar; }
#endif

}  // namespace

std::string_view NameOf(VectorTarget target) { return EntryOf(target).name; }

std::string_view NeedsOf(VectorTarget target) { return EntryOf(target).needs; }

bool IsTested(VectorTarget target) { return EntryOf(target).tested; }

std::span<const VectorTarget> RunnableTargets() {
  static const std::vector<VectorTarget> runnable = [] {
    std::vector<VectorTarget> found;
    for (std::size_t i = 0; i < kVectorTargets; ++i) {
      const auto target = static_cast<VectorTarget>(i);
      if (RunsHere(target)) found.push_back(target);
    }
    return found;
  }();
  return runnable;
}

VectorTarget BestTarget() {
  VectorTarget best = VectorTarget::kScalar;
  for (const VectorTarget target : RunnableTargets()) {
    if (IsTested(target)) best = target;
  }
  return best;
}

}  // namespace lanediff::emulator
