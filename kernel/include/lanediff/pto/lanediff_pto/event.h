#ifndef LANEDIFF_PTO_EVENT_H
#define LANEDIFF_PTO_EVENT_H

#include <cstdint>

#include "lanediff/kernel_number.h"
#include "lanediff_ascendc/call.h"
#include "lanediff_pto/names.h"
#include "lanediff_pto/words.h"

/// Flags, barriers and events (Events and Synchronization).
namespace lanediff::pto_front {

/// "MTE2_V" of two pipes: lives as long as the program.
class FlagNames {
 public:
  static constexpr int kPipes = PIPE_FIX + 1;
  constexpr FlagNames() : names_{} {
    for (int from = 0; from < kPipes; ++from) {
      for (int to = 0; to < kPipes; ++to) {
        char* out = names_[from][to];
        out = Append(out, static_cast<pipe_t>(from));
        *out++ = '_';
        Append(out, static_cast<pipe_t>(to));
      }
    }
  }
  constexpr const char* Of(pipe_t from, pipe_t to) const {
    return from < kPipes && to < kPipes ? names_[from][to] : "";
  }

 private:
  static constexpr char* Append(char* out, pipe_t pipe) {
    // Behind "PIPE_".
    for (const char* in = front::WordOf(pipe) + 5; *in != '\0'; ++in) {
      *out++ = *in;
    }
    return out;
  }
  char names_[kPipes][kPipes][12];
};
inline constexpr FlagNames kFlagNames;

/// Of an event of these pipes.
template <pipe_t from, pipe_t to>
int NextId() {
  static int next = 0;
  const int id = next;
  next = (next + 1) % (EVENT_ID7 + 1);
  return id;
}

inline void Flag(const char* name, pipe_t from, pipe_t to, front::Num id,
                 lanediff_site site) {
  front::State(name, site)
      .Text("event", kFlagNames.Of(from, to))
      .Number("id", id)
      .Execute();
}

template <typename... Events>
void WaitFor([[maybe_unused]] lanediff_site site, Events&... events) {
  (events.Wait(site), ...);
}

}  // namespace lanediff::pto_front

inline void set_flag(pipe_t from, pipe_t to, lanediff::front::Num id,
                     LANEDIFF_SITE) {
  lanediff::pto_front::Flag("SetFlag", from, to, id, lanediff_site_);
}
inline void wait_flag(pipe_t from, pipe_t to, lanediff::front::Num id,
                      LANEDIFF_SITE) {
  lanediff::pto_front::Flag("WaitFlag", from, to, id, lanediff_site_);
}
inline void pipe_barrier(pipe_t pipe, LANEDIFF_SITE) {
  const char* const word = lanediff::front::WordOf(pipe);
  lanediff::front::State("PipeBarrier", lanediff_site_)
      .Text("pipe", word == nullptr ? "" : word + 5)
      .Execute();
}

// clang-format off
/// Operations, and the pipe that each runs on.
#define LANEDIFF_OPS(X, V)                                                  \
  X(TLOAD, PIPE_MTE2) X(TSTORE_VEC, PIPE_MTE3) X(TSTORE_MAT, PIPE_MTE3)     \
  X(TSTORE_ACC, PIPE_FIX) X(SCALAR, PIPE_S) X(TRESHAPE, PIPE_S)             \
  X(TMATMUL, PIPE_M) X(TGEMV, PIPE_M) X(TMATMUL_MX, PIPE_M)                 \
  X(TMOV_M2B, PIPE_MTE1) X(TMOV_M2L, PIPE_MTE1) X(TMOV_M2R, PIPE_MTE1)      \
  X(TEXTRACT_M2LR, PIPE_MTE1) X(TMOV_M2S, PIPE_FIX) X(TMOV_A2V, PIPE_FIX)   \
  X(TMOV_A2M, PIPE_FIX) X(TMOV_V2V, PIPE_V) X(TMOV_V2M, PIPE_MTE3)          \
  X(VECTOR, PIPE_V) X(TROWPROD, PIPE_V) LANEDIFF_PTO_REFUSED_VECTOR(V)
// clang-format on

namespace pto {

#define LANEDIFF_OP(NAME, ...) NAME,
#define LANEDIFF_OP_PIPE(NAME, PIPE) PIPE,
#define LANEDIFF_OP_VECTOR(NAME) PIPE_V,
enum class Op : std::uint16_t {
  LANEDIFF_OPS(LANEDIFF_OP, LANEDIFF_OP) OP_COUNT
};
inline constexpr pipe_t kOpPipes[] = {
    LANEDIFF_OPS(LANEDIFF_OP_PIPE, LANEDIFF_OP_VECTOR)};
#undef LANEDIFF_OP
#undef LANEDIFF_OP_PIPE
#undef LANEDIFF_OP_VECTOR
#undef LANEDIFF_OPS

/// What an instruction gives back; an Event that takes it records.
struct RecordEvent {
  lanediff_site site = {};
};

/// A flag from the pipe of one operation to that of another, a barrier where
/// they are one. Events of two pipes take the ids 0 to 7 in turn (assumed).
template <Op SrcOp, Op DstOp>
class Event {
 public:
  static constexpr pipe_t srcPipe = kOpPipes[static_cast<int>(SrcOp)];
  static constexpr pipe_t dstPipe = kOpPipes[static_cast<int>(DstOp)];

  Event() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): as documented
  Event(const RecordEvent& record) { Record(record.site); }
  Event& operator=(const RecordEvent& record) {
    Record(record.site);
    return *this;
  }
  void Record(LANEDIFF_SITE) {
    if constexpr (srcPipe != dstPipe) {
      lanediff::pto_front::Flag("SetFlag", srcPipe, dstPipe, id_,
                                lanediff_site_);
    }
  }
  void Wait(LANEDIFF_SITE) {
    if constexpr (srcPipe != dstPipe) {
      lanediff::pto_front::Flag("WaitFlag", srcPipe, dstPipe, id_,
                                lanediff_site_);
    } else {
      pipe_barrier(srcPipe, lanediff_site_);
    }
  }

 private:
  int id_ = lanediff::pto_front::NextId<srcPipe, dstPipe>();
};

/// Waits for each of the events.
template <typename A>
void TSYNC(A& a, LANEDIFF_SITE) {
  lanediff::pto_front::WaitFor(lanediff_site_, a);
}
template <typename A, typename B>
void TSYNC(A& a, B& b, LANEDIFF_SITE) {
  lanediff::pto_front::WaitFor(lanediff_site_, a, b);
}
template <typename A, typename B, typename C>
void TSYNC(A& a, B& b, C& c, LANEDIFF_SITE) {
  lanediff::pto_front::WaitFor(lanediff_site_, a, b, c);
}
template <typename A, typename B, typename C, typename D>
void TSYNC(A& a, B& b, C& c, D& d, LANEDIFF_SITE) {
  lanediff::pto_front::WaitFor(lanediff_site_, a, b, c, d);
}
/// A barrier of the operation's pipe, which is the vector's.
template <Op OpCode>
void TSYNC(LANEDIFF_SITE) {
  static_assert(kOpPipes[static_cast<int>(OpCode)] == PIPE_V,
                "TSYNC<Op>() is for operations of the vector pipe");
  pipe_barrier(PIPE_V, lanediff_site_);
}

}  // namespace pto

#endif  // LANEDIFF_PTO_EVENT_H
