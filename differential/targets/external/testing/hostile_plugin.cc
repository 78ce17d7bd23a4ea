// Our own emulator as a plugin that misbehaves as LANEDIFF_TEST_DOES names at
// every SetVectorMask of the mask 0xdead: the tests' worst library.

#include <signal.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <thread>
#include <vector>

#include "lanediff/plugin.h"

extern "C" const lanediff_plugin* lanediff_emulator_plugin_get(void);

namespace {

const lanediff_plugin& Emulator() { return *lanediff_emulator_plugin_get(); }

std::string_view Does() {
  const char* const text = std::getenv("LANEDIFF_TEST_DOES");
  return text == nullptr ? "" : text;
}

struct Session {
  void* inner;
  lanediff_machine machine;
  bool stops = false;  ///< it can't do the next call
};

void* Open(const lanediff_machine* machine) {
  if (Does() == "open-null") return nullptr;
  return new Session{Emulator().open(machine), *machine};
}

int Deeper(int n) {
  volatile char frame[4096];
  frame[0] = static_cast<char>(n);
  return Deeper(n + 1) + frame[0];
}

void Touch(volatile std::uint8_t* at) { *at = 1; }

void Shift(int by) {
  volatile int one = 1;
  one = one << by;
}

int cases = 0;

lanediff_status Misbehave(const Session& session, lanediff_answer* answer) {
  const std::string_view does = Does();
  const auto& ub = session.machine.memory[LANEDIFF_UB];
  if (does == "exits") std::exit(0);
  if (does == "aborts") std::abort();
  if (does == "throws") throw std::runtime_error("a model's own error");
  if (does == "overflows") return static_cast<lanediff_status>(Deeper(0));
  if (does.starts_with("writes-elsewhere")) Touch(ub.bytes + 200);
  if (does == "writes-tail") Touch(ub.bytes + ub.size);
  if (does == "unsupported") return LANEDIFF_UNSUPPORTED;
  if (does == "writes-behind") Touch(ub.bytes + (ub.size + 4095) / 4096 * 4096);
  if (does == "writes-before") Touch(ub.bytes - 1);
  // What only a sanitizer sees.
  if (does == "overruns") {
    volatile std::size_t size = 24;
    std::vector<std::uint8_t> bytes(size);
    Touch(bytes.data() + size);
  }
  if (does == "shifts") Shift(static_cast<int>(ub.size % 8) + 64);
  if (does == "hangs") sleep(1000);
  if (does == "spins") {
    volatile int i = 0;
    while (i == 0) {
    }
  }
  if (does == "eats") {
    // Touched one by one: clang removes an allocation that is never read.
    constexpr std::size_t kTaken = std::size_t{64} << 20;
    while (true) {
      auto* const taken = static_cast<std::uint8_t*>(std::malloc(kTaken));
      for (std::size_t at = 0; at < kTaken; at += 4096) Touch(taken + at);
    }
  }
  if (does == "forks") {
    if (fork() == 0) return LANEDIFF_EXECUTED;
  }
  if (does == "forks-and-dies") {
    for (int i = 0; i < 3; ++i) {
      if (fork() == 0) {
        setsid();
        sleep(1000);
      }
    }
    raise(SIGKILL);
  }
  if (does == "closes") {
    for (int fd = 0; fd < 1024; ++fd) close(fd);
  }
  if (does == "writes") {
    std::puts("a plugin's own words");
    std::fputs("and errors\n", stderr);
    std::fflush(stdout);
  }
  if (does == "writes-much") {
    for (int i = 0; i < 100'000; ++i) std::puts("a plugin's own words");
  }
  if (does == "threads") std::thread([] { sleep(1000); }).detach();
  if (does == "status-7") {
    const int none = 7;
    lanediff_status status = LANEDIFF_EXECUTED;
    std::memcpy(&status, &none, sizeof(status));
    return status;
  }
  if (does == "error") {
    answer->error = "out of registers";
    return LANEDIFF_ERROR;
  }
  if (does == "unknown-rule") {
    static const char* const kRules[] = {"NO-SUCH-RULE"};
    answer->rules = kRules;
    answer->rule_count = 1;
    return LANEDIFF_REJECTED;
  }
  return LANEDIFF_EXECUTED;
}

lanediff_status Execute(void* handle, const lanediff_step* step,
                        lanediff_answer* answer) {
  auto& session = *static_cast<Session*>(handle);
  ++cases;
  // Its struct ends before its flags.
  if (Does() == "older" && step->op > LANEDIFF_SET_VALUE) std::abort();
  if (session.stops && step->op == LANEDIFF_MIN) return LANEDIFF_UNSUPPORTED;
  const lanediff_status status =
      Emulator().execute(session.inner, step, answer);
  const int good = Does() == "stateful-late" ? 1800 : 20;
  if (Does().starts_with("stateful") && cases > good &&
      status == LANEDIFF_EXECUTED) {
    session.machine.memory[LANEDIFF_UB].bytes[0] ^= 1;
  }
  if (step->op != LANEDIFF_SET_VECTOR_MASK ||
      step->as.set_vector_mask.low != 0xdead) {
    return status;
  }
  session.stops = Does() == "writes-elsewhere-and-stops";
  const lanediff_status other = Misbehave(session, answer);
  return other == LANEDIFF_EXECUTED ? status : other;
}

void Close(void* handle) {
  auto* const session = static_cast<Session*>(handle);
  Emulator().close(session->inner);
  delete session;
}

}  // namespace

extern "C" LANEDIFF_PLUGIN_EXPORT const lanediff_plugin* lanediff_plugin_get(
    void) {
  static lanediff_plugin plugin = Emulator();
  plugin.name = "hostile";
  plugin.open = Open;
  plugin.execute = Execute;
  plugin.close = Close;
  if (Does() == "other-abi") plugin.abi_version = 2;
  if (Does() == "small") plugin.struct_size = 16;
  if (Does() == "older") plugin.struct_size = offsetof(lanediff_plugin, flags);
  if (Does() == "capabilities") plugin.capabilities = "{\"legality\": 7}";
  if (Does() == "dies-loading") std::abort();
  if (Does() == "null") return nullptr;
  return &plugin;
}
