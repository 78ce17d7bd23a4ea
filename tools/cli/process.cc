#include "tools/cli/process.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <string_view>
#include <thread>

#include "tools/cli/shard.h"

extern char** environ;

namespace lanediff::cli {
namespace {

std::vector<char*> Pointers(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// Ours without those that are given, and these.
std::vector<std::string> VariablesFor(const Process& process) {
  std::vector<std::string> variables = process.environment;
  const auto is_given = [&](std::string_view name) {
    return std::ranges::any_of(
        process.environment, [&](const std::string& given) {
          return std::string_view(given).substr(0, given.find('=')) == name;
        });
  };
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    const std::string_view name = text.substr(0, text.find('='));
    if (!is_given(name) && !IsShardVariable(name)) variables.emplace_back(text);
  }
  return variables;
}

/// Whom a signal reaches, as `kill` has it.
pid_t Reached(const Process& process) {
  return process.own_group ? -process.pid : process.pid;
}

}  // namespace

bool Start(Process& process) {
  std::vector<std::string> words = {process.program};
  words.insert(words.end(), process.arguments.begin(), process.arguments.end());
  std::vector<std::string> variables = VariablesFor(process);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, process.log.c_str(),
                                   O_WRONLY | O_CREAT | O_APPEND, 0666);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  if (process.own_group) {
    // In the background, reading from a terminal would stop it.
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null",
                                     O_RDONLY, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  }
  const int error =
      posix_spawn(&process.pid, process.program.c_str(), &actions, &attributes,
                  Pointers(words).data(), Pointers(variables).data());
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error == 0;
}

bool HasEnded(Process& process, int& status) {
  int wait_status = 0;
  if (waitpid(process.pid, &wait_status, WNOHANG) != process.pid) return false;
  status = WIFEXITED(wait_status) ? WEXITSTATUS(wait_status)
                                  : 128 + WTERMSIG(wait_status);
  return true;
}

void Stop(const Process& process) { kill(Reached(process), SIGINT); }

void Kill(const Process& process) { kill(Reached(process), SIGKILL); }

int RunToEnd(Process& process, double seconds) {
  using Clock = std::chrono::steady_clock;
  if (!Start(process)) return kNotStarted;
  const auto deadline = Clock::now() + std::chrono::duration<double>(seconds);
  int status = 0;
  while (!HasEnded(process, status)) {
    if (Clock::now() > deadline) {
      Kill(process);
      waitpid(process.pid, nullptr, 0);
      return kTimedOut;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return status;
}

}  // namespace lanediff::cli
