/* lanediff/plugin.h: an implementation as a shared
 * library, ABI version 1.
 *
 * A library exports one function, lanediff_plugin_get. lanediff loads it in a
 * process of its own (--target plugin:PATH), opens a session for each program
 * that it runs, and has it execute the program's steps one by one on memories
 * that both see. Plain C11; C++ may include it, too. Later versions only add
 * fields at the ends of structs and values at the ends of enums: struct_size
 * gives the size of one.
 */
#ifndef LANEDIFF_PLUGIN_H_
#define LANEDIFF_PLUGIN_H_

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LANEDIFF_PLUGIN_ABI_VERSION 1

#if defined(_WIN32)
#define LANEDIFF_PLUGIN_EXPORT __declspec(dllexport)
#else
#define LANEDIFF_PLUGIN_EXPORT __attribute__((visibility("default")))
#endif

/* Words of the documents. In structs they are int32_t with these values. */

enum lanediff_product {
  LANEDIFF_ATLAS_TRAINING = 0,
  LANEDIFF_ATLAS_INFERENCE_AICORE = 1,
  LANEDIFF_ATLAS_INFERENCE_VECTORCORE = 2,
  LANEDIFF_ATLAS_A2 = 3,
  LANEDIFF_ATLAS_A3 = 4,
  LANEDIFF_ATLAS_200I_500_A2 = 5,
  LANEDIFF_ATLAS_200_300_500 = 6
};

/* Editions of the documents: what is legal and what is computed. */
enum lanediff_edition { LANEDIFF_EDITION_2024 = 0, LANEDIFF_EDITION_2026 = 1 };

enum lanediff_dtype {
  LANEDIFF_INT8 = 0,
  LANEDIFF_UINT8 = 1,
  LANEDIFF_INT16 = 2,
  LANEDIFF_UINT16 = 3,
  LANEDIFF_INT32 = 4,
  LANEDIFF_UINT32 = 5,
  LANEDIFF_INT64 = 6,
  LANEDIFF_UINT64 = 7,
  LANEDIFF_HALF = 8,
  LANEDIFF_BFLOAT16 = 9,
  LANEDIFF_FLOAT = 10,
  LANEDIFF_DOUBLE = 11
};

/* Physical memories, and places in lanediff_machine.memory. */
enum lanediff_memory {
  LANEDIFF_GM = 0,
  LANEDIFF_UB = 1,
  LANEDIFF_L1 = 2,
  LANEDIFF_L0C = 3,
  LANEDIFF_BT = 4,
  LANEDIFF_FB = 5,
  LANEDIFF_MEMORIES = 6
};

/* Logical positions (TPosition). */
enum lanediff_position {
  LANEDIFF_POSITION_GM = 0,
  LANEDIFF_POSITION_VECIN = 1,
  LANEDIFF_POSITION_VECCALC = 2,
  LANEDIFF_POSITION_VECOUT = 3,
  LANEDIFF_POSITION_A1 = 4,
  LANEDIFF_POSITION_B1 = 5,
  LANEDIFF_POSITION_TSCM = 6,
  LANEDIFF_POSITION_C1 = 7,
  LANEDIFF_POSITION_C2 = 8,
  LANEDIFF_POSITION_C2PIPE2GM = 9,
  LANEDIFF_POSITION_CO2 = 10,
  LANEDIFF_POSITION_UB = 11
};

enum lanediff_layout { LANEDIFF_ND = 0, LANEDIFF_DN = 1 };

/* In which a TROWPROD multiplies. */
enum lanediff_order {
  LANEDIFF_ORDER_NONE =
      -1, /* not requested: the one that the plugin declares */
  LANEDIFF_ORDER_DOCUMENTED = 0,
  LANEDIFF_ORDER_BLOCK_LANES = 1,
  LANEDIFF_ORDER_REGISTER_LANES = 2,
  LANEDIFF_ORDER_LEFT_FOLD = 3
};

/* RoundMode, by which Cast converts elements of the call's dtype to those of
 * dst's. */
