// Two live TPipes; two allocators of one memory.
#include "kernel_operator.h"
using namespace AscendC;

void Pipes() {
  TPipe first;
  TPipe second;  //! KRN-TPIPE
  TBuf<> buf;
  second.InitBuffer(buf, 32);
  Duplicate(buf.Get<float>(), 1.0f, 8);
}

void Allocators() {
  InitSocState();
  LocalMemAllocator<Hardware::UB> first;
  LocalMemAllocator<Hardware::UB> second;  //! KRN-TPIPE
  Duplicate(second.Alloc<float, 8>(), 1.0f, 8);
}

int main() {
  lanediff::Launch(Pipes, 1);
  lanediff::Launch(Allocators, 1);
}
