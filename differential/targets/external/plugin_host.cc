// The side of a plugin: a process that runs nothing else.

#include <dlfcn.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iterator>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "differential/targets/external/host_block.h"
#include "differential/targets/external/target_coverage.h"
#include "isa/vocabulary.h"

namespace lanediff::diff {
namespace {

constexpr std::size_t kPage = 4096;
/// What stands behind a memory that does not fill its last page.
constexpr std::uint8_t kTail = 0xc5;

HostBlock* the_block = nullptr;  ///< for the signal handler

void NoteFault(int signal, siginfo_t* info, void*) {
  the_block->fault_at = reinterpret_cast<std::uint64_t>(info->si_addr);
  the_block->faulted = 1;
  ::signal(signal, SIG_DFL);  // once back, it happens again
}

/// Where no other handler does, as a sanitizer would.
void NoteFaults() {
  constexpr std::size_t kStackBytes = 65536;
  static char stack[kStackBytes];
  const stack_t other{.ss_sp = stack, .ss_flags = 0, .ss_size = kStackBytes};
  sigaltstack(&other, nullptr);
  for (const int signal : {SIGSEGV, SIGBUS}) {
    struct sigaction before{};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_DFL) continue;
    struct sigaction action{};
    action.sa_sigaction = NoteFault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(signal, &action, nullptr);
  }
}

/// Memories as the plugin sees them: mapped once, with a page on both sides
/// without access.
class Mappings {
 public:
  explicit Mappings(int file) : file_(file) {}

  std::uint8_t* Map(const HostMemory& memory) {
    if (memory.size == 0) return nullptr;
    const std::size_t bytes = (memory.size + kPage - 1) / kPage * kPage;
    const std::size_t end = (memory.offset + bytes) / kPage;
    if (there_.size() <= end) there_.resize(end + 1);
    if (there_[end] != nullptr) return there_[end];
    void* const fence =
        mmap(nullptr, bytes + 2 * kPage, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (fence == MAP_FAILED) return nullptr;
    auto* const place = static_cast<std::uint8_t*>(fence) + kPage;
    if (mmap(place, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
             file_, static_cast<off_t>(memory.offset)) == MAP_FAILED) {
      return nullptr;
    }
    return there_[end] = place;
  }

 private:
  int file_;
  /// By the number of the page behind: what ends there in the arena always
  /// begins at the same place.
  std::vector<std::uint8_t*> there_;
};

/// Bytes behind a memory up to the page without access.
std::span<std::uint8_t> TailOf(const lanediff_memory_view& memory) {
  return {memory.bytes + memory.size, (kPage - memory.size % kPage) % kPage};
}

/// True, but false in forks of this process; null where the system has no such
/// memory.
bool* WipedInForks() {
  void* const page = mmap(nullptr, kPage, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED || madvise(page, kPage, MADV_WIPEONFORK) != 0) {
    return nullptr;
  }
  return new (page) bool(true);
}

/// Whether this process is more than one thread.
bool HasThreads() {
  std::error_code error;
  std::filesystem::directory_iterator tasks("/proc/self/task", error);
  return error || std::distance(begin(tasks), end(tasks)) != 1;
}

struct Session {
  lanediff_machine machine{};
  void* handle = nullptr;
  bool open = false;
};

class Host {
 public:
  Host(HostBlock& block, int file)
      : block_(block), mappings_(file), coverage_(CoverageOf(block, file)) {
    if (coverage_ != nullptr) WatchPluginConstants(*coverage_);
  }

  int Run(const char* path) {
    ExpectPluginCounters();
    void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    LeaveIfForked();
    if (library == nullptr) return Refuse(dlerror());
    using Get = const lanediff_plugin* (*)();
    const auto get =
        reinterpret_cast<Get>(dlsym(library, "lanediff_plugin_get"));
    if (get == nullptr) {
      return Refuse("it exports no function lanediff_plugin_get");
    }
    plugin_ = get();
    LeaveIfForked();
    if (const char* const wrong = WhatIsWrong()) return Refuse(wrong);
    NoteFaults();
    constexpr std::size_t kEnd =
        offsetof(lanediff_plugin, flags) + sizeof(lanediff_plugin::flags);
    if (plugin_->struct_size >= kEnd) block_.plugin_flags = plugin_->flags;
    has_threads_ = HasThreads();
    // Three lines: the plugin's description of itself.
    for (const char* const word :
         {plugin_->name, plugin_->version, plugin_->capabilities}) {
      AddLine(word == nullptr ? "" : word);
    }
    Answer();
    while (Await()) {
    }
    return 0;
  }

