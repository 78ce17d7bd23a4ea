#ifndef LANEDIFF_KERNEL_ABI_H
#define LANEDIFF_KERNEL_ABI_H

/* What the headers of Ascend C and PTO call: one library, in C. A kernel
 * includes those headers and never this one by itself. C99 and C++17.
 *
 * Numbers are whatever the kernel passed, in 64 bits: the library judges them.
 * Names of calls, operands and parameters are the documents'; strings that are
 * passed live as long as the program. Every call that names a site counts as
 * one call on that line. Unless its comment states otherwise, a function may
 * end the block that calls it (a rule of queues, a refused call): it doesn't
 * return then, and no destructor of the block's stack runs. */

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LANEDIFF_KERNEL_ABI 1
/* The version that the library was built with; a header of another version
 * stops the program with one line. */
extern const int32_t lanediff_kernel_abi;

/* The product that a file of the program is compiled for, by the name that
 * `--product` has ("atlas-a2"). Called before main, once or more for each file
 * that includes a header; products whose macros are the same may be requested
 * instead, files of different products stop the program with one line. */
void lanediff_product(const char* name);

/* Where the kernel calls: __builtin_FILE() and __builtin_LINE(). `file` null:
 * a call of lanediff_execute through a function pointer, whose place is
 * reported as behind the last one that the library knows. */
typedef struct lanediff_site {
  const char* file;
  int32_t line;
} lanediff_site;

/* Types of elements. */
enum lanediff_dtype {
  LANEDIFF_INT8,
  LANEDIFF_UINT8,
  LANEDIFF_INT16,
  LANEDIFF_UINT16,
  LANEDIFF_INT32,
  LANEDIFF_UINT32,
  LANEDIFF_INT64,
  LANEDIFF_UINT64,
  LANEDIFF_HALF,
  LANEDIFF_BFLOAT16,
  LANEDIFF_FLOAT,
  LANEDIFF_DOUBLE,
  LANEDIFF_INT4, /* two in a byte; calls that support it state so */
  LANEDIFF_NO_DTYPE = 255
};

/* TPosition; `UB` is PTO's word. */
enum lanediff_position {
  LANEDIFF_GM,
  LANEDIFF_A1,
  LANEDIFF_A2,
  LANEDIFF_B1,
  LANEDIFF_B2,
  LANEDIFF_C1,
  LANEDIFF_C2,
  LANEDIFF_CO1,
  LANEDIFF_CO2,
  LANEDIFF_VECIN,
  LANEDIFF_VECOUT,
  LANEDIFF_VECCALC,
  LANEDIFF_LCM,
  LANEDIFF_SPM,
  LANEDIFF_SHM,
  LANEDIFF_TSCM,
  LANEDIFF_C2PIPE2GM,
  LANEDIFF_C2PIPE2LOCAL,
  LANEDIFF_UB,
  LANEDIFF_NO_POSITION /* of an allocator's tensor: in UB, without a word */
};

/* A tensor from its first element on. All zero: it was never given memory. */
typedef struct lanediff_tensor {
  /* The first byte: an address of the local memory; of GM one of the host. */
  uint64_t at;
  /* Local: bytes from `at` to the end of what was allocated. GM: bytes from
   * `at` to the pointer that the kernel was given, 0 or negative behind it;
   * the library knows its buffers. */
  int64_t window;
  /* Declared bytes from `at`; negative where none were declared. */
  int64_t declared;
  uint8_t position; /* lanediff_position */
  uint8_t given;    /* 1: it has memory */
} lanediff_tensor;

typedef struct lanediff_operand {
  const char* name; /* "dst", "src0", … */
  lanediff_tensor tensor;
  uint8_t dtype; /* lanediff_dtype */
} lanediff_operand;

/* A parameter by its documented name: `text` where it is a word (CAST_RINT),
 * else `value`. */
typedef struct lanediff_parameter {
  const char* name;
  int64_t value;
  const char* text;
} lanediff_parameter;

