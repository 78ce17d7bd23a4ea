#include "differential/targets/external/warm_plugin.h"

#include <dlfcn.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <filesystem>
#include <iterator>
#include <utility>

#include "differential/memory/shared_arena.h"
#include "differential/subprocess/fork_server.h"
#include "differential/subprocess/options.h"

namespace lanediff::diff {
namespace {

namespace fs = std::filesystem;

constexpr int kSocket = 3;

void* the_library = nullptr;

/// Whether this process is more than one thread.
bool HasThreads() {
  std::error_code error;
  fs::directory_iterator tasks("/proc/self/task", error);
  return error || std::distance(begin(tasks), end(tasks)) != 1;
}

/// Loads the library at `path` and takes orders from then on.
int ServeWithLibrary(const char* path, std::uint64_t) {
  // What it writes outside its memory must not be visible: the supervisors
  // store there that their processes have ended.
  const SharedArena& arena = *SharedArena::There();
  mprotect(arena.first(), arena.size(), PROT_NONE);
  the_library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (the_library == nullptr || HasThreads()) return 1;
  mprotect(arena.first(), arena.size(), PROT_READ | PROT_WRITE);
  ServeOrders(kSocket);
  return 0;
}

}  // namespace

std::unique_ptr<WarmPlugin> WarmPlugin::Start(const std::string& path) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return nullptr;
  }
  const auto most = static_cast<time_t>(TheOutsideOptions().timeout_seconds);
  const timeval patience{.tv_sec = most + 1, .tv_usec = 0};
  setsockopt(ends[0], SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
  ProcessPlan plan;
  plan.words = {path};
  plan.inherited = ends[1];
  plan.instead = ServeWithLibrary;
  plan.needs_arena = true;
  plan.piped = false;
  auto process = OutsideProcess::Start(plan);
  close(ends[1]);
  if (!process) {
    close(ends[0]);
    return nullptr;
  }
  std::unique_ptr<WarmPlugin> warm(new WarmPlugin);
  warm->socket_ = ends[0];
  warm->process_ = std::move(*process);
  return warm;
}

WarmPlugin::~WarmPlugin() { close(socket_); }

void* WarmPlugin::Library() { return the_library; }

}  // namespace lanediff::diff
