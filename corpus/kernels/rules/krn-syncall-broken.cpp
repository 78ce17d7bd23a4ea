// One block fewer times; workspaces too small; one that is not 0.
#include "kernel_operator.h"
using namespace AscendC;

constexpr int kBlocks = 3;
static int32_t workspace[8 * kBlocks];

void Fill() {
  LocalTensor<float> t(TPosition::VECCALC, 0, 8);
  Duplicate(t, 1.0f, 8);
}
void Unequal() {
  Fill();
  if (GetBlockIdx() > 0) SyncAll();  //! KRN-SYNCALL
}
void Small(GM_ADDR space, int in_gm, int in_ub) {
  Fill();
  GlobalTensor<int32_t> gm;
  gm.SetGlobalBuffer((__gm__ int32_t*)space, in_gm);
  LocalTensor<int32_t> ub(TPosition::VECCALC, 64, in_ub);
  SyncAll(gm, ub);  //! KRN-SYNCALL
}
void NotZero(GM_ADDR space) {
  Fill();
  GlobalTensor<int32_t> gm;
  gm.SetGlobalBuffer((__gm__ int32_t*)space, 8 * kBlocks);
  LocalTensor<int32_t> ub(TPosition::VECCALC, 64, 8 * kBlocks);
  SyncAll(gm, ub);  //! KRN-SYNCALL
}

int main() {
  const auto gm = lanediff::Gm(workspace, sizeof workspace);
  lanediff::Launch(Unequal, kBlocks);
  lanediff::Launch(Small, kBlocks, gm, 8 * kBlocks - 8, 8 * kBlocks);
  lanediff::Launch(Small, kBlocks, gm, 8 * kBlocks, 8 * kBlocks - 8);
  workspace[5] = 1;
  lanediff::Launch(NotZero, kBlocks, gm);
}
