#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

#include "differential/memory/shared_arena.h"
#include "differential/subprocess/process.h"

namespace lanediff::diff {
namespace {

/// An order but for its strings, each of which ends with a zero: the program,
/// the words, the variables. Descriptors come with it.
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

/// Those of the order and, if there is one, what the process inherits.
using Descriptors = std::array<int, 6>;
/// Of these, those that are not the process's.
constexpr std::size_t kOwnDescriptors = 2;
/// The strings come in messages of at most so many bytes.
constexpr std::size_t kMostMessageBytes = std::size_t{1} << 16;

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
  return TEMP_FAILURE_RETRY(sendmsg(socket, &message, MSG_NOSIGNAL)) ==
         sizeof(head);
}

bool ReceiveHead(int socket, Head& head, Descriptors& descriptors) {
  Envelope envelope(head);
  msghdr& message = envelope.message;
  if (TEMP_FAILURE_RETRY(recvmsg(socket, &message, 0)) != sizeof(head)) {
    return false;
  }
  const cmsghdr* const first = CMSG_FIRSTHDR(&message);
  if (first == nullptr) return false;
  std::memcpy(descriptors.data(), CMSG_DATA(first),
              std::min(first->cmsg_len - CMSG_LEN(0), sizeof(descriptors)));
  return true;
}

// ---- The fork server itself -------------------------------------------------

/// The next `count` strings at `at`, which is behind them then.
std::vector<std::string> Strings(const char*& at, std::size_t count) {
  std::vector<std::string> strings;
  for (; count > 0; --count) {
    strings.emplace_back(at);
    at += strings.back().size() + 1;
  }
  return strings;
}

/// Takes an order, if there is one more, and forks a supervisor; what it
/// answers is its process, or why there is none, negative.
bool Serve(int socket) {
  Head head;
  Descriptors descriptors{};
  if (!ReceiveHead(socket, head, descriptors)) return false;
  std::string text(head.text_bytes, '\0');
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t n = TEMP_FAILURE_RETRY(
        read(socket, text.data() + done, text.size() - done));
    if (n <= 0) return false;
    done += static_cast<std::size_t>(n);
  }
  const char* at = text.data();
  Spawn spawn{.confined = true};
  spawn.program = Strings(at, 1).front();
  spawn.words = Strings(at, head.words);
  spawn.environment = Strings(at, head.variables);
  spawn.descriptors.assign(descriptors.begin() + kOwnDescriptors,
                           descriptors.begin() + head.descriptors);
  if (head.instead != nullptr) {
    spawn.work = [&] {
      return head.instead(spawn.words.front().c_str(), head.number);
    };
  }
  const pid_t supervisor = _Fork();  // without what a library has registered
  if (supervisor == 0) {
    KeepProcess({.control = descriptors[0],
                 .errors = descriptors[1],
                 .most_memory_bytes = head.most_memory_bytes,
                 .end_flag = head.end_flag},
                spawn);
  }
  const std::int32_t answer = supervisor < 0 ? -errno : supervisor;
  for (std::size_t i = 0; i < head.descriptors; ++i) close(descriptors[i]);
  return send(socket, &answer, sizeof(answer), MSG_NOSIGNAL) == sizeof(answer);
}

int RunForkServer(int socket) {
  setpgid(0, 0);
  for (const int s : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGPIPE}) {
    signal(s, SIG_IGN);
  }
  const int nothing = open("/dev/null", O_RDWR);
  for (int fd = 0; fd < 3; ++fd) {
    if (fd != socket) dup2(nothing, fd);
  }
  CloseAllBut(3, {socket});
  signal(SIGCHLD, SIG_IGN);  // no parent waits for a supervisor
  while (Serve(socket)) {
  }
  return 0;
}

// ---- Those who order --------------------------------------------------------

struct ForkServer {
  int socket;
  bool has_arena;
  Process process;
};

std::mutex& OrderLock() {
  static auto* const lock = new std::mutex;
  return *lock;
}

