/* Min of Ascend C, form count, of int32: a target to begin with.
 *
 *   cc -shared -fPIC -o libmodel.so model.c
 *   lanediff target check plugin:./libmodel.so
 */
#include <lanediff/plugin.h>
#include <stdlib.h>
#include <string.h>

static void *open_session(const lanediff_machine *machine) {
  lanediff_machine *session = malloc(sizeof *session);
  if (session != NULL) *session = *machine; /* its pointers stay the same */
  return session;
}

/* The first of n elements of an operand; null if they don't lie in its memory. */
static uint8_t *begin_of(const lanediff_machine *machine,
                         const lanediff_operand *operand, int64_t n) {
  if (operand->memory != LANEDIFF_UB) return NULL;
  const lanediff_memory_view ub = machine->memory[LANEDIFF_UB];
  const int64_t room = (int64_t)ub.size - 4 * n;
  if (operand->at < 0 || operand->at > room) return NULL;
  return ub.bytes + operand->at;
}

static lanediff_status execute(void *session, const lanediff_step *step,
                               lanediff_answer *answer) {
  const lanediff_elementwise *call = &step->as.min;
  (void)answer;
  if (step->op == LANEDIFF_SET_VECTOR_MASK) {
    return LANEDIFF_EXECUTED; /* the form count doesn't look at the mask */
  }
  if (step->op != LANEDIFF_MIN || call->form != LANEDIFF_FORM_COUNT ||
      call->count < 0 || call->count > 1 << 20) {
    return LANEDIFF_UNSUPPORTED;
  }
  uint8_t *dst = begin_of(session, &call->dst, call->count);
  const uint8_t *src0 = begin_of(session, &call->src0, call->count);
  const uint8_t *src1 = begin_of(session, &call->src1, call->count);
  if (!dst || !src0 || !src1) return LANEDIFF_UNSUPPORTED;
  for (int64_t i = 0; i < call->count; ++i) {
    int32_t a, b;
    memcpy(&a, src0 + 4 * i, 4);
    memcpy(&b, src1 + 4 * i, 4);
    memcpy(dst + 4 * i, a < b ? &a : &b, 4);
  }
  return LANEDIFF_EXECUTED;
}

const lanediff_plugin *lanediff_plugin_get(void) {
  static const lanediff_plugin plugin = {
      LANEDIFF_PLUGIN_ABI_VERSION, sizeof(lanediff_plugin), "model.c", "1",
      "{\"instructions\": [\"Min\"], \"dtypes\": [\"int32\"]}",
      open_session, execute, free, LANEDIFF_PLUGIN_THREADS};
  return &plugin;
}