enum lanediff_round_mode {
  LANEDIFF_CAST_NONE = 0,
  LANEDIFF_CAST_RINT = 1,
  LANEDIFF_CAST_FLOOR = 2,
  LANEDIFF_CAST_CEIL = 3,
  LANEDIFF_CAST_ROUND = 4,
  LANEDIFF_CAST_TRUNC = 5,
  LANEDIFF_CAST_ODD = 6
};

/* CMPMODE, the relation by which Compare and CompareScalar compare. */
enum lanediff_cmp_mode {
  LANEDIFF_CMP_LT = 0,
  LANEDIFF_CMP_GT = 1,
  LANEDIFF_CMP_EQ = 2,
  LANEDIFF_CMP_LE = 3,
  LANEDIFF_CMP_GE = 4,
  LANEDIFF_CMP_NE = 5
};

/* SELMODE, what Select takes where a bit of selMask is 0. */
enum lanediff_sel_mode {
  LANEDIFF_VSEL_CMPMASK_SPR = 0,
  LANEDIFF_VSEL_TENSOR_SCALAR_MODE = 1,
  LANEDIFF_VSEL_TENSOR_TENSOR_MODE = 2
};

/* ReduceOrder, by which WholeReduceMax and WholeReduceMin write. */
enum lanediff_reduce_order {
  LANEDIFF_ORDER_VALUE_INDEX = 0,
  LANEDIFF_ORDER_INDEX_VALUE = 1,
  LANEDIFF_ORDER_ONLY_VALUE = 2,
  LANEDIFF_ORDER_ONLY_INDEX = 3
};

enum lanediff_pipe {
  LANEDIFF_PIPE_V = 0,
  LANEDIFF_PIPE_MTE1 = 1,
  LANEDIFF_PIPE_MTE2 = 2,
  LANEDIFF_PIPE_MTE3 = 3,
  LANEDIFF_PIPE_FIX = 4,
  LANEDIFF_PIPE_ALL = 5,
  LANEDIFF_PIPE_S = 6,
  LANEDIFF_PIPE_M = 7
};

/* Of flags: P_Q, pipe P signals pipe Q. */
enum lanediff_event {
  LANEDIFF_EVENT_MTE2_MTE1 = 0,
  LANEDIFF_EVENT_MTE1_MTE2 = 1,
  LANEDIFF_EVENT_MTE1_M = 2,
  LANEDIFF_EVENT_M_MTE1 = 3,
  LANEDIFF_EVENT_MTE2_M = 4,
  LANEDIFF_EVENT_M_MTE2 = 5,
  LANEDIFF_EVENT_MTE2_MTE3 = 6,
  LANEDIFF_EVENT_MTE3_MTE2 = 7,
  LANEDIFF_EVENT_MTE1_MTE3 = 8,
  LANEDIFF_EVENT_MTE3_MTE1 = 9,
  LANEDIFF_EVENT_MTE2_V = 10,
  LANEDIFF_EVENT_V_MTE2 = 11,
  LANEDIFF_EVENT_MTE3_V = 12,
  LANEDIFF_EVENT_V_MTE3 = 13,
  LANEDIFF_EVENT_S_V = 14,
  LANEDIFF_EVENT_V_S = 15,
  LANEDIFF_EVENT_S_MTE2 = 16,
  LANEDIFF_EVENT_MTE2_S = 17,
  LANEDIFF_EVENT_S_MTE3 = 18,
  LANEDIFF_EVENT_MTE3_S = 19,
  LANEDIFF_EVENT_M_FIX = 20,
  LANEDIFF_EVENT_FIX_M = 21,
  LANEDIFF_EVENT_MTE1_FIX = 22,
  LANEDIFF_EVENT_FIX_MTE1 = 23,
  LANEDIFF_EVENT_MTE2_FIX = 24,
  LANEDIFF_EVENT_FIX_MTE2 = 25,
  LANEDIFF_EVENT_FIX_MTE3 = 26,
  LANEDIFF_EVENT_M_V = 27,
  LANEDIFF_EVENT_V_M = 28,
  LANEDIFF_EVENT_MTE1_V = 29,
  LANEDIFF_EVENT_V_MTE1 = 30,
  LANEDIFF_EVENT_M_S = 31,
  LANEDIFF_EVENT_FIX_S = 32
};