std::optional<ForkServer>& TheForkServer() {
  static auto* const server = new std::optional<ForkServer>;
  return *server;
}

/// It has nothing to finish, and may have been stopped.
void EndLocked() {
  if (!TheForkServer()) return;
  close(TheForkServer()->socket);
  TheForkServer().reset();
}

/// Where there is none it begins one; false, with errno, where there can't be.
bool BeginLocked() {
  if (TheForkServer()) return true;
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    return false;
  }
  const bool has_arena = SharedArena::There() != nullptr;
  const SharedArena::ShareInFork share;
  // Not as a group: a supervisor that was just forked is in it, too.
  auto started = Process::Start(
      {.work = [&] { return RunForkServer(ends[1]); }, .end_signal = 0});
  close(ends[1]);
  if (!started) {
    close(ends[0]);
    errno = started.error().value();
    return false;
  }
  TheForkServer().emplace(ends[0], has_arena, *std::move(started));
  static const int at_exit = std::atexit(EndForkServer);
  return at_exit == 0;
}

pid_t OrderAt(const ForkServer& server, const ProcessPlan& plan,
              const OrderDescriptors& ends) {
  const int socket = server.socket;
  std::string text = plan.program + '\0';
  for (const auto* list : {&plan.words, &plan.environment}) {
    for (const std::string& word : *list) text += word + '\0';
  }
  Descriptors descriptors{};
  std::ranges::copy(ends, descriptors.begin());
  descriptors.back() = plan.inherited;
  Head head{.text_bytes = text.size(),
            .words = static_cast<std::uint32_t>(plan.words.size()),
            .variables = static_cast<std::uint32_t>(plan.environment.size()),
            .instead = plan.instead,
            .number = plan.number,
            .most_memory_bytes = TheOutsideOptions().most_memory_bytes,
            .end_flag = plan.end_flag,
            .descriptors = plan.inherited < 0 ? 5u : 6u};
  std::int32_t answer = 0;
  bool sent = SendHead(socket, head, descriptors);
  for (std::string_view rest = text; sent && !rest.empty();) {
    const std::string_view part = rest.substr(0, kMostMessageBytes);
    sent = TEMP_FAILURE_RETRY(
               send(socket, part.data(), part.size(), MSG_NOSIGNAL)) >= 0;
    rest.remove_prefix(part.size());
  }
  constexpr int kPeriodMilliseconds = 100;
  pollfd ready{.fd = socket, .events = POLLIN, .revents = 0};
  while (sent && poll(&ready, 1, kPeriodMilliseconds) == 0) {
    ResumeIfStopped(server.process.pid());  // a program may have stopped it
  }
  if (!sent || TEMP_FAILURE_RETRY(read(socket, &answer, sizeof(answer))) !=
                   sizeof(answer)) {
    errno = ECHILD;
    return -1;
  }
  if (answer > 0) return answer;
  errno = -answer;
  return -1;
}

}  // namespace

pid_t OrderProcess(const ProcessPlan& plan, const OrderDescriptors& ends) {
  const std::lock_guard lock(OrderLock());
  // One that was begun before there was an arena doesn't see it.
  const bool needs_arena = plan.end_flag != nullptr;
  if (needs_arena && TheForkServer() && !TheForkServer()->has_arena) {
    EndLocked();
  }
  pid_t started = -1;
  for (int attempt = 0; attempt < 2; ++attempt) {
    if (!BeginLocked()) return -1;
    started = OrderAt(*TheForkServer(), plan, ends);
    if (started > 0 || errno != ECHILD) return started;
    EndLocked();  // another process has ended it
  }
  return -1;
}

void EndForkServer() {
  const std::lock_guard lock(OrderLock());
  EndLocked();
}

void ForgetForkServer() {
  if (!TheForkServer()) return;
  TheForkServer()->process.Release();
  EndLocked();
}

}  // namespace lanediff::diff
