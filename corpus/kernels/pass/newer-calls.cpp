// Operators of whole tensors, And of 32 bits by count, lists of addresses, SetPadValue,
// SetSaturationFlag, and registers that are read back.
#include "kernel_operator.h"
using namespace AscendC;

static half x[20];
static half padded[32], sums[64], divided[64], rectified[64], dequantized[64];
static uint32_t masked[64];
static int16_t turned[256];
static uint8_t less[32];
static float total;
static uint16_t merged[4];
static bool saturates[2];

void Kernel(GM_ADDR gx, GM_ADDR gp, GM_ADDR gs, GM_ADDR gd, GM_ADDR gm, GM_ADDR gt, GM_ADDR gl,
            GM_ADDR gr, GM_ADDR gq) {
  const auto local = [](auto zero, int at, int count) {
    return LocalTensor<decltype(zero)>(TPosition::VECCALC, at, count);
  };
  GlobalTensor<half> in, out;
  in.SetGlobalBuffer((__gm__ half*)gx, 20);
  InitSocState();

  LocalTensor<half> pad = local(half(), 0, 32);
  SetPadValue(half(3.0f));
  DataCopyPad(pad, in, DataCopyExtParams(1, 40, 0, 0, 0), DataCopyPadExtParams<half>(false, 0, 12, half(0.0f)));
  PipeBarrier<PIPE_ALL>();
  out.SetGlobalBuffer((__gm__ half*)gp, 32);
  DataCopy(out, pad, 32);

  LocalTensor<half> a = local(half(), 1024, 64), b = local(half(), 1280, 64), c = local(half(), 1536, 64);
  Duplicate(a, half(60000.0f), 64);
  Duplicate(b, half(20000.0f), 64);
  PipeBarrier<PIPE_V>();
  saturates[0] = GetSaturationFlag<SaturationMode::FLOAT>();
  SetSaturationFlag<SaturationMode::FLOAT>(false);
  saturates[1] = GetSaturationFlag<SaturationMode::FLOAT>();
  Add(c, a, b, 64);
  PipeBarrier<PIPE_ALL>();
  SetSaturationFlag<SaturationMode::FLOAT>(true);
  out.SetGlobalBuffer((__gm__ half*)gs, 64);
  DataCopy(out, c, 64);
  PipeBarrier<PIPE_ALL>();
  c = a / b;
  PipeBarrier<PIPE_ALL>();
  out.SetGlobalBuffer((__gm__ half*)gd, 64);
  DataCopy(out, c, 64);
  PipeBarrier<PIPE_ALL>();
  Duplicate(a, half(-2.0f), 64);
  Duplicate(b, half(5.0f), 64);
  Duplicate(c, half(2.0f), 64);
  PipeBarrier<PIPE_V>();
  MulAddRelu(c, a, b, 64);
  PipeBarrier<PIPE_ALL>();
  out.SetGlobalBuffer((__gm__ half*)gr, 64);
  DataCopy(out, c, 64);

  LocalTensor<uint32_t> m = local(0u, 2048, 64), n = local(0u, 2304, 64), o = local(0u, 2560, 64);
  Duplicate(m, 0xffff0000u, 64);
  Duplicate(n, 0x00ff00ffu, 64);
  PipeBarrier<PIPE_V>();
  And(o, m, n, 64);  // the first 32
  o[32] = m[32] | n[32];
  PipeBarrier<PIPE_ALL>();
  GlobalTensor<uint32_t> words;
  words.SetGlobalBuffer((__gm__ uint32_t*)gm, 64);
  DataCopy(words, o, 64);

  LocalTensor<int16_t> t = local(int16_t(), 4096, 256), u = local(int16_t(), 4608, 256);
  CreateVecIndex(t, int16_t(0), 256);
  uint64_t to[16], from[16];
  for (int i = 0; i < 16; ++i) {
    to[i] = (uint64_t)u[16 * i].GetPhyAddr();
    from[i] = (uint64_t)t[16 * i].GetPhyAddr();
  }
  PipeBarrier<PIPE_V>();
  TransDataTo5HD<int16_t>(to, from, TransDataTo5HDParams(false, false, 1, 0, 0));
  PipeBarrier<PIPE_ALL>();
  GlobalTensor<int16_t> rows;
  rows.SetGlobalBuffer((__gm__ int16_t*)gt, 256);
  DataCopy(rows, u, 256);

  LocalTensor<float> p = local(0.0f, 8192, 256), q = local(0.0f, 9216, 256);
  LocalTensor<uint8_t> flags = local(uint8_t(), 10240, 32);
  Duplicate(p, 1.0f, 256);
  Duplicate(q, 1.0f, 128);
  Duplicate(q[128], 2.0f, 128);
  PipeBarrier<PIPE_V>();
  flags = p < q;
  PipeBarrier<PIPE_ALL>();
  GlobalTensor<uint8_t> bits;
  bits.SetGlobalBuffer((__gm__ uint8_t*)gl, 32);
  DataCopy(bits, flags, 32);
  ReduceSum<float>(p[64], q, p, 256);
  PipeBarrier<PIPE_ALL>();
  total = GetReduceRepeatSumSpr<float>();

  LocalTensor<int32_t> whole = local(0, 12288, 64);
  Duplicate(whole, 3, 64);
  SetDeqScale(half(1.0f));
  PipeBarrier<PIPE_V>();
  CastDequant<half, int32_t>(a, whole, 64);
  PipeBarrier<PIPE_V>();
  AddDeqRelu(a[32], whole, whole, 32);
  PipeBarrier<PIPE_ALL>();
  out.SetGlobalBuffer((__gm__ half*)gq, 64);
  DataCopy(out, a, 64);
  SetDeqScale(half(0.0f));

  LocalTensor<float> s = local(0.0f, 16384, 64);
  for (int i = 0; i < 64; ++i) s.SetValue(i, i % 2 ? 0.0f : 40.0f - i % 16 - i / 16);
  PipeBarrier<PIPE_ALL>();
  MrgSort4Info info;
  for (auto& length : info.elementLengths) length = 8;
  info.validBit = 3;
  info.ifExhaustedSuspension = true;
  MrgSort<float>(p, MrgSortSrcList<float>(s, s[16], s[32], s[48]), info);
  PipeBarrier<PIPE_ALL>();
  GetMrgSortResult(merged[0], merged[1], merged[2], merged[3]);
}

