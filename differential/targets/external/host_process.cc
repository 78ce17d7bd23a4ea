#include "differential/targets/external/host_process.h"

#include <fmt/format.h>
#include <malloc.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <optional>
#include <string_view>
#include <utility>

#include "differential/memory/shared_arena.h"
#include "differential/subprocess/process.h"
#include "differential/targets/external/outside_target.h"
#include "differential/targets/external/target_coverage.h"
#include "differential/testcase/case_reader.h"
#include "differential/testcase/json.h"
#include "isa/vocabulary.h"

namespace lanediff::diff {
namespace {

/// The words of a library's string table that begin so are libraries it needs:
/// the name is looked for in the text, which is good enough to preload it.
std::string NeededRuntime(const std::string& path) {
  const std::string text = ReadFile(path, std::string::npos - 1).value_or("");
  for (const std::string_view begin :
       {"libasan.so", "libclang_rt.asan", "libtsan.so", "libubsan.so",
        "libclang_rt.ubsan"}) {
    const std::size_t at = text.find(begin);
    if (at == std::string::npos) continue;
    return text.substr(at, text.find('\0', at) - at);
  }
  return "";
}

/// The same, looked up once for each library.
const std::string& RuntimeOf(const std::string& path) {
  static std::mutex mutex;
  static auto* const known = new std::map<std::string, std::string>;
  const std::lock_guard lock(mutex);
  const auto found = known->find(path);
  if (found != known->end()) return found->second;
  return known->emplace(path, NeededRuntime(path)).first->second;
}

/// The variables for a process that loads the library at `path`: ours, and
/// where it was built with a sanitizer, that runtime, and that a report ends
/// the process, unless set otherwise.
std::vector<std::string> EnvironmentFor(const std::string& path) {
  const std::string& runtime = RuntimeOf(path);
  if (runtime.empty()) return OwnEnvironment();
  std::vector<std::string> changed = {"LD_PRELOAD=" + runtime};
  const auto set_default = [&](const std::string& name, const char* value) {
    if (std::getenv(name.c_str()) == nullptr) {
      changed.push_back(name + "=" + value);
    }
  };
  // Leaks of the host are not the plugin's; the legend would take the place
  // of the report.
  set_default("ASAN_OPTIONS", "detect_leaks=0:print_legend=0");
  // Going on after a report, no process would read the report.
  set_default("UBSAN_OPTIONS",
              "halt_on_error=1:print_stacktrace=1:print_summary=1:"
              "report_error_type=1");
  return EnvironmentWith(std::move(changed));
}

TargetCoverage* watched = nullptr;

using Kind = NoOutcome::Kind;

constexpr int kSliceMilliseconds = 200;

bool program_hosts = false;
/// Hosts every plugin; empty where this program does.
std::string host_program;

/// The program to start for the plugin at `path`; empty for a fork of this one.
std::string ProgramFor(const std::string& path) {
  if (!host_program.empty()) return host_program;
  // The runtime of a sanitizer must be there before the library.
  return program_hosts && !RuntimeOf(path).empty() ? "/proc/self/exe" : "";
}

std::uint64_t WatchedCoverageAt(const SharedArena& arena) {
  const TargetCoverage* const coverage = WatchedCoverage();
  return coverage == nullptr ? kNoCoverage : arena.OffsetOf(coverage);
}

bool OneProcessor() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_COUNT(&set) == 1;
}

int HostInForkServer(const char* path, std::uint64_t block_offset) {
  // What the plugin writes disconnected must not be seen by anybody.
  const SharedArena& all = *SharedArena::There();
  munmap(all.first(), all.size());
  malloc_trim(0);  // what is there takes time in each fork
  return HostPlugin(path, 3, block_offset);
}

}  // namespace

TargetCoverage* WatchTargetCoverage() {
  if (watched != nullptr) return watched;
  SharedArena* const arena = SharedArena::Enable();
  void* const place =
      arena == nullptr ? nullptr : arena->Allocate(sizeof(TargetCoverage));
  if (place != nullptr) watched = new (place) TargetCoverage;
  return watched;
}

TargetCoverage* WatchedCoverage() { return watched; }

void SetProgramHostsPlugins() { program_hosts = true; }

void SetPluginHost(std::string program) { host_program = std::move(program); }

std::expected<std::unique_ptr<HostProcess>, NoOutcome> HostProcess::Begin(
    const std::string& path) {
  SharedArena* const arena = SharedArena::Enable();
  void* const place =
      arena == nullptr ? nullptr : arena->Allocate(sizeof(HostBlock));
  if (place == nullptr) {
    return std::unexpected(Failure(Kind::kUnknown, "no memory can be shared"));
  }
  std::unique_ptr<HostProcess> host(new HostProcess);
  host->block_ = new (place) HostBlock;
  host->block_->one_processor = OneProcessor();
  host->block_->coverage_at = WatchedCoverageAt(*arena);
  const std::size_t offset = arena->OffsetOf(place);
  ProcessPlan plan;
  plan.inherited = arena->file();
  plan.piped = false;
  plan.end_flag = &host->block_->state.value;
  plan.program = ProgramFor(path);
  if (!plan.program.empty()) {
    plan.words = {"lanediff", "--plugin-host", std::to_string(kHostLayout),
                  std::to_string(offset), path};
    plan.environment = EnvironmentFor(path);
  } else {
    plan.words = {path};
    plan.number = offset;
    plan.instead = HostInForkServer;
  }
  auto process = OutsideProcess::Start(plan);
  if (!process) {
    return std::unexpected(Failure(Kind::kUnknown, process.error()));
  }
  host->process_ = std::move(*process);
  return host;
}

