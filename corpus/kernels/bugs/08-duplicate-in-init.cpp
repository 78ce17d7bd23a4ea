// Pattern 8: Init fills the buffer with 0 and the copy in, on another pipe, overwrites it.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kCount = 60, kRoom = 64;
static float x[kCount], y[kRoom];

class Op {
 public:
  void Init(GM_ADDR in, GM_ADDR out) {
    gin_.SetGlobalBuffer((__gm__ float*)in);
    gout_.SetGlobalBuffer((__gm__ float*)out);
    pipe_.InitBuffer(buf_, kRoom * sizeof(float));
    t_ = buf_.Get<float>();
    Duplicate(t_, 0.0f, kRoom);
  }
  void Process() {
    DataCopyExtParams params{1, kCount * sizeof(float), 0, 0, 0};
    DataCopyPad(t_, gin_, params, DataCopyPadExtParams<float>{});  //! SYNC-WAW
    SetFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::MTE2_MTE3>(EVENT_ID0);
    SetFlag<HardEvent::V_MTE3>(EVENT_ID0);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    DataCopy(gout_, t_, kRoom);
  }

 private:
  TPipe pipe_;
  TBuf<> buf_;
  GlobalTensor<float> gin_, gout_;
  LocalTensor<float> t_;
};

void Kernel(GM_ADDR in, GM_ADDR out) {
  Op op;
  op.Init(in, out);
  op.Process();
}

int main() { lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(y, sizeof y)); }
