#include "kernel/launch/run.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <utility>

namespace lanediff::host {
namespace {

using kernel::End;
using kernel::Next;

/// The documents' range of blockDim.
constexpr std::int64_t kMostBlocks = 65535;

/// Whether this thread runs blocks of a launch.
thread_local bool in_block = false;

std::string* options_text = nullptr;
Channel* to_tell = nullptr;

/// 1 in the process of the program, 0 in every process that it forks, by
/// whatever call.
const volatile char* MakeForkMark() {
  constexpr std::size_t kBytes = 4096;
  void* const page = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  static char without = 1;
  if (page == MAP_FAILED || madvise(page, kBytes, MADV_WIPEONFORK) != 0) {
    return &without;
  }
  *static_cast<char*>(page) = 1;
  return static_cast<char*>(page);
}
const volatile char* fork_mark = nullptr;

bool Forked() { return *fork_mark == 0; }

constexpr int kCrashes[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
constexpr std::size_t kSignalStackBytes = std::size_t{256} << 10;

/// If the report hangs (a damaged heap), the process ends this soon.
constexpr unsigned kSeconds = 2;

void OnCrash(int number, siginfo_t* info, void*) {
  for (const int one : kCrashes) signal(one, SIG_DFL);
  signal(SIGALRM, SIG_DFL);
  alarm(kSeconds);
  Run::Of().Dying(number, number == SIGSEGV ? info->si_addr : nullptr);
  // Pending until this returns; then it ends the process.
  raise(number);
}

/// A process that the program forked executes no call; the run is not complete.
void ObjectToFork(const char* op, lanediff_site site) {
  if (!Forked()) return;
  to_tell->SetForkedCall(op, site);
  fmt::print(
      stderr,
      "lanediff: {}:{}: {} in a process that the program forked; call it "
      "in the one that main began in\n",
      site.file, site.line, op);
  _exit(3);
}

}  // namespace

void WatchCrashes() {
  struct sigaction action = {};
  action.sa_sigaction = &OnCrash;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  for (const int one : kCrashes) {
    struct sigaction before = {};
    sigaction(one, nullptr, &before);
    if (before.sa_handler == SIG_DFL) sigaction(one, &action, nullptr);
  }
}

/// Gives this thread a stack for signals, if it has none: the end of its own
/// may be what it met.
static void MakeSignalStack() {
  stack_t stack = {};
  sigaltstack(nullptr, &stack);
  if ((stack.ss_flags & SS_DISABLE) == 0) return;
  void* const memory = mmap(nullptr, kSignalStackBytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;
  stack = {.ss_sp = memory, .ss_flags = 0, .ss_size = kSignalStackBytes};
  sigaltstack(&stack, nullptr);
}

void Run::Begin(std::string options, Channel& channel) {
  options_text = new std::string(std::move(options));
  to_tell = &channel;
  fork_mark = MakeForkMark();
}

Run& Run::Of() {
  // It was read before, by the process that watches.
  static Run* const run =
      new Run(kernel::ReadOptionsText(*options_text).value(), *to_tell);
  return *run;
}

Run::Run(const kernel::RunOptions& options, Channel& channel)
    : channel_(channel),
      options_(options),
      writer_(channel, options.settings.show_stack) {}

void Run::Product(std::string_view name) {
  const std::lock_guard lock(mutex_);
  const auto compiled = isa::Parse<isa::Product>(name);
  if (!compiled) {
    Stop(End::How::kNotStarted,
         fmt::format("the program is compiled for {}, which is no product",
                     name));
  }
  if (compiled_ && *compiled_ != *compiled) {
    Stop(End::How::kNotStarted,
         fmt::format("files of the program are compiled for {} and for {}; "
                     "compile all of them for one",
                     isa::Name(*compiled_), isa::Name(*compiled)));
  }
  if (compiled_) return;
  compiled_ = compiled;
  const auto product = kernel::ProductOfRun(*compiled, options_.product);
  if (!product) Stop(End::How::kNotStarted, product.error());
  options_.settings.product = *product;
  writer_.Product(*product);
}

lanediff_site Run::Placed(lanediff_site site) const {
  if (site.file != nullptr) return site;
  const lanediff_site last = channel_.Last();
  return {last.file, -last.line};
}

Run::Turn::Turn(Run& r, const char* op, lanediff_site site) : run_(r) {
  ObjectToFork(op, site);
  if (!in_block) {
    if (r.launched_) r.Refuse(op, site);
    lock_ = std::unique_lock(r.mutex_);
    if (r.direct_ && r.direct_thread_ != std::this_thread::get_id()) {
      r.Refuse(op, site);
    }
    if (!r.direct_) {
      r.direct_ = true;
      r.direct_thread_ = std::this_thread::get_id();
      r.direct_tpipes_ = 0;
      r.direct_slot_ = nullptr;
      r.blocks_ = 1;
      r.BeginLaunch("a direct call", 1, site);
      r.block_ = r.channel_.page().block = 0;
      r.engine_->EnterBlock(0);
    }
  }
  // Destructors behind a throw don't hide where the program was.
  if (std::uncaught_exceptions() == 0) r.channel_.At(op, site);
  r.channel_.page().in_library = true;
}

Run::Turn::~Turn() {
  run_.channel_.SetCounts(run_.engine_->counts());
  run_.channel_.page().in_library = false;
}

void Run::Broken(const char* what) {
  channel_.page().in_library = false;
  writer_.Ended(End::How::kCrashed, fmt::format("lanediff itself failed: {}{}",
                                                what, channel_.Place()));
  std::fflush(nullptr);
  _exit(3);
}

void Run::ReportRefusal(const char* name, std::string why, lanediff_site site) {
  writer_.Refused({.name = name,
                   .why = std::move(why),
                   .site = {.file = site.file, .line = site.line, .call = 1},
                   .block = 0});
}

void Run::Refuse(const char* op, lanediff_site site) {
  ReportRefusal(op, "called by a thread that runs no block", site);
  writer_.Ended(End::How::kCrashed,
                fmt::format("a thread that runs no block calls {} at {}:{}", op,
                            site.file, site.line));
  std::fflush(nullptr);
  _exit(3);
}

void Run::After(Next next) {
  if (next == Next::kGoOn) return;
  channel_.SetCounts(engine_->counts());
  channel_.page().in_library = false;
  if (next == Next::kEndRun) {
    const std::uint64_t most = options_.settings.max_errors;
    Stop(End::How::kTooMany,
         fmt::format("stopped at {} findings (--max-errors {})", most, most));
  }
  if (in_block) fiber_->Leave();
  const std::string place = channel_.Place();
  EndDirect();
  Stop(End::How::kEnded,
       fmt::format("a direct call ends{}, and with it the program", place));
}

void Run::BeginLaunch(const char* kernel, std::int64_t blocks,
                      lanediff_site site) {
  if (engine_ == nullptr) {
    if (!compiled_ && options_.product) {
      options_.settings.product = *options_.product;
      writer_.Product(*options_.product);
    }
    engine_ = std::make_unique<kernel::Engine>(options_.settings, gm_, writer_);
  }
  before_ = engine_->counts();
  ++channel_.page().launch;
  engine_->BeginLaunch(kernel, blocks, site);
}

void Run::EndLaunch() {
  block_ = 0;
  blocks_ = 1;
  channel_.page().block = -1;
  engine_->EndLaunch();
  channel_.SetCounts(engine_->counts());
  // So that a program that is killed has a table, and many launches cost
  // little.
  if (std::has_single_bit(std::uint64_t(channel_.page().launch) + 1)) {
    writer_.Rows(engine_->sites());
  }
}

void Run::EndDirect() {
  if (!direct_) return;
  direct_ = false;
  EndLaunch();
}

void Run::Launch(const char* kernel, std::int64_t blocks, void (*body)(void*),
                 void* context, lanediff_site site) {
  if (in_block) {
    Step("a launch", site, [&](kernel::Engine& engine) {
      return engine.Refuse("a launch", "a kernel launches a kernel", site);
    });
    return;
  }
  ObjectToFork("a launch", site);
  MakeSignalStack();
  const std::lock_guard lock(mutex_);
  EndDirect();
  if (blocks < 1 || blocks > kMostBlocks) {
    return ReportRefusal(
        kernel,
        fmt::format("a launch of {} blocks; 1 to {} are allowed", blocks,
                    kMostBlocks),
        site);
  }
  try {
    const auto once = [&] {
      BeginLaunch(kernel, blocks, site);
      launched_ = true;
      in_block = true;
      blocks_ = blocks;
      RunBlocks(blocks, body, context);
      in_block = false;
      launched_ = false;
      EndLaunch();
    };
    gm_.Look();
    const auto before = options_.settings.poison_both ? gm_.Save() : nullptr;
    once();
    if (before == nullptr) return;
    const auto after = gm_.Save();
    gm_.SetPoison(++poison_);
    gm_.Restore(*before);
    engine_->SetPoison(static_cast<std::uint8_t>(0xa5 + poison_));
    once();
    gm_.Look();
    if (const auto bytes = gm_.DiffersFrom(*after)) {
      engine_->ReportPoison(kernel, bytes->begin, bytes->size(), site);
    }
  } catch (const std::exception& error) {
    Broken(error.what());
  }
}

void Run::RunBlocks(std::int64_t blocks, void (*body)(void*), void* context) {
  const auto enter = [this](std::int64_t block, Fiber& fiber) {
    block_ = channel_.page().block = block;
    fiber_ = &fiber;
    engine_->EnterBlock(block);
  };
  std::vector<std::pair<std::int64_t, std::unique_ptr<Fiber>>> waiting;
  // Whether the block goes on later; else its stack is free for another.
  const auto goes_on = [&](Fiber::How how, std::unique_ptr<Fiber>& fiber) {
    if (how == Fiber::How::kThrew) {
      Stop(End::How::kCrashed,
           fmt::format("threw {}{}", fiber->thrown(), channel_.Place()));
    }
    if (how == Fiber::How::kSuspended) return true;
    idle_.push_back(std::move(fiber));
    return false;
  };
  for (std::int64_t block = 0; block < blocks; ++block) {
    std::unique_ptr<Fiber> fiber;
    if (idle_.empty()) {
      fiber = Fiber::Make();
    } else {
      fiber = std::move(idle_.back());
      idle_.pop_back();
    }
    if (fiber == nullptr) {
      Stop(End::How::kCrashed,
           fmt::format("no memory for the stack of block {} of {}", block,
                       blocks));
    }
    fiber->slot = nullptr;
    enter(block, *fiber);
    const auto how = fiber->Start(body, context);
    if (goes_on(how, fiber)) waiting.emplace_back(block, std::move(fiber));
  }
  while (!waiting.empty()) {
    for (auto& [block, fiber] : waiting) {
      enter(block, *fiber);
      const auto how = fiber->Resume();
      (void)goes_on(how, fiber);
    }
    std::erase_if(waiting,
                  [](const auto& one) { return one.second == nullptr; });
  }
  fiber_ = nullptr;
}

void Run::SyncAll(const lanediff_tensor& gm, const lanediff_tensor& ub,
                  std::int64_t used_cores, lanediff_site site) {
  Step("SyncAll", site, [&](kernel::Engine& engine) {
    return engine.SyncAll(gm, ub, used_cores, site);
  });
  Pause();
}

void Run::Pause() {
  if (in_block) {
    fiber_->Suspend();
  } else {
    engine_->EnterBlock(0);
  }
}

std::int64_t Run::BeginTPipe(lanediff_site site) {
  std::int64_t tpipe = 0;
  Step("TPipe", site,
       [&](kernel::Engine& engine) { return engine.BeginTPipe(site, tpipe); });
  if (!in_block) ++direct_tpipes_;
  return tpipe;
}

void Run::EndTPipe(std::int64_t tpipe, lanediff_site site) {
  Step("TPipe", site, [&](kernel::Engine& engine) {
    return engine.Resource(isa::ResourceName::kDestroy, {{"tpipe", tpipe}},
                           site);
  });
  if (in_block) return;
  const std::lock_guard lock(mutex_);
  if (--direct_tpipes_ <= 0) EndDirect();
}

void Run::EndDirectBlock() {
  if (in_block) return;
  const std::lock_guard lock(mutex_);
  EndDirect();
}

void** Run::Slot() { return in_block ? &fiber_->slot : &direct_slot_; }

std::int64_t Run::block() const { return in_block ? block_ : 0; }
std::int64_t Run::blocks() const { return in_block ? blocks_ : 1; }

void Run::LastLaunch(std::uint64_t counts[LANEDIFF_COUNTS]) {
  const std::lock_guard lock(mutex_);
  std::fill_n(counts, LANEDIFF_COUNTS, 0);
  if (engine_ == nullptr) return;
  std::uint64_t* next = std::ranges::copy(engine_->last_launch(), counts).out;
  const kernel::Counts& now = engine_->counts();
  *next++ = engine_->last_launch_notes();
  *next++ = now.audited + now.carried - before_.audited - before_.carried;
  *next++ = now.refused - before_.refused;
}

void Run::Exiting() {
  if (in_block || launched_) {
    writer_.Ended(End::How::kCrashed, "exit is called" + channel_.Place());
    return;
  }
  EndDirect();
  if (engine_ != nullptr) writer_.Rows(engine_->sites());
  writer_.Ended(End::How::kEnded, "");
}

void Run::Dying(int number, const void* address) {
  if (Forked()) return;
  Page& page = channel_.page();
  page.signal = number;
  if (fiber_ != nullptr && fiber_->IsBehindEnd(address)) {
    page.stack_overflow = true;
  }
  // The engine is between two calls, and no other thread is in it.
  if (engine_ != nullptr && !page.in_library && (in_block || !launched_)) {
    writer_.Rows(engine_->sites());
  }
}

void Run::Stop(End::How how, const std::string& text) {
  if (engine_ != nullptr) writer_.Rows(engine_->sites());
  writer_.Ended(how, text);
  std::fflush(nullptr);
  _exit(how == End::How::kEnded ? 0 : 3);
}

}  // namespace lanediff::host