/* Which member of lanediff_step.as is meant. */
enum lanediff_op {
  LANEDIFF_SET_VECTOR_MASK = 0,
  LANEDIFF_SET_SATURATION = 1,
  LANEDIFF_PIPE_BARRIER = 2,
  LANEDIFF_REPEAT_REDUCE_SUM = 3,
  LANEDIFF_MIN = 4,
  LANEDIFF_DATA_COPY = 5,
  LANEDIFF_TROWPROD = 6,
  LANEDIFF_VEC_TRANS = 7,
  LANEDIFF_WHOLE_REDUCE_SUM = 8,
  LANEDIFF_MAX = 9,
  LANEDIFF_ADD = 10,
  LANEDIFF_SUB = 11,
  LANEDIFF_MUL = 12,
  LANEDIFF_SET_FLAG = 13,
  LANEDIFF_WAIT_FLAG = 14,
  LANEDIFF_SET_MASK_COUNT = 15, /* these three have no fields */
  LANEDIFF_SET_MASK_NORM = 16,
  LANEDIFF_RESET_MASK = 17,
  LANEDIFF_GET_VALUE = 18,
  LANEDIFF_SET_VALUE = 19,
  LANEDIFF_CALL = 22 /* and all numbers above: call, by its name */
};

/* Alternative forms of a call; fields of the others are 0. */
enum lanediff_form {
  LANEDIFF_FORM_COUNT = 0,      /* Min and its family, DataCopy: count */
  LANEDIFF_FORM_MASK = 1,       /* mask: the first so many lanes */
  LANEDIFF_FORM_MASK_WORDS = 2, /* mask_words: bit i of [0] is lane i, of [1]
                                   lane 64 + i */
  LANEDIFF_FORM_PARAMS = 3,    /* DataCopy: params; DataCopyPad: no padParams */
  LANEDIFF_FORM_PAD_PARAMS = 4 /* DataCopyPad: padParams */
};

/* A window of `bytes` bytes from byte `at` on of `memory`, the one behind
 * `position`. Any numbers at all: lanediff sends illegal calls, too. */
typedef struct lanediff_operand {
  int32_t position;
  int32_t memory;
  int64_t at;
  int64_t bytes;
  int32_t dtype; /* its own, always given */
  int32_t reserved;
} lanediff_operand;

/* A tile of rows x cols elements, of which validRow x validCol count. */
typedef struct lanediff_tile {
  int32_t position;
  int32_t memory;
  int64_t at;
  int64_t rows;
  int64_t cols;
  int64_t validRow;
  int64_t validCol;
  int32_t layout;
  int32_t dtype;
} lanediff_tile;

typedef struct lanediff_set_vector_mask {
  uint64_t high; /* lanes 64 to 127 */
  uint64_t low;  /* lanes 0 to 63 */
} lanediff_set_vector_mask;

typedef struct lanediff_set_saturation {
  int32_t enabled;
} lanediff_set_saturation;

typedef struct lanediff_pipe_barrier {
  int32_t pipe;
} lanediff_pipe_barrier;

/* SetFlag and WaitFlag. */
typedef struct lanediff_flag {
  int32_t event; /* enum lanediff_event */
  int32_t reserved;
  int64_t id;
} lanediff_flag;

/* Reads the element number `index` of the operand, for nothing. */
typedef struct lanediff_get_value {
  int32_t dtype;
  int32_t reserved;
  lanediff_operand src;
  int64_t index;
} lanediff_get_value;

/* Writes it. */
typedef struct lanediff_set_value {
  int32_t dtype;
  int32_t reserved;
  lanediff_operand dst;
  int64_t index;
  uint64_t value; /* the element's bits, zero above its width */
} lanediff_set_value;