enum lanediff_form {
  LANEDIFF_PLAIN,    /* no form with count or mask */
  LANEDIFF_COUNT,    /* parameter "count" */
  LANEDIFF_MASK_LEN, /* mask[0] is a number of elements */
  LANEDIFF_MASK_BITS /* mask[0]: lanes 0 to 63, mask[1]: 64 to 127 */
};

/* One call of an intrinsic: operands and parameters in the documents' order,
 * mask and scalar apart. Of DataCopy's and DataCopyPad's structs each field is
 * a parameter, paddingValue by its bits; the latter has the word "params" where
 * it is given the older DataCopyParams, whose fields have 16 bits. */
typedef struct lanediff_call {
  const char* name;
  lanediff_site site;
  const lanediff_operand* operands;
  const lanediff_parameter* parameters;
  uint32_t operand_count;
  uint32_t parameter_count;
  uint64_t mask[2];
  /* The scalar's bits, low end first, and its type. */
  uint64_t scalar;
  uint8_t scalar_dtype;
  uint8_t form;        /* lanediff_form */
  uint8_t is_set_mask; /* 0: the register's mask is used, `mask` is not */
} lanediff_call;

/* Judges, follows and executes the call, or skips it where it breaks a rule.
 * Calls whose name is unknown are refused. What the call gives back
 * (GatherMask: how many elements; MrgSort: how many of each list, 16 bits
 * each), else 0. */
uint64_t lanediff_execute(const lanediff_call* call);

/* ---- Calls that touch no byte -------------------------------------------- */

/* SetVectorMask {high, low} or {len}, each with {mode: NORMAL or COUNTER,
 * dtype}, SetMaskNorm, SetMaskCount, ResetMask, PipeBarrier {pipe: a word},
 * SetFlag and WaitFlag {event: a word, id}, SetAtomic {operation: none, add,
 * max, min, dtype} (SetAtomicType: without operation), SetDeqScale {scale:
 * bits, dtype} with {offset, signMode} behind a float, SetCtrlSpr {low, high,
 * value}, ResetCtrlSpr {low, high}, InitSocState, SetSaturation {enabled},
 * SetPadValue {paddingValue: bits, dtype}. A dtype is a lanediff_dtype. */
void lanediff_state(const char* name, const lanediff_parameter* parameters,
                    uint32_t parameter_count, lanediff_site site);
/* The control register's bits [low, high]. */
int64_t lanediff_get_ctrl(int32_t low, int32_t high);

/* SyncAll with workspaces in GM and UB (either may be ungiven). */
void lanediff_sync_all(lanediff_tensor gm, lanediff_tensor ub,
                       int64_t used_cores, lanediff_site site);

/* A name that is known and not executed; `why` in a few words. Ends the
 * block. */
void lanediff_refused(const char* name, const char* why, lanediff_site site);

/* ---- TPipe, queues, buffers ---------------------------------------------- */

int64_t lanediff_tpipe_begin(lanediff_site site);
void lanediff_tpipe_end(int64_t tpipe, lanediff_site site);
void lanediff_tpipe_reset(int64_t tpipe, lanediff_site site);

/* InitBuffer: `depth` negative for a TBuf, `at` negative where the pipe
 * chooses; of a TQue `src` and `dst` are both its position. The buffer's
 * number, from 0; where a number is required, -1 is a queue that InitBuffer
 * never saw (EnQue, FreeTensor and counts of it; the headers make no other call
 * with it). */
int64_t lanediff_init_buffer(int64_t tpipe, uint8_t src, uint8_t dst,
                             int64_t depth, int64_t num, int64_t len,
                             int64_t at, lanediff_site site);
lanediff_tensor lanediff_alloc_tensor(int64_t buffer, lanediff_site site);
/* Between which positions it stands, NO_POSITION for the queue's own. */
void lanediff_en_que(int64_t buffer, lanediff_tensor tensor, uint8_t src,
                     uint8_t dst, lanediff_site site);
lanediff_tensor lanediff_de_que(int64_t buffer, lanediff_site site);
void lanediff_free_tensor(int64_t buffer, lanediff_tensor tensor,
                          lanediff_site site);
