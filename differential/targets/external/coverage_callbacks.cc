// What a library calls that was compiled with -fsanitize-coverage: it leaves
// these names to the program that loads it. Programs that host plugins export
// them; fuzz programs, in which libFuzzer has the same ones, leave this file
// out.

#include <cstdint>

#include "differential/targets/external/target_coverage.h"

// NOLINTBEGIN(bugprone-reserved-identifier): the compilers' names.
extern "C" {

// inline-8bit-counters, inline-bool-flag and pc-table.
void __sanitizer_cov_8bit_counters_init(std::uint8_t* begin,
                                        std::uint8_t* end) {
  lanediff::diff::AddPluginCounters(begin, end);
}
void __sanitizer_cov_bool_flag_init(std::uint8_t* begin, std::uint8_t* end) {
  lanediff::diff::AddPluginCounters(begin, end);
}
void __sanitizer_cov_pcs_init(const std::uintptr_t*, const std::uintptr_t*) {}

// trace-pc-guard.
void __sanitizer_cov_trace_pc_guard_init(std::uint32_t* begin,
                                         std::uint32_t* end) {
  lanediff::diff::AddPluginGuards(begin, end);
}
void __sanitizer_cov_trace_pc_guard(const std::uint32_t* guard) {
  lanediff::diff::CountPluginGuard(*guard);
}

// trace-cmp: the first is what stands in the code. `cases` has their number,
// the bits of what is switched by, and the cases.
void __sanitizer_cov_trace_const_cmp1(std::int8_t a, std::int8_t) {
  lanediff::diff::NotePluginConstant(a);
}
void __sanitizer_cov_trace_const_cmp2(std::int16_t a, std::int16_t) {
  lanediff::diff::NotePluginConstant(a);
}
void __sanitizer_cov_trace_const_cmp4(std::int32_t a, std::int32_t) {
  lanediff::diff::NotePluginConstant(a);
}
void __sanitizer_cov_trace_const_cmp8(std::int64_t a, std::int64_t) {
  lanediff::diff::NotePluginConstant(a);
}
void __sanitizer_cov_trace_switch(std::uint64_t, const std::int64_t* cases) {
  for (std::int64_t i = 0; i < cases[0]; ++i) {
    lanediff::diff::NotePluginConstant(cases[2 + i]);
  }
}

// Unused counters that a library may call: with -fsanitize=fuzzer-no-link it
// calls many of them.
void __sanitizer_cov_cfs_init(const std::uintptr_t*, const std::uintptr_t*) {}
void __sanitizer_cov_trace_pc() {}
void __sanitizer_cov_trace_pc_indir(std::uintptr_t) {}
void __sanitizer_cov_trace_cmp1(std::uint8_t, std::uint8_t) {}
void __sanitizer_cov_trace_cmp2(std::uint16_t, std::uint16_t) {}
void __sanitizer_cov_trace_cmp4(std::uint32_t, std::uint32_t) {}
void __sanitizer_cov_trace_cmp8(std::uint64_t, std::uint64_t) {}
void __sanitizer_cov_trace_cmpf(float, float) {}
void __sanitizer_cov_trace_cmpd(double, double) {}
void __sanitizer_cov_trace_div4(std::uint32_t) {}
void __sanitizer_cov_trace_div8(std::uint64_t) {}
void __sanitizer_cov_trace_gep(std::uintptr_t) {}
void __sanitizer_cov_load1(const void*) {}
void __sanitizer_cov_load2(const void*) {}
void __sanitizer_cov_load4(const void*) {}
void __sanitizer_cov_load8(const void*) {}
void __sanitizer_cov_load16(const void*) {}
void __sanitizer_cov_store1(const void*) {}
void __sanitizer_cov_store2(const void*) {}
void __sanitizer_cov_store4(const void*) {}
void __sanitizer_cov_store8(const void*) {}
void __sanitizer_cov_store16(const void*) {}

// stack-depth.
extern __thread std::uintptr_t __sancov_lowest_stack;
__thread std::uintptr_t __sancov_lowest_stack = ~std::uintptr_t{0};

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier)

namespace lanediff::diff {

void ProvideCoverageCallbacks() {}

}  // namespace lanediff::diff
