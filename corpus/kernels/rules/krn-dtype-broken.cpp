// Types that the product doesn't have of a call, executed here or not.
#include "kernel_operator.h"
using namespace AscendC;

void Kernel() {
  TPipe pipe;
  TBuf<> buf;
  pipe.InitBuffer(buf, 16384);
  LocalTensor<half> h = buf.Get<half>();
  LocalTensor<int32_t> words = buf.Get<int32_t>();
  LocalTensor<uint32_t> offsets = buf.Get<uint32_t>();
  Duplicate(words, 0, 4096);
  PipeBarrier<PIPE_V>();
  Gatherb(h[1024], h, offsets[1024], 1, {1, 8});            //! KRN-DTYPE
  Gatherb(offsets[512], offsets, offsets[1024], 1, {1, 8});
  PipeBarrier<PIPE_V>();
  Transpose(buf.Get<bfloat16_t>()[1024], buf.Get<bfloat16_t>());  //! KRN-DTYPE
  PipeBarrier<PIPE_V>();
  Div(words[512], words, words, 64);                        //! DIV-DTYPE
  PipeBarrier<PIPE_V>();
  Cast(buf.Get<bfloat16_t>()[1024], h, RoundMode::CAST_RINT, 64);  //! CAST-DTYPE
  PipeBarrier<PIPE_V>();
  Gatherb(buf.Get<uint16_t>()[1024], buf.Get<uint16_t>(), offsets[2048], 1, {1, 8});
}

int main() { lanediff::Launch(Kernel, 1); }

// shows: Gatherb is skipped: dst<src is half; page Gatherb(ISASI) lists uint16_t or uint32_t on atlas-a2
