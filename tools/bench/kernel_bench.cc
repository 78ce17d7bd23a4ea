#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

#include "tools/bench/works.h"

// ---- Kernels that run on the host -------------------------------------------

namespace lanediff::bench {
namespace {

/// The program tools/bench/kernels/elementwise.cpp, sent a letter at a time,
/// so that neither its start nor its end is measured.
class Server {
 public:
  Server(const std::string& program, const std::string& call,
         const std::string& options) {
    int to[2];
    int from[2];
    if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0) return;
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, to[0], 0);
    posix_spawn_file_actions_adddup2(&actions, from[1], 1);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    std::vector<std::string> words = {
        "/usr/bin/env", "LANEDIFF_OPTIONS=" + options, program, call};
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    if (posix_spawn(&pid_, arguments[0], &actions, nullptr, arguments.data(),
                    environ) != 0) {
      pid_ = 0;
    }
    posix_spawn_file_actions_destroy(&actions);
    close(to[0]);
    close(from[1]);
    to_ = to[1];
    from_ = from[0];
  }
  ~Server() {
    close(to_);
    close(from_);
    if (pid_ > 0) waitpid(pid_, nullptr, 0);
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Sends a command; whether the program replied that all was well.
  bool Send(char letter) const {
    char answer = 'n';
    return write(to_, &letter, 1) == 1 && read(from_, &answer, 1) == 1 &&
           answer == 'y';
  }

 private:
  pid_t pid_ = 0;
  int to_ = -1;
  int from_ = -1;
};

}  // namespace

Prepared KernelBesideLoop(const Setting& setting, const char* call,
                          const char* options) {
  const std::string program = setting.targets + "/bench_kernels";
  if (access(program.c_str(), X_OK) != 0) {
    return {.skipped = "no program " + program};
  }
  const auto server = std::make_shared<Server>(program, call, options);
  Prepared prepared;
  prepared.work = [=] { server->Send('k'); };
  prepared.yardstick = [=] { server->Send('l'); };
  prepared.check = [=]() -> std::string {
    const bool well =
        server->Send('k') && server->Send('l') && server->Send('c');
    return well ? "" : fmt::format("{} of a kernel is not the loop's", call);
  };
  return prepared;
}

}  // namespace lanediff::bench
