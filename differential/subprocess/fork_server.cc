#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <utility>

#include "differential/memory/shared_arena.h"
#include "differential/subprocess/process.h"
#include "differential/testcase/resume.h"

namespace lanediff::diff {
namespace {

/// What goes before the strings of an order, each of which ends with a zero:
/// the program, the words, the variables. Descriptors come with it.
struct Head {
  std::uint64_t text_bytes = 0;
  std::uint32_t words = 0;
  std::uint32_t variables = 0;
  InsteadOfProgram instead = nullptr;
  std::uint64_t number = 0;
  std::uint64_t most_memory_bytes = 0;
  std::atomic<std::uint32_t>* end_flag = nullptr;
  std::uint32_t descriptors = 0;
};

/// `control`, `errors_read`, then what the process has as 0 to 3: input,
/// output, errors and, if there is one, what it inherits.
using Descriptors = std::array<int, 6>;

/// `transfer(at, count)` sends or reads some of the bytes that are left.
template <class Byte, class Transfer>
bool TransferAll(Byte* at, std::size_t count, const Transfer& transfer) {
  while (count > 0) {
    const ssize_t n = transfer(at, count);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    count -= static_cast<std::size_t>(n);
  }
  return true;
}

bool SendAll(int socket, const void* bytes, std::size_t count) {
  return TransferAll(static_cast<const char*>(bytes), count,
                     [&](const char* at, std::size_t left) {
                       return send(socket, at, left, MSG_NOSIGNAL);
                     });
}

bool ReadAll(int socket, void* bytes, std::size_t count) {
  return TransferAll(
      static_cast<char*>(bytes), count,
      [&](char* at, std::size_t left) { return read(socket, at, left); });
}

/// A message with a head, and space for descriptors.
struct Envelope {
  explicit Envelope(Head& head) : part{&head, sizeof(head)} {
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control;
    message.msg_controllen = sizeof(control);
  }
  Envelope(const Envelope&) = delete;
  Envelope& operator=(const Envelope&) = delete;

  iovec part;
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(Descriptors))] = {};
  msghdr message{};
};

bool SendHead(int socket, Head& head, const Descriptors& descriptors) {
  Envelope envelope(head);
  msghdr& message = envelope.message;
  const std::size_t bytes = head.descriptors * sizeof(int);
  message.msg_controllen = CMSG_SPACE(bytes);
  cmsghdr* const first = CMSG_FIRSTHDR(&message);
  first->cmsg_level = SOL_SOCKET;
  first->cmsg_type = SCM_RIGHTS;
  first->cmsg_len = CMSG_LEN(bytes);
  std::memcpy(CMSG_DATA(first), descriptors.data(), bytes);
  ssize_t n = 0;
  while ((n = sendmsg(socket, &message, MSG_NOSIGNAL)) < 0 && errno == EINTR) {
  }
  return n == sizeof(head);
}

bool ReceiveHead(int socket, Head& head, Descriptors& descriptors) {
  Envelope envelope(head);
  msghdr& message = envelope.message;
  ssize_t n = 0;
  while ((n = recvmsg(socket, &message, MSG_WAITALL)) < 0 && errno == EINTR) {
  }
  if (n != sizeof(head)) return false;
  const cmsghdr* const first = CMSG_FIRSTHDR(&message);
  if (first == nullptr) return false;
  std::memcpy(descriptors.data(), CMSG_DATA(first),
              std::min(first->cmsg_len - CMSG_LEN(0), sizeof(descriptors)));
  return true;
}

// ---- The fork server itself -------------------------------------------------

/// What a process of an order needs.
struct Birth {
  Head head;
  Descriptors descriptors{};
  std::vector<char*> words;
  std::vector<char*> environment;
  char* program = nullptr;
};

void RunBirth(const void* argument) {
  const Birth& birth = *static_cast<const Birth*>(argument);
  int ends[4] = {};
  const std::size_t count = birth.head.descriptors - 2;
  for (std::size_t to = 0; to < count; ++to) {
    // Out of the way of 0 to 3.
    ends[to] = fcntl(birth.descriptors[to + 2], F_DUPFD, 10);
  }
  for (std::size_t to = 0; to < count; ++to) {
    dup2(ends[to], static_cast<int>(to));
  }
  const int keep[1] = {3};
  CloseAllBut(3, keep, count == 4 ? 1 : 0);
  if (birth.head.instead != nullptr) {
    _exit(birth.head.instead(birth.words.front(), birth.head.number));
  }
  execve(birth.program, birth.words.data(), birth.environment.data());
  const char* const why = strerrordesc_np(errno);
  const char* const text = why == nullptr ? "it can't be run" : why;
  if (write(2, text, std::strlen(text)) < 0) _exit(126);
}

/// `count` strings from `at` on, and a null behind them.
std::vector<char*> Strings(char*& at, std::size_t count) {
  std::vector<char*> strings;
  for (; count > 0; --count) {
    strings.push_back(at);
    at += std::strlen(at) + 1;
  }
  strings.push_back(nullptr);
  return strings;
}