typedef struct lanediff_repeat_reduce_sum {
  int32_t dtype;
  int32_t isSetMask;
  lanediff_operand dst;
  lanediff_operand src;
  int64_t repeat;
  int64_t elemsInOneRepeat;
  int64_t dstBlkStride;
  int64_t srcBlkStride;
  int64_t dstRepStride;
  int64_t srcRepStride;
} lanediff_repeat_reduce_sum;

typedef struct lanediff_whole_reduce_sum {
  int32_t dtype;
  int32_t isSetMask;
  lanediff_operand dst;
  lanediff_operand src;
  int32_t form; /* LANEDIFF_FORM_MASK or LANEDIFF_FORM_MASK_WORDS */
  int32_t reserved;
  int64_t mask;
  uint64_t mask_words[2];
  int64_t repeatTimes;
  int64_t dstRepStride;
  int64_t srcBlkStride;
  int64_t srcRepStride;
} lanediff_whole_reduce_sum;

typedef struct lanediff_binary_repeat_params {
  int64_t dstBlkStride;
  int64_t src0BlkStride;
  int64_t src1BlkStride;
  int64_t dstRepStride;
  int64_t src0RepStride;
  int64_t src1RepStride;
} lanediff_binary_repeat_params;

/* Min, Max, Add, Sub, Mul. */
typedef struct lanediff_elementwise {
  int32_t dtype;
  int32_t isSetMask;
  lanediff_operand dst;
  lanediff_operand src0;
  lanediff_operand src1;
  int32_t form; /* LANEDIFF_FORM_COUNT, _MASK or _MASK_WORDS */
  int32_t reserved;
  int64_t count;
  int64_t mask;
  uint64_t mask_words[2];
  int64_t repeatTimes;
  lanediff_binary_repeat_params repeatParams;
} lanediff_elementwise;

/* A call of any instruction with a number from LANEDIFF_CALL on, for plugins
 * with the flag LANEDIFF_PLUGIN_CALLS; a later lanediff knows more names. What
 * the instruction or its form does not have is 0. */
typedef struct lanediff_plugin_call {
  char name[32]; /* the document's, such as "Adds", with a zero behind it */
  int32_t dtype;
  int32_t isSetMask;
  int32_t form; /* enum lanediff_form */
  int32_t operand_count;
  lanediff_operand operands[4]; /* dst, then the sources */
  int64_t count;
  int64_t mask;
  uint64_t mask_words[2];
  int64_t repeatTimes;
  int64_t blkStrides[4]; /* of the operands, in DataBlocks */
  int64_t repStrides[4];
  uint64_t scalar; /* an element's bits, zero above its width */
  /* Of a copy. A header that ends above lacks it. */
  int64_t block_count;
  int64_t block_len; /* of DataCopyPad in bytes */
  int64_t src_gap;   /* both: of DataCopyPad in bytes at GM, DataBlocks at UB */
  int64_t dst_gap;
  int64_t left_padding; /* elements */
  int64_t right_padding;
  int32_t is_pad;   /* scalar is what pads */
  int32_t round_en; /* of ShiftRight */
  /* Of Cast. A header that ends above lacks it. */
  int32_t round_mode; /* enum lanediff_round_mode */
  /* Of WholeReduceMax and WholeReduceMin; reserved in headers that lack it. */
  int32_t reduce_order; /* enum lanediff_reduce_order */
  /* Of Compare and CompareScalar. A header that ends above lacks it. */
  int32_t cmp_mode; /* enum lanediff_cmp_mode */
  /* Of Select. A header that ends above lacks it. */
  int32_t sel_mode; /* enum lanediff_sel_mode */
} lanediff_plugin_call;

typedef struct lanediff_data_copy_params {
  int64_t blockCount;
  int64_t blockLen;
  int64_t srcGap;
  int64_t dstGap;
} lanediff_data_copy_params;

typedef struct lanediff_data_copy {
  int32_t dtype;
  int32_t form; /* LANEDIFF_FORM_COUNT or LANEDIFF_FORM_PARAMS */
  lanediff_operand dst;
  lanediff_operand src;
  int64_t count;
  lanediff_data_copy_params params;
} lanediff_data_copy;

