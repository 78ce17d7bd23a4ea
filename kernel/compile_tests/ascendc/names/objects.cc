// Every name of tensors, queues and memory, as kernels spell it.
#include "kernel_operator.h"

using namespace AscendC;

template <typename T>
class Objects {
 public:
  __aicore__ inline Objects(TPipe* pipe) : pipe_(pipe) {}
  __aicore__ inline void Init(GM_ADDR x, __gm__ uint8_t* y, uint32_t n) {
    InitSocState();
    x_.SetGlobalBuffer((__gm__ T*)x + n * GetBlockIdx(), n);
    y_.SetGlobalBuffer(reinterpret_cast<__gm__ T*>(y));
    x_.SetL2CacheHint(CacheMode::CACHE_MODE_DISABLE);
    x_.template SetL2CacheHint<CacheRwMode::READ>(CacheMode::CACHE_MODE_NORMAL);
    pipe_->InitBuffer(in_, 2, n * sizeof(T));
    pipe_->InitBuffer(bind_, 1, n * sizeof(T));
    pipe_->InitBuffer(place_, 1, n * sizeof(T));
    pipe_->InitBuffer(calc_, n * sizeof(T));
    pipe_->InitBuffer(out_, Std::make_tuple(0x8000, 512));
    pipe_->InitBuffer(out_, Std::make_tuple(0x8000, 512),
                      Std::make_tuple(0x8200, 512));
    pipe_->InitBufPool(pool_, 65536);
    pipe_->InitBufPool(other_, 65536, pool_);
    pool_.InitBufPool(part_, 1024);
    pool_.InitBufPool(part_, 1024, other_);
    pool_.InitBuffer(poolQueue_, 1, 256);
    pool_.InitBuffer(poolBuf_, 256);
    pool_.Reset();
  }
  __aicore__ inline void Process() {
    LocalTensor<T> a = in_.template AllocTensor<T>();
    in_.EnQue(a);
    in_.template EnQue<T>(a);
    in_.template EnQue<QuePosition::GM, QuePosition::VECIN, T>(a);
    LocalTensor<T> b = in_.template DeQue<T>();
    b = in_.template DeQue<QuePosition::GM, QuePosition::VECIN, T>();
    in_.FreeTensor(b);
    LocalTensor<T> c;
    place_.template AllocTensor<T>(c);
    place_.EnQue(c);
    place_.template DeQue<T>(c);
    place_.FreeTensor(c);
    if (in_.HasTensorInQue() || in_.GetTensorCountInQue() > 1 ||
        in_.HasIdleBuffer() || in_.VacantInQue()) {
      in_.FreeAllEvent();
    }
    LocalTensor<T> d = calc_.template Get<T>();
    LocalTensor<T> e = calc_.template Get<T>(64);
    LocalTensor<T> f = calc_.template GetWithOffset<T>(64, 128);
    T value = d.GetValue(1);
    d.SetValue(0, value);
    d.SetValue(0, 1);
    d(3) = d(4);
    d(3) += value;
    value = d[8](0);
    value = x_.GetValue(n_);
    x_.SetValue(0, value);
    x_(1) = value;
    auto words = d.template ReinterpretCast<int16_t>();
    words.SetSize(d.GetSize() / 2);
    words.SetBufferLen(words.GetLength());
    if (words.GetPosition() == static_cast<int32_t>(TPosition::VECCALC)) {
      words.SetUserTag(7);
    }
    words.SetAddrWithOffset(e, words.GetUserTag());
    uint32_t sizes[2] = {16, 4};
    d.SetShapeInfo(ShapeInfo(2, sizes, DataFormat::ND));
    x_.SetShapeInfo(d.GetShapeInfo());
    __ubuf__ T* raw = (__ubuf__ T*)d.GetPhyAddr();
    raw = d.GetPhyAddr(8);
    __gm__ T* gm = x_.GetPhyAddr();
    gm = x_[16].GetPhyAddr(x_.GetSize());
    (void)raw;
    (void)gm;
    (void)f;
  }
  __aicore__ inline void Events() {
    TEventID id = pipe_->AllocEventID<HardEvent::MTE2_V>();
    SetFlag<HardEvent::MTE2_V>(id);
    WaitFlag<HardEvent::MTE2_V>(id);
    pipe_->ReleaseEventID<HardEvent::MTE2_V>(id);
    event_t event =
        static_cast<event_t>(GetTPipePtr()->FetchEventID(HardEvent::V_MTE3));
    SetFlag<HardEvent::V_MTE3>(event);
    WaitFlag<HardEvent::V_MTE3>(EVENT_ID0);
    int32_t other = GetTPipePtr()->FetchEventID<HardEvent::S_V>();
    SetFlag<HardEvent::S_V>(other);
    uint64_t base = pipe_->GetBaseAddr(static_cast<int8_t>(TPosition::VECCALC));
    (void)base;
    LocalTensor<T> rest;
    PopStackBuffer<T, TPosition::LCM>(rest);
    pipe_->Reset();
    pipe_->Destroy();
    pipe_->Init();
  }

 private:
  TPipe* pipe_;
  TQue<QuePosition::VECIN, 1> in_;
  TQue<TPosition::VECOUT, 0> place_;
  TQue<TPosition::VECOUT, 2> out_;
  TQueBind<TPosition::VECIN, TPosition::VECOUT, 1> bind_;
  TBuf<> calc_;
  TBufPool<TPosition::VECCALC> pool_;
  TBufPool<TPosition::VECCALC, 8> other_, part_;
  TQue<TPosition::VECIN, 1> poolQueue_;
  TBuf<TPosition::VECCALC> poolBuf_;
  GlobalTensor<T> x_, y_;
  uint32_t n_ = 2;
};

extern "C" __global__ __aicore__ void objects(GM_ADDR x, GM_ADDR y) {
  TPipe pipe;
  Objects<half> halves(&pipe);
  halves.Init(x, y, 128);
  halves.Process();
  halves.Events();
  Objects<int32_t> words(&pipe);
  words.Init(x, y, 128);
  words.Process();
  Objects<bfloat16_t> brains(&pipe);
  brains.Process();
}

extern "C" __global__ __vector__ void without_a_pipe(GM_ADDR) {
  LocalTensor<float> a(TPosition::VECIN, 0, 256);
  LocalMemAllocator<Hardware::UB> ub;
  auto b = ub.Alloc<TPosition::VECCALC, float, 64>();
  auto c = ub.Alloc<TPosition::VECCALC, float>(64);
  auto d = ub.Alloc<half, 64>();
  auto e = ub.Alloc<half>(ub.GetCurAddr());
  LocalMemAllocator<> other;
  LocalMemAllocator<Hardware::L1> l1;
  auto f = l1.Alloc<TPosition::A1, half>(64);
  Add(b, a, c, 64);
  Add(d, e, f, 64);
}
