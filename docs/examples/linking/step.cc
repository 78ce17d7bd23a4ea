// One call on one machine, by itself: 0 if it executes what is legal, and
// refuses what is not.
#ifdef ORACLE
#include <lanediff/oracle.h>
using Machine = lanediff::oracle::Oracle;
#else
#include <lanediff/emulator.h>
using Machine = lanediff::emulator::Emulator;
#endif

#include <cstdint>
#include <cstring>
#include <vector>

using namespace lanediff;

int main() {
  const std::int32_t src0[8] = {1, -2, 3, 4, 5, 6, 7, 8};  // src1 is all 0
  std::vector<std::uint8_t> ub(1024);
  std::memcpy(ub.data(), src0, sizeof(src0));
  isa::Memories memories;
  memories[isa::Memory::kUb] = ub;
  Machine machine(isa::Product::kAtlasA2, memories);

  using enum isa::Position;
  isa::Call call = isa::CallOf("Min");
  call.form = isa::kCountForm;
  call.dtype = isa::DType::kInt32;
  call[isa::Param::kCount] = 8;
  call.src(0) = {.position = kVecin, .at = 0, .bytes = 32, .dtype = {}};
  call.src(1) = {.position = kVecin, .at = 32, .bytes = 32, .dtype = {}};
  call.dst() = {.position = kVecout, .at = 64, .bytes = 32, .dtype = {}};
  const isa::StepResult legal = machine.Execute(call);
  std::int32_t dst[8];
  std::memcpy(dst, &ub[64], sizeof(dst));

  call.dst().at = 65;  // MIN-ALIGN
  const isa::StepResult illegal = machine.Execute(call);

  using enum isa::StepResult::Status;
  const bool right = legal.status == kExecuted && dst[0] == 0 && dst[1] == -2;
  const bool refused = illegal.status == kRejected && !illegal.rules.empty();
  return right && refused ? 0 : 1;
}