typedef struct lanediff_trowprod {
  int32_t dtype;
  int32_t order; /* enum lanediff_order */
  lanediff_tile dst;
  lanediff_tile src;
  lanediff_tile tmp;
} lanediff_trowprod;

typedef struct lanediff_vec_trans {
  int32_t dtype;
  int32_t reserved;
  lanediff_operand dst;
  lanediff_operand src;
  int64_t repeat_times;
  int64_t dst_rep_stride;
  int64_t src_rep_stride;
} lanediff_vec_trans;

typedef struct lanediff_step {
  uint32_t struct_size;
  int32_t op; /* enum lanediff_op, or a number above it */
  union {
    lanediff_set_vector_mask set_vector_mask;
    lanediff_set_saturation set_saturation;
    lanediff_pipe_barrier pipe_barrier;
    lanediff_repeat_reduce_sum repeat_reduce_sum;
    lanediff_whole_reduce_sum whole_reduce_sum;
    lanediff_elementwise elementwise; /* also as the five that it is */
    lanediff_elementwise min;
    lanediff_elementwise max;
    lanediff_elementwise add;
    lanediff_elementwise sub;
    lanediff_elementwise mul;
    lanediff_data_copy data_copy;
    lanediff_trowprod trowprod;
    lanediff_vec_trans vec_trans;
    lanediff_flag set_flag;
    lanediff_flag wait_flag;
    lanediff_get_value get_value;
    lanediff_set_value set_value;
    lanediff_plugin_call call;
  } as;
} lanediff_step;

typedef struct lanediff_memory_view {
  uint8_t *bytes; /* null where size is 0 */
  uint64_t size;
} lanediff_memory_view;

/* What a program runs on. The pointers stay the same until `close`. Between
 * steps lanediff may change what is there. */
typedef struct lanediff_machine {
  uint32_t struct_size;
  int32_t product;
  lanediff_memory_view memory[LANEDIFF_MEMORIES]; /* by enum lanediff_memory */
  int32_t edition; /* enum lanediff_edition, which the program is judged by */
  int32_t reserved;
} lanediff_machine;

typedef enum lanediff_status {
  LANEDIFF_EXECUTED = 0,
  LANEDIFF_REJECTED = 1,    /* the call is illegal; nothing was written */
  LANEDIFF_UNSUPPORTED = 2, /* it can't do that, legal or not */
  LANEDIFF_ERROR = 3,       /* it failed; answer->error holds the reason */
  /* No status: with it any number that a plugin returns is one of this type. */
  LANEDIFF_STATUS_MOST = 0x7fffffff
} lanediff_status;

/* All is zero before the call. What it points to is the plugin's, and must stay
 * until the session's next call. */
typedef struct lanediff_answer {
  uint32_t struct_size;
  uint32_t reserved;
  const char *const *rules; /* broken, where it rejects; may be null */
  uint64_t rule_count;
  const char *const *notes; /* where it executes; may be null */
  uint64_t note_count;
  const char *error; /* may be null */
} lanediff_answer;

/* Flags of a plugin. */
#define LANEDIFF_PLUGIN_THREADS \
  1u /* several sessions at once, each by a thread */
#define LANEDIFF_PLUGIN_CALLS 2u /* it takes steps from LANEDIFF_CALL on */

typedef struct lanediff_plugin {
  uint32_t abi_version; /* LANEDIFF_PLUGIN_ABI_VERSION */
  uint32_t struct_size; /* sizeof(lanediff_plugin) */
  const char *name;
  const char *version;
  const char *capabilities;                       /* a JSON object as text
                                                     (docs/own-implementation.md), or null */
  void *(*open)(const lanediff_machine *machine); /* null: it can't */
  lanediff_status (*execute)(void *session, const lanediff_step *step,
                             lanediff_answer *answer);
  void (*close)(void *session);
  uint64_t flags;
} lanediff_plugin;

/* Never null; what it points to lives as long as the library. */
LANEDIFF_PLUGIN_EXPORT const lanediff_plugin *lanediff_plugin_get(void);

#ifdef __cplusplus
}
#endif

#endif /* LANEDIFF_PLUGIN_H_ */
