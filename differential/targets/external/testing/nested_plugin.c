/* Min of Ascend C, form mask, of int32, with a bug behind three conditions on
 * parameters, each of which is a branch of its own: who sees which branches a
 * call takes comes to it step by step. */
#include <lanediff/plugin.h>
#include <stdlib.h>
#include <string.h>

enum { kBlockBytes = 32, kBlockLanes = 8, kMostLanes = 64 };

static void *open_session(const lanediff_machine *machine) {
  lanediff_machine *session = malloc(sizeof *session);
  if (session != NULL) *session = *machine;
  return session;
}

/* Of `lane` in `iteration`; null outside of the memory. */
static uint8_t *element(const lanediff_machine *machine,
                        const lanediff_operand *operand, int64_t iteration,
                        int64_t rep_stride, int64_t lane, int64_t blk_stride) {
  const lanediff_memory_view ub = machine->memory[LANEDIFF_UB];
  const int64_t blocks =
      iteration * rep_stride + lane / kBlockLanes * blk_stride;
  const int64_t at =
      operand->at + blocks * kBlockBytes + lane % kBlockLanes * 4;
  if (operand->memory != LANEDIFF_UB || at < 0 || at > (int64_t)ub.size - 4) {
    return NULL;
  }
  return ub.bytes + at;
}

/* What the bug does to a result. */
static int32_t bent(const lanediff_elementwise *call, int32_t result) {
  if (call->repeatTimes == 5) {
    if (call->repeatParams.src0RepStride % 32 == 3) {
      if (call->mask % 16 == 7) {
        result ^= 1;
      }
    }
  }
  return result;
}

static int is_small(int64_t value) { return value >= 0 && value <= 255; }

static int is_known(const lanediff_step *step) {
  const lanediff_elementwise *call = &step->as.min;
  const lanediff_binary_repeat_params *p = &call->repeatParams;
  return step->op == LANEDIFF_MIN && call->dtype == LANEDIFF_INT32 &&
         call->form == LANEDIFF_FORM_MASK && call->isSetMask &&
         call->mask >= 0 && call->mask <= kMostLanes &&
         is_small(call->repeatTimes) && is_small(p->dstBlkStride) &&
         is_small(p->src0BlkStride) && is_small(p->src1BlkStride) &&
         is_small(p->dstRepStride) && is_small(p->src0RepStride) &&
         is_small(p->src1RepStride) && call->dst.at >> 30 == 0 &&
         call->src0.at >> 30 == 0 && call->src1.at >> 30 == 0;
}

static lanediff_status execute(void *session, const lanediff_step *step,
                               lanediff_answer *answer) {
  const lanediff_elementwise *call = &step->as.min;
  const lanediff_binary_repeat_params *p = &call->repeatParams;
  (void)answer;
  if (!is_known(step)) return LANEDIFF_UNSUPPORTED;
  for (int64_t i = 0; i < call->repeatTimes; ++i) {
    for (int64_t lane = 0; lane < call->mask; ++lane) {
      int32_t a, b;
      uint8_t *dst = element(session, &call->dst, i, p->dstRepStride, lane,
                             p->dstBlkStride);
      const uint8_t *src0 = element(session, &call->src0, i, p->src0RepStride,
                                    lane, p->src0BlkStride);
      const uint8_t *src1 = element(session, &call->src1, i, p->src1RepStride,
                                    lane, p->src1BlkStride);
      if (!dst || !src0 || !src1) return LANEDIFF_UNSUPPORTED;
      memcpy(&a, src0, 4);
      memcpy(&b, src1, 4);
      a = bent(call, a < b ? a : b);
      memcpy(dst, &a, 4);
    }
  }
  return LANEDIFF_EXECUTED;
}

const lanediff_plugin *lanediff_plugin_get(void) {
  static const lanediff_plugin plugin = {
      LANEDIFF_PLUGIN_ABI_VERSION, sizeof(lanediff_plugin), "nested", "1",
      "{\"instructions\": [\"Min\"], \"dtypes\": [\"int32\"]}",
      open_session, execute, free, LANEDIFF_PLUGIN_THREADS};
  return &plugin;
}
