// Counter mode and a mask are left to who comes next: a note.
// note KRN-MASK-LEFT
#include "kernel_operator.h"
using namespace AscendC;

void Kernel() {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, 256);
  SetMaskCount();
  SetVectorMask<float, MaskMode::COUNTER>(0, 64);
  Duplicate<float, false>(buf.Get<float>(), 1.0f, MASK_PLACEHOLDER, 1, 1, 8);
}

int main() { lanediff::Launch(Kernel, 1); }
