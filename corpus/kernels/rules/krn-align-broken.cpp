// Beside them.
#include "kernel_operator.h"
using namespace AscendC;

void Kernel() {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, 1024);
  LocalTensor<half> t = buf.Get<half>();
  Duplicate(t, half(1.0f), 512);
  PipeBarrier<PIPE_V>();
  Adds(t[8], t, half(1.0f), 16);                                                      //! ADDS-ALIGN
  Adds(t, t[1], half(1.0f), 16);                                                      //! ADDS-ALIGN
  WholeReduceMax<half>(t[256], t[8], 64, 1, 1, 1, 8, ReduceOrder::ORDER_ONLY_VALUE);  //! WRMAX-SRC-ALIGN
  BlockReduceMax<half>(t[257], t, 1, 128, 1, 1, 8);                                   //! BRMAX-DST-ALIGN
}

int main() { lanediff::Launch(Kernel, 1); }

// shows: block 0, execution 1; byte 16 of the buffer of
