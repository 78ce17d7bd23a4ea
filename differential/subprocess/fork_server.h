#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

/// Where the processes of targets come from.
///
/// A fork of lanediff costs what lanediff has in memory: its pages' tables are
/// copied, and each page that it writes to afterwards is. So there is a process
/// that was forked once, before the first target ran, when there was
/// little; it forks what is wanted from then on. A fork of lanediff, as an
/// audit makes them, has one of its own.
namespace lanediff::diff {

/// What is run in the place of a program: in a fork of the fork server.
using InsteadOfProgram = int (*)(const char* text, std::uint64_t number);

/// A supervisor and its process, as they are ordered.
struct ForkServerRequest {
  std::string program;
  std::vector<std::string> words;
  std::vector<std::string> environment;
  InsteadOfProgram instead = nullptr;  ///< of the program, with words[0]
  std::uint64_t number = 0;
  std::uint64_t most_memory_bytes = 0;
  /// In the shared arena, or null.
  void* end_flag = nullptr;
  // Descriptors of the caller's, who keeps them.
  int control = -1;
  int errors_read = -1;
  int input = -1;
  int output = -1;
  int errors_write = -1;
  int inherited = -1;  ///< none below 0
  /// It needs the shared arena, as everything with `end_flag` does.
  bool needs_arena = false;
  /// The other end of where another fork server takes orders, of one thread;
  /// below 0, or where that one is no more, it is the common one.
  int fork_server = -1;
};

/// The supervisor's process; -1, with errno, if no process can be had. Any
/// number of threads.
pid_t OrderProcess(const ForkServerRequest& order);

/// Is a fork server: takes orders over `socket` until it is closed.
void ServeOrders(int socket);

/// Ends the fork server, which is unused once all processes have ended. The
/// next order begins another one.
void EndForkServer();

/// In a fork of this process: it is another one's.
void ForgetForkServer();

}  // namespace lanediff::diff
