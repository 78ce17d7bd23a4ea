// No idle block, beyond the depth, an empty queue: these end the block. Given back what was
// not handed out, or twice; put in twice: these don't.
#include "kernel_operator.h"
using namespace AscendC;

using Queue = TQue<TPosition::VECIN, 1>;

void Prepare(TPipe& pipe, Queue& que) {
  TBuf<> buf;
  pipe.InitBuffer(buf, 32);
  Duplicate(buf.Get<float>(), 1.0f, 8);
  pipe.InitBuffer(que, 2, 32);
}
void NoneIdle() {
  TPipe pipe;
  Queue que;
  Prepare(pipe, que);
  for (int i = 0; i < 3; ++i) que.AllocTensor<float>();  //! KRN-QUEUE
  que.DeQue<float>();
}
void BeyondDepth() {
  TPipe pipe;
  Queue que;
  Prepare(pipe, que);
  auto a = que.AllocTensor<float>(), b = que.AllocTensor<float>();
  que.EnQue(a);
  que.EnQue(b);  //! KRN-QUEUE
  que.DeQue<float>();
}
void Empty() {
  TPipe pipe;
  Queue que;
  Prepare(pipe, que);
  que.DeQue<float>();  //! KRN-QUEUE
  que.DeQue<float>();
}
void Others() {
  TPipe pipe;
  Queue que;
  Prepare(pipe, que);
  que.FreeTensor(LocalTensor<float>(TPosition::VECIN, 4096, 8));  //! KRN-QUEUE
  auto a = que.AllocTensor<float>();
  que.FreeTensor(a);
  que.FreeTensor(a);  //! KRN-QUEUE
  a = que.AllocTensor<float>();
  que.EnQue(a);
  que.EnQue(a);  //! KRN-QUEUE
  que.FreeTensor(que.DeQue<float>());
}

int main() {
  lanediff::Launch(NoneIdle, 1);
  lanediff::Launch(BeyondDepth, 1);
  lanediff::Launch(Empty, 1);
  lanediff::Launch(Others, 1);
}
