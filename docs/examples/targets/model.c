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

/* Whether the first n elements of an operand lie in UB, the memory of Min. */
static int holds(const lanediff_machine *machine,
                 const lanediff_operand *operand, int64_t n) {
  const int64_t last = (int64_t)machine->memory[LANEDIFF_UB].size - 4 * n;
  return operand->memory == LANEDIFF_UB && operand->at >= 0 &&
         operand->at <= last;
}

static lanediff_status execute(void *session, const lanediff_step *step,
                               lanediff_answer *answer) {
  const lanediff_machine *machine = session;
  uint8_t *ub = machine->memory[LANEDIFF_UB].bytes;
  const lanediff_elementwise *call = &step->as.min;
  const lanediff_set_value *set = &step->as.set_value;
  (void)answer;
  switch (step->op) {
    /* Steps that change no byte, and nothing that the form count depends on. */
    case LANEDIFF_SET_VECTOR_MASK:
    case LANEDIFF_SET_MASK_COUNT:
    case LANEDIFF_SET_MASK_NORM:
    case LANEDIFF_RESET_MASK:
    case LANEDIFF_SET_SATURATION:
    case LANEDIFF_PIPE_BARRIER:
    case LANEDIFF_SET_FLAG:
    case LANEDIFF_WAIT_FLAG:
    case LANEDIFF_GET_VALUE:
      return LANEDIFF_EXECUTED;
    case LANEDIFF_SET_VALUE:
      if (set->index < 0 || set->index > 1 << 20 ||
          !holds(machine, &set->dst, set->index + 1)) {
        return LANEDIFF_UNSUPPORTED;
      }
      memcpy(ub + set->dst.at + 4 * set->index, &set->value, 4);
      return LANEDIFF_EXECUTED;
    case LANEDIFF_MIN:
      break;
    default:
      return LANEDIFF_UNSUPPORTED;
  }
  const int64_t count = call->count < 0 ? 0 : call->count;
  if (call->form != LANEDIFF_FORM_COUNT || count > 1 << 20) {
    return LANEDIFF_UNSUPPORTED;
  }
  if (count == 0) return LANEDIFF_EXECUTED; /* there may be no memory at all */
  if (!holds(machine, &call->dst, count) ||
      !holds(machine, &call->src0, count) ||
      !holds(machine, &call->src1, count)) {
    return LANEDIFF_UNSUPPORTED;
  }
  for (int64_t i = 0; i < count; ++i) {
    int32_t a, b;
    memcpy(&a, ub + call->src0.at + 4 * i, 4);
    memcpy(&b, ub + call->src1.at + 4 * i, 4);
    memcpy(ub + call->dst.at + 4 * i, a < b ? &a : &b, 4);
  }
  return LANEDIFF_EXECUTED;
}

const lanediff_plugin *lanediff_plugin_get(void) {
  static const lanediff_plugin plugin = {
      LANEDIFF_PLUGIN_ABI_VERSION, sizeof(lanediff_plugin), "model.c", "1",
      "{\"instructions\": [\"Min\"], \"dtypes\": [\"int32\"],"
      " \"forms\": [\"count\"]}",
      open_session, execute, free, LANEDIFF_PLUGIN_THREADS};
  return &plugin;
}