int main() {
  for (auto& one : x) one = half(1.0f);
  lanediff::Launch(Kernel, 1, lanediff::Gm(x, sizeof x), lanediff::Gm(padded, sizeof padded),
                   lanediff::Gm(sums, sizeof sums), lanediff::Gm(divided, sizeof divided),
                   lanediff::Gm(masked, sizeof masked), lanediff::Gm(turned, sizeof turned),
                   lanediff::Gm(less, sizeof less), lanediff::Gm(rectified, sizeof rectified),
                   lanediff::Gm(dequantized, sizeof dequantized));
  for (int i = 0; i < 32; ++i) {
    if (float(padded[i]) != (i < 20 ? 1.0f : 3.0f)) return 1;
    if (less[i] != (i < 16 ? 0 : 0xff)) return 2;
  }
  for (int i = 0; i < 64; ++i) {
    if (float(sums[i]) <= 65504.0f || float(divided[i]) != 3.0f || float(rectified[i]) != 1.0f) return 3;
    if (masked[i] != (i < 32 ? 0x00ff0000u : 0xffff00ffu)) return 4;
    if (float(dequantized[i]) != (i < 32 ? 3.0f : 6.0f)) return 5;
  }
  for (int i = 0; i < 256; ++i) {
    if (turned[i] != i % 16 * 16 + i / 16) return 6;
  }
  if (total != 384.0f) return 7;
  if (merged[0] + merged[1] != 15 || merged[2] != 0 || merged[3] != 0) return 8;
  return saturates[0] && !saturates[1] ? 0 : 9;
}
