// A program that calls the library as kernels do; its argument selects the
// calls.

#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "lanediff/kernel_abi.h"

namespace {

using Kernel = std::function<void()>;

void Launch(std::int64_t blocks, const Kernel& kernel, int line = 1) {
  lanediff_launch(
      "kernel", blocks,
      [](void* context) { (*static_cast<const Kernel*>(context))(); },
      const_cast<Kernel*>(&kernel), {"main.cpp", line});
}

/// A call at kernel.cpp:LINE.
void Call(const char* name, int line = 10, std::uint64_t number = 0) {
  lanediff_call call = {};
  call.name = name;
  call.site = {"kernel.cpp", line};
  call.mask[0] = number;
  lanediff_execute(&call);
}

void SyncAll() { lanediff_sync_all({}, {}, 0, {"kernel.cpp", 5}); }

void Print(const char* what) {
  std::printf("%s %d of %d\n", what, static_cast<int>(lanediff_block_idx()),
              static_cast<int>(lanediff_block_num()));
}

/// Uses up the stack.
int Deep(int n) {
  volatile char frame[4096];
  frame[0] = static_cast<char>(n);
  return n == 0 ? 0 : Deep(n + 1) + frame[0];
}

/// Ends the block with an array in each of n frames.
void LeaveArrays(int n) {
  volatile char array[100'001];
  array[0] = 0;
  n == 0 ? Call("EndBlock") : LeaveArrays(n - 1);
  array[1] = array[0];
}

struct AtTheEnd {
  ~AtTheEnd() {
    if (on) Launch(1, [] { Call("Add", 90); });
  }
  bool on = false;
} at_the_end;

const std::map<std::string, std::function<void()>> kDoes = {
    {"nothing", [] {}},
    {"main-fails", [] { Launch(1, [] { Call("Add"); }); }},
    {"clean", [] { Launch(2, [] { Call("Add"); }); }},
    {"finds",
     [] {
       Launch(2, [] {
         Call("Note"), Call("Find"), Call("Find"), Call("Find", 11);
       });
     }},
    {"finds-and-fails", [] { Launch(1, [] { Call("Find"); }); }},
    {"saves", [] { Launch(1, [] { Call("Find"), Call("Save"); }); }},
    {"refused",
     [] {
       Launch(2, [] {
         lanediff_refused("Mmad", "cube", {"kernel.cpp", 3});
         std::puts("not reached");
       });
     }},
    {"syncs",
     [] {
       Launch(3, [] {
         Print("one");
         SyncAll();
         if (lanediff_block_idx() == 1) return;
         Print("two");
         SyncAll();
         Print("three");
       });
       Launch(1, [] { Print("again"); });
     }},
    {"block-ends",
     [] {
       Launch(2, [] {
         Print("before");
         if (lanediff_block_idx() == 0) Call("EndBlock");
         Print("behind");
       });
       Print("main");
     }},
    {"leaves-frames",
     [] {
       for (int i = 0; i < 3; ++i) {
         Launch(2, [] { LeaveArrays(30); });
         Launch(2, [] {
           volatile char all[std::size_t{4} << 20];
           for (volatile char& one : all) one = 1;
           Call("Add");
         });
       }
     }},
    {"run-ends", [] { Launch(2, [] { Call("Find"), Call("EndRun"); }); }},
    {"throws",
     [] {
       Launch(2, [] {
         Call("Add");
         if (lanediff_block_idx() == 1) throw std::runtime_error("no luck");
       });
     }},
    {"catches",
     [] {
       Launch(2, [] {
         try {
           throw static_cast<int>(lanediff_block_idx());
         } catch (int one) {
           SyncAll();
           try {
             throw;
           } catch (int two) {
             std::printf("block %d caught %d and %d\n",
                         static_cast<int>(lanediff_block_idx()), one, two);
           }
         }
       });
     }},
    {"exits", [] { Launch(1, [] { Call("Find"), std::exit(0); }); }},
    {"quits", [] { Launch(1, [] { Call("Add"), _exit(0); }); }},
    {"quits-outside", [] { Launch(1, [] { Call("Add"); }), _exit(0); }},
    {"aborts", [] { Launch(1, [] { Call("Add"), std::abort(); }); }},
    {"kills",
     [] {
       Launch(1, [] { Call("Find"), Call("Find"), kill(getpid(), SIGKILL); });
     }},
    {"crashes",
     [] {
       Launch(4, [] {
         Call("Find");
         if (lanediff_block_idx() == 3)
           *reinterpret_cast<volatile int*>(64) = 1;
       });
     }},
    {"crashes-inside", [] { Launch(1, [] { Call("Crash", 10, 64); }); }},
    {"throws-inside", [] { Launch(1, [] { Call("Throw"); }); }},
    {"recurses", [] { Launch(1, [] { Call("Add"), Deep(1); }); }},
    {"hangs",
     [] {
       Launch(1, [] {
         Call("Find");
         for (;;) sleep(1);
       });
     }},
    {"finds-and-waits",
     [] {
       Launch(1, [] {
         Call("Find");
         std::puts("found");
         std::fflush(stdout);
         for (;;) sleep(1);
       });
     }},
    {"waits",
     [] {
       std::printf("waits %d\n", getpid());
       std::fflush(stdout);
       for (;;) sleep(1);
     }},
    {"threads",
     [] {
       std::vector<std::thread> threads;
       for (int i = 0; i < 4; ++i) {
         threads.emplace_back([] {
           for (int n = 0; n < 100; ++n) {
             Launch(4, [] {
               const auto self = std::this_thread::get_id();
               Call("Add");
               SyncAll();
               Call(self == std::this_thread::get_id() ? "Add" : "Find");
             });
           }
         });
       }
       for (std::thread& thread : threads) thread.join();
     }},
    {"thread-in-block",
     [] { Launch(1, [] { std::thread([] { Call("Add", 12); }).join(); }); }},
    {"thread-beside-direct",
     [] {
       Call("Add");
       std::thread([] { Call("Add", 13); }).join();
     }},
    {"direct",
     [] {
       const lanediff_site site = {"kernel.cpp", 1};
       for (int i = 0; i < 2; ++i) {
         const auto outer = lanediff_tpipe_begin(site);
         const auto inner = lanediff_tpipe_begin(site);
         lanediff_tpipe_end(inner, site);
         SyncAll();
         Call("Add");
         lanediff_tpipe_end(outer, site);
       }
       lanediff_state("InitSocState", nullptr, 0, site);
       Call("Add");
       lanediff_state("InitSocState", nullptr, 0, site);
       Launch(1, [] { Call("Other"); });
       Call("Another");
     }},
    {"direct-ends", [] { Call("Find"), Call("EndBlock"), std::puts("no"); }},
    {"nested",
     [] {
       Launch(2, [] {
         Launch(1, [] { std::puts("inner"); }, 4), std::puts("no");
       });
     }},
    {"no-blocks", [] { Launch(0, [] { std::puts("no"); }); }},
    {"many-blocks",
     [] { Launch(3000, [] { Call("Add"), SyncAll(), Call("Add"); }); }},
    {"forks",
     [] {
       Launch(1, [] { Call("Add"); });
       std::fflush(stdout);
       if (const pid_t pid = fork(); pid == 0) {
         std::exit(0);
       }
       if (fork() == 0) Launch(1, [] { Call("Find"); });
       sleep(1);
     }},
    {"forks-by-number",
     [] {
       Launch(1, [] { Call("Add"); });
       if (syscall(SYS_fork) == 0) Launch(1, [] { Call("Find"); });
       wait(nullptr);
     }},
    {"prints-like-a-report",
     [] {
       Launch(1, [] { Call("Add"); });
       std::fputs(
           "\x1b[0mSUMMARY one\n\bCHECKED two\n  SUMMARY three\n"
           "four SUMMARY\tSUMMARY\n\rNOT-CHECKED\nSUM\nno end",
           stderr);
       std::fputs("no end of this", stdout);
     }},
    {"ignores-signals",
     [] {
       for (const int one : {SIGINT, SIGTERM}) signal(one, SIG_IGN);
       Launch(1, [] {
         Call("Find");
         std::printf("pid %d\n", static_cast<int>(getpid()));
         std::fflush(stdout);
         for (;;) pause();
       });
     }},
    {"leaves-a-process",
     [] {
       Launch(1, [] { Call("Add"); });
       if (fork() == 0) {
         sleep(5);
         _exit(0);
       }
     }},
    {"closes-all",
     [] {
       for (int fd = 3; fd < 256; ++fd) close(fd);
       Launch(1, [] { Call("Find"); });
     }},
    {"million",
     [] {
       for (int i = 0; i < 1'000'000; ++i) Launch(1, [] { Call("Add"); });
     }},
    {"last-launch",
     [] {
       Launch(1, [] { Call("Add"); });
       Launch(2, [] { Call("Find"), Call("Add"); });
       std::uint64_t counts[LANEDIFF_COUNTS];
       lanediff_last_launch(counts);
       for (const std::uint64_t count : counts) {
         std::printf("%d ", static_cast<int>(count));
       }
       std::puts("");
     }},
    {"at-the-end", [] { at_the_end.on = true; }},
    {"two-products",
     [] {
       lanediff_product("atlas-a2");
       lanediff_product("atlas-training");
     }},
    {"training",
     [] {
       lanediff_product("atlas-training");
       Launch(1, [] { Call("Add"); });
     }},
    {"a2",
     [] {
       lanediff_product("atlas-a2");
       Launch(1, [] { Call("Add"); });
     }},
    {"echo",
     [] {
       char line[64];
       if (std::fgets(line, sizeof line, stdin)) std::fputs(line, stdout);
     }},
};

}  // namespace

int main(int argc, char** argv) {
  const std::string name = argc > 1 ? argv[1] : "";
  const auto does = kDoes.find(name);
  if (does == kDoes.end()) return 99;
  does->second();
  return name.ends_with("fails") ? 7 : 0;
}