/* What of the queue's blocks are: 0 queued, 1 idle. */
int64_t lanediff_queue_count(int64_t buffer, int32_t what);
/* The TBuf's memory. */
lanediff_tensor lanediff_get_buffer(int64_t buffer, lanediff_site site);
/* PopStackBuffer: what InitBuffer has not handed out of the position's memory,
 * to its end. */
lanediff_tensor lanediff_pop_stack_buffer(uint8_t position, lanediff_site site);
/* One pointer that a header keeps for the block at hand (its TPipe): null when
 * the block begins. */
void** lanediff_block_slot(void);

/* A tensor at an address: `position` may be NO_POSITION. `at` is -1 where the
 * library chooses (an auto-placed tile of PTO): the first multiple of 32 behind
 * all that was placed in that memory in this block. */
lanediff_tensor lanediff_local_tensor(uint8_t position, int64_t at,
                                      int64_t bytes, lanediff_site site);
/* LocalMemAllocator's constructor; `memory`: "UB", "L1", … */
void lanediff_local_allocator(const char* memory, lanediff_site site);

/* AllocEventID, FetchEventID, ReleaseEventID; `event`: "MTE2_V". */
int32_t lanediff_alloc_event(const char* event, lanediff_site site);
int32_t lanediff_fetch_event(const char* event, lanediff_site site);
void lanediff_release_event(const char* event, int32_t id, lanediff_site site);

/* ---- Elements and addresses ---------------------------------------------- */

/* GetValue and SetValue, of local memory and of GM; the element's bits. */
uint64_t lanediff_get_value(const lanediff_operand* src, int64_t index,
                            lanediff_site site);
void lanediff_set_value(const lanediff_operand* dst, int64_t index,
                        uint64_t value, lanediff_site site);
/* Where the bytes are in this process; what is done through it is unseen, and
 * counted. */
void* lanediff_address(lanediff_tensor tensor, lanediff_site site);
/* The tensor in UB whose first byte has that address, to the end of what was
 * handed out there; none is given where UB has no such byte. Addresses of
 * lanediff_address that come back count no more. */
lanediff_tensor lanediff_tensor_at(uint64_t address);

/* ---- Launch ---------------------------------------------------------------
 */

/* Calls body(context) once for each block. Returns when all have ended. */
void lanediff_launch(const char* kernel, int64_t blocks, void (*body)(void*),
                     void* context, lanediff_site site);
int64_t lanediff_block_idx(void);
int64_t lanediff_block_num(void);
int64_t lanediff_system_cycle(void);

/* Device memory: poisoned and uninitialised. Null if there is none left. */
void* lanediff_gm_alloc(uint64_t bytes);
/* 0 if the pointer is not of lanediff_gm_alloc; then nothing is done. */
int32_t lanediff_gm_free(void* pointer);
/* Names a host buffer of the caller as GM: initialised, exactly so long. */
void lanediff_gm_name(const void* pointer, uint64_t bytes);
/* Names a host buffer that the next launch fills: poisoned, nothing of it is
 * written. */
void lanediff_gm_name_output(const void* pointer, uint64_t bytes);
/* The kernel of the next launch has the pointer as its argument `number`, from
 * 1, to elements of so many bytes (0: not known). `output`: what no block
 * writes of it, to its buffer's end, is a finding. Pointers that are none to GM
 * are skipped. */
void lanediff_gm_argument(const void* pointer, int64_t number,
                          int64_t element_bytes, int32_t output);
/* Whether neither the host nor a launch that has ended has written one of the
 * bytes. */
int32_t lanediff_gm_is_unwritten(const void* pointer, uint64_t bytes);
void lanediff_set_tiling_key(uint64_t key);
uint64_t lanediff_tiling_key(void);

/* What the last launch came to, by group in the order of the SUMMARY line:
 * memcheck, racecheck, synccheck, initcheck, paramcheck, maskcheck,
 * valuecheck; then notes, checked calls, refused calls. */
enum { LANEDIFF_COUNTS = 10 };
void lanediff_last_launch(uint64_t counts[LANEDIFF_COUNTS]);

#ifdef __cplusplus
}
#endif
#endif /* LANEDIFF_KERNEL_ABI_H */