 private:
  static TargetCoverage* CoverageOf(const HostBlock& block, int file) {
    if (block.coverage_at == kNoCoverage) return nullptr;
    void* const place =
        mmap(nullptr, sizeof(TargetCoverage), PROT_READ | PROT_WRITE,
             MAP_SHARED, file, static_cast<off_t>(block.coverage_at));
    return place == MAP_FAILED ? nullptr : static_cast<TargetCoverage*>(place);
  }

  const char* WhatIsWrong() const {
    if (plugin_ == nullptr) return "lanediff_plugin_get returns null";
    if (plugin_->abi_version != LANEDIFF_PLUGIN_ABI_VERSION) {
      return "its abi_version is not 1";
    }
    if (plugin_->struct_size < offsetof(lanediff_plugin, flags)) {
      return "its struct_size is too small for its functions";
    }
    if (plugin_->open == nullptr || plugin_->execute == nullptr ||
        plugin_->close == nullptr) {
      return "one of open, execute and close is null";
    }
    return nullptr;
  }

  int Refuse(const char* why) {
    AddLine(why == nullptr ? "it can't be loaded" : why);
    call_->broken = 1;
    Answer();
    return 1;
  }

  /// Waits for a request and obeys; false at the end.
  bool Await() {
    while (block_.bell.value == heard_) {
      block_.bell.Await(heard_, block_.one_processor == 0);
    }
    heard_ = block_.bell.value;
    Close(block_.closes);
    switch (block_.command) {
      case HostCommand::kExecute:
        ExecuteAll();
        break;
      case HostCommand::kFork:
        return Fork();
      default:
        Close(~std::uint32_t{0});
        if (!is_fork_) Answer();
        return false;
    }
    Answer();
    return true;
  }