HostProcess::~HostProcess() {
  if (process_ == nullptr || process_->ForeignHere()) return;
  process_->Kill();
  SharedArena::There()->Free(block_, sizeof(HostBlock));
}

std::expected<void, NoOutcome> HostProcess::Hear() {
  const std::uint32_t state = Await(kHostStarting);
  if (state == kHostStarting) {
    return std::unexpected(Late("it was not loaded"));
  }
  const bool refused = block_->calls[0].broken != 0;
  const auto lines = Lines(block_->calls[0]);
  if (refused && !lines.empty()) {
    const std::string why(lines.front());
    broken_ = true;
    process_->Kill();
    return std::unexpected(Failure(Kind::kUnknown, why));
  }
  if (state == kHostDead) {
    broken_ = true;
    const ProcessEnd end = process_->Wait();
    return std::unexpected(Failure(
        Kind::kCrash, fmt::format("it {} while it was loaded", end.Text()),
        end.error_tail));
  }
  if (lines.size() < 3) {
    return std::unexpected(
        Broke("its name, version and capabilities can't be read"));
  }
  self_.name = lines[0];
  self_.version = lines[1];
  self_.plugin_flags = block_->plugin_flags;
  if (lines[2].empty()) return {};
  if (const auto read = ReadCapabilities(lines[2], self_); !read) {
    return std::unexpected(Broke(fmt::format(
        "its capabilities can't be read: {}", LineOf(read.error()))));
  }
  return {};
}

std::vector<std::string_view> HostProcess::Lines(const HostCall& call) {
  const std::size_t bytes =
      std::min<std::size_t>(call.text_bytes, call.text.size());
  std::string_view text(call.text.data(), bytes);
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return lines;
}

/// Sends the request; false where the process has died.
bool HostProcess::Request() {
  std::uint32_t expected = block_->state.value;
  if (expected == kHostDead ||
      !block_->state.value.compare_exchange_strong(expected, kHostRequested)) {
    return false;
  }
  ++block_->bell.value;
  block_->bell.Wake();
  return true;
}

/// What the state becomes; `state` where it stays so for too long.
std::uint32_t HostProcess::Await(std::uint32_t state) {
  bool spins = block_->one_processor == 0;
  std::optional<std::chrono::steady_clock::time_point> deadline;
  while (block_->state.value == state) {
    block_->state.Await(state, std::exchange(spins, false), kSliceMilliseconds);
    if (block_->state.value != state) break;
    if (!deadline) deadline = AnswerDeadline();
    if (std::chrono::steady_clock::now() >= *deadline) return state;
  }
  return block_->state.value;
}

std::expected<void, NoOutcome> HostProcess::Call() {
  const std::uint32_t state = Request() ? Await(kHostRequested) : kHostDead;
  if (state == kHostAnswered) return {};
  if (state == kHostDead) return std::unexpected(Ended());
  if (state == kHostRequested) {
    return std::unexpected(Late("it gave no answer"));
  }
  return std::unexpected(Broke("it wrote over lanediff's own words"));
}

std::expected<void, NoOutcome> HostProcess::Fork() {
  block_->command = HostCommand::kFork;
  auto answered = Call();
  forked_ = answered && block_->calls[0].broken == 0;
  return answered;
}

bool HostProcess::EndFork() {
  if (!std::exchange(forked_, false)) return false;
  block_->command = HostCommand::kEndFork;
  return Request() && Await(kHostRequested) == kHostAnswered;
}

NoOutcome HostProcess::Ended() {
  broken_ = true;
  const ProcessEnd end = process_->Wait();
  return Failure(Kind::kCrash, fmt::format("it {}{}", end.Text(), FaultText()),
                 end.error_tail);
}

/// Where it touched what it may not, if it did.
std::string HostProcess::FaultText() const {
  if (block_->faulted == 0) return "";
  constexpr std::uint64_t kNear = 4096;
  const std::uint64_t at = block_->fault_at;
  for (std::size_t m = 0; m < LANEDIFF_MEMORIES; ++m) {
    const auto [place, size] = block_->seen[m];
    const auto first = reinterpret_cast<std::uint64_t>(place);
    const std::uint64_t bytes = (size + 4095) / 4096 * 4096;
    if (first == 0) continue;
    const auto name = isa::Name(static_cast<isa::Memory>(m));
    if (at < first && first - at <= kNear) {
      return fmt::format(": it touched byte {} before {}", first - at, name);
    }
    if (at >= first + bytes && at - first - bytes < kNear) {
      return fmt::format(": it touched byte {} of {}, which has {}", at - first,
                         name, size);
    }
  }
  return fmt::format(": it touched address 0x{:x}", at);
}

NoOutcome HostProcess::Late(std::string_view what) {
  return Broke(
      fmt::format("{} within {} s", what, TheOutsideOptions().timeout_seconds),
      Kind::kTimeout);
}

std::uint32_t HostProcess::TakeSession() {
  // Those that wait to be closed are not free yet.
  const std::uint32_t taken = sessions_ | block_->closes;
  const auto session = static_cast<std::uint32_t>(std::countr_one(taken));
  if (session >= kHostSessions) return kHostSessions;
  sessions_ |= std::uint32_t{1} << session;
  return session;
}

void HostProcess::EndSession(std::uint32_t session, bool was_open) {
  if (session >= kHostSessions) return;
  sessions_ &= ~(std::uint32_t{1} << session);
  if (was_open) block_->closes |= std::uint32_t{1} << session;
}

void HostProcess::LetEnd() {
  block_->command = HostCommand::kQuit;
  // It may answer at this moment.
  while (!Request() && block_->state.value != kHostDead) {
  }
  process_->LetEnd(TheOutsideOptions().timeout_seconds);
}

}  // namespace lanediff::diff