/// Takes an order, if there is one more, and forks a supervisor; what it
/// answers is its process, or why there is none, negative.
bool Serve(int socket) {
  Birth birth;
  if (!ReceiveHead(socket, birth.head, birth.descriptors)) return false;
  std::string text(birth.head.text_bytes, '\0');
  if (!ReadAll(socket, text.data(), text.size())) return false;
  char* at = text.data();
  birth.program = Strings(at, 1).front();
  birth.words = Strings(at, birth.head.words);
  birth.environment = Strings(at, birth.head.variables);
  const pid_t supervisor = _Fork();
  if (supervisor == 0) {
    KeepProcess({.control = birth.descriptors[0],
                 .errors = birth.descriptors[1],
                 .most_memory_bytes = birth.head.most_memory_bytes,
                 .end_flag = birth.head.end_flag,
                 .run = RunBirth,
                 .argument = &birth});
  }
  const std::int32_t answer = supervisor < 0 ? -errno : supervisor;
  for (std::size_t i = 0; i < birth.head.descriptors; ++i) {
    close(birth.descriptors[i]);
  }
  return SendAll(socket, &answer, sizeof(answer));
}

}  // namespace

void ServeOrders(int socket) {
  signal(SIGCHLD, SIG_IGN);  // no parent waits for a supervisor
  while (Serve(socket)) {
  }
}

namespace {

[[noreturn]] void RunForkServer(int socket) {
  setpgid(0, 0);
  for (const int s : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGPIPE}) {
    signal(s, SIG_IGN);
  }
  const int nothing = open("/dev/null", O_RDWR);
  for (int fd = 0; fd < 3; ++fd) {
    if (fd != socket) dup2(nothing, fd);
  }
  CloseAllBut(3, &socket, 1);
  ServeOrders(socket);
  _exit(0);
}

// ---- Those who order --------------------------------------------------------

struct ForkServer {
  int socket = -1;
  pid_t pid = -1;
  bool has_arena = false;
};

std::mutex& OrderLock() {
  static auto* const lock = new std::mutex;
  return *lock;
}

ForkServer the_fork_server;

void EndLocked() {
  const auto [socket, pid, has_arena] = the_fork_server;
  if (socket < 0) return;
  close(socket);
  the_fork_server.socket = -1;
  // It has nothing to finish, and may have been stopped.
  kill(pid, SIGKILL);
  while (waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
}

bool BeginLocked() {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return false;
  }
  const bool has_arena = SharedArena::There() != nullptr;
  pid_t pid = -1;
  {
    const SharedArena::ShareInFork share;
    pid = fork();
  }
  if (pid == 0) RunForkServer(ends[1]);
  const int why = errno;
  close(ends[1]);
  if (pid < 0) close(ends[0]);
  errno = why;
  if (pid < 0) return false;
  the_fork_server = {ends[0], pid, has_arena};
  static const int at_exit = std::atexit(EndForkServer);
  return at_exit == 0;
}

/// `pid` has the other end of `socket`, if known: a program may have stopped
/// it.
pid_t OrderAt(int socket, const ForkServerRequest& order, pid_t pid = 0) {
  const ProcessPlan& plan = order.plan;
  std::string text = plan.program + '\0';
  for (const auto* list : {&plan.words, &plan.environment}) {
    for (const std::string& word : *list) text += word + '\0';
  }
  const Descriptors descriptors = {order.control,      order.errors_read,
                                   order.input,        order.output,
                                   order.errors_write, plan.inherited};
  Head head{.text_bytes = text.size(),
            .words = static_cast<std::uint32_t>(plan.words.size()),
            .variables = static_cast<std::uint32_t>(plan.environment.size()),
            .instead = plan.instead,
            .number = plan.number,
            .most_memory_bytes = order.most_memory_bytes,
            .end_flag = plan.end_flag,
            .descriptors = plan.inherited < 0 ? 5u : 6u};
  std::int32_t answer = 0;
  const bool sent = SendHead(socket, head, descriptors) &&
                    SendAll(socket, text.data(), text.size());
  constexpr int kPeriodMilliseconds = 100;
  pollfd ready{.fd = socket, .events = POLLIN, .revents = 0};
  while (sent && pid > 0 && poll(&ready, 1, kPeriodMilliseconds) == 0) {
    ResumeIfStopped(pid);
  }
  if (!sent || !ReadAll(socket, &answer, sizeof(answer))) {
    errno = ECHILD;
    return -1;
  }
  if (answer > 0) return answer;
  errno = -answer;
  return -1;
}

}  // namespace

pid_t OrderProcess(const ForkServerRequest& order) {
  const ProcessPlan& plan = order.plan;
  pid_t started = plan.fork_server >= 0 ? OrderAt(plan.fork_server, order) : -1;
  if (started > 0) return started;
  const std::lock_guard lock(OrderLock());
  // One that was begun before there was an arena doesn't see it.
  const bool needs_arena = plan.needs_arena || plan.end_flag != nullptr;
  if (needs_arena && !the_fork_server.has_arena) EndLocked();
  if (the_fork_server.socket < 0 && !BeginLocked()) return -1;
  const auto order_here = [&] {
    return OrderAt(the_fork_server.socket, order, the_fork_server.pid);
  };
  started = order_here();
  if (started > 0 || errno != ECHILD) return started;
  EndLocked();  // another process has ended it
  return BeginLocked() ? order_here() : -1;
}

void EndForkServer() {
  const std::lock_guard lock(OrderLock());
  EndLocked();
}

void ForgetForkServer() {
  if (the_fork_server.socket >= 0) close(the_fork_server.socket);
  the_fork_server = {};
}

}  // namespace lanediff::diff