  /// Has a fork take the requests; where there can't be one, the answer is
  /// broken. What becomes of the fork becomes of this process, too, unless it
  /// ends on request.
  bool Fork() {
    call_ = &block_.calls[0];
    ClearAnswer();
    signal(SIGCHLD, SIG_DFL);  // a library may have had it ignored
    const pid_t child = has_threads_ ? -1 : _Fork();
    if (child <= 0) {
      if (original_ != nullptr) *original_ = true;
      process_ = getpid();
      is_fork_ = child == 0;
      call_->broken = child < 0;
      Answer();
      return true;
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    heard_ = block_.bell.value;
    const HostCommand last = block_.command;
    const bool requested =
        last == HostCommand::kEndFork || last == HostCommand::kQuit;
    if (WIFSIGNALED(status)) {
      signal(WTERMSIG(status), SIG_DFL);
      raise(WTERMSIG(status));
    }
    if (!requested || status != 0) _exit(WEXITSTATUS(status));
    Answer();
    return last == HostCommand::kEndFork;
  }

  /// Each step in all calls, as long as they just execute it.
  void ExecuteAll() {
    const auto calls = std::span(block_.calls)
                           .first(std::min<std::size_t>(block_.call_count,
                                                        block_.calls.size()));
    const std::size_t steps =
        std::min<std::size_t>(block_.step_count, block_.steps.size());
    bool goes_on = true;
    for (std::uint32_t i = 0; goes_on && i < steps; ++i) {
      block_.step = i;
      for (HostCall& call : calls) {
        call_ = &call;
        ClearAnswer();
        Execute(block_.steps[i], i == 0 && call.opens != 0);
        const Session& session = sessions_[call.session % kHostSessions];
        if (session.open) CheckTails(session);
        if (coverage_ != nullptr) TakePluginCounters(*coverage_);
        if (call.broken != 0) return;
        goes_on =
            goes_on && call.status == LANEDIFF_EXECUTED && call.text_bytes == 0;
      }
    }
  }

  /// The plugin may have forked: only one of the two goes on.
  void LeaveIfForked() const {
    const bool forked =
        original_ != nullptr ? !*original_ : getpid() != process_;
    if (forked) _exit(0);
  }

  void ClearAnswer() {
    call_->status = LANEDIFF_ERROR;
    call_->broken = 0;
    call_->rules = 0;
    call_->notes = 0;
    call_->error = 0;
    call_->text_bytes = 0;
  }

  void Answer() {
    std::uint32_t state = block_.state.value;
    while (state != kHostDead &&
           !block_.state.value.compare_exchange_weak(state, kHostAnswered)) {
    }
    block_.state.Wake();
  }

  void Break(const char* what) {
    call_->broken = 1;
    call_->text_bytes = 0;
    AddLine(what);
  }

  bool AddLine(const char* text) {
    const std::size_t bytes = std::strlen(text);
    const std::size_t space = call_->text.size() - call_->text_bytes;
    const std::size_t taken = std::min(bytes, space > 0 ? space - 1 : 0);
    if (space == 0) return false;
    char* const to = call_->text.data() + call_->text_bytes;
    std::memcpy(to, text, taken);
    std::replace(to, to + taken, '\n', ' ');
    to[taken] = '\n';
    call_->text_bytes += static_cast<std::uint32_t>(taken + 1);
    return taken == bytes;
  }

  void Close(std::uint32_t which) {
    for (std::uint32_t i = 0; i < kHostSessions; ++i) {
      if ((which >> i & 1) == 0 || !sessions_[i].open) continue;
      sessions_[i].open = false;
      plugin_->close(sessions_[i].handle);
      LeaveIfForked();
    }
  }

  bool Open(Session& session) {
    session.machine.struct_size = sizeof(lanediff_machine);
    session.machine.product = call_->product;
    session.machine.edition = call_->edition;
    for (int m = 0; m < LANEDIFF_MEMORIES; ++m) {
      const HostMemory& memory = call_->memory[m];
      session.machine.memory[m] = {mappings_.Map(memory), memory.size};
      if (memory.size > 0 && session.machine.memory[m].bytes == nullptr) {
        Break("a memory can't be mapped");
        return false;
      }
    }
    for (const auto& memory : session.machine.memory) {
      const auto tail = TailOf(memory);
      std::memset(tail.data(), kTail, tail.size());
    }
    NoteMemories(session);
    session.handle = plugin_->open(&session.machine);
    LeaveIfForked();
    session.open = session.handle != nullptr;
    if (!session.open) Break("open returned null");
    return session.open;
  }

  void NoteMemories(const Session& session) {
    std::ranges::copy(session.machine.memory, block_.seen.begin());
  }

  void CheckTails(const Session& session) {
    for (int m = 0; m < LANEDIFF_MEMORIES; ++m) {
      const auto tail = TailOf(session.machine.memory[m]);
      // All others are equal to the one before.
      if (tail.empty() ||
          (tail[0] == kTail &&
           std::memcmp(&tail[0], &tail[0] + 1, tail.size() - 1) == 0)) {
        continue;
      }
      Break(fmt::format("it wrote behind the last byte of {}",
                        isa::Name(static_cast<isa::Memory>(m)))
                .c_str());
    }
  }

  void Execute(const lanediff_step& step, bool opens) {
    Session& session = sessions_[call_->session % kHostSessions];
    try {
      if (opens && !Open(session)) return;
      NoteMemories(session);
      lanediff_answer answer{};
      answer.struct_size = sizeof(answer);
      const lanediff_status status =
          plugin_->execute(session.handle, &step, &answer);
      LeaveIfForked();
      call_->status = static_cast<std::uint32_t>(status);
      Take(answer);
    } catch (const std::exception& error) {
      LeaveIfForked();
      Break(error.what());
      call_->broken = 2;
    } catch (...) {
      LeaveIfForked();
      Break("something that is no std::exception");
      call_->broken = 2;
    }
  }

  void Take(const lanediff_answer& answer) {
    call_->rules = AddLines(answer.rules, answer.rule_count);
    call_->notes = AddLines(answer.notes, answer.note_count);
    call_->error = answer.error != nullptr;
    if (answer.error != nullptr) AddLine(answer.error);
  }

  std::uint32_t AddLines(const char* const* lines, std::uint64_t count) {
    std::uint32_t added = 0;
    for (std::uint64_t i = 0; lines != nullptr && i < count; ++i) {
      if (lines[i] == nullptr || !AddLine(lines[i])) break;
      ++added;
    }
    return added;
  }

  HostBlock& block_;
  HostCall* call_ = &block_.calls[0];  ///< under way
  Mappings mappings_;
  TargetCoverage* const coverage_;  ///< null where it is not measured
  const lanediff_plugin* plugin_ = nullptr;
  /// False in a fork that the plugin has made.
  volatile bool* const original_ = WipedInForks();
  pid_t process_ = getpid();  ///< for where there is none
  bool has_threads_ = false;  ///< once the library is loaded
  bool is_fork_ = false;
  std::uint32_t heard_ = 0;
  Session sessions_[kHostSessions];
};

}  // namespace

int HostPlugin(const char* path, int file, std::size_t block_offset) {
  void* const place = mmap(nullptr, sizeof(HostBlock), PROT_READ | PROT_WRITE,
                           MAP_SHARED, file, static_cast<off_t>(block_offset));
  if (place == MAP_FAILED) return 71;
  the_block = static_cast<HostBlock*>(place);
  setvbuf(stdout, nullptr, _IONBF, 0);
  return Host(*the_block, file).Run(path);
}

}  // namespace lanediff::diff
