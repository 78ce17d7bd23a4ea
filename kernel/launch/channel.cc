#include "kernel/launch/channel.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <new>

namespace lanediff::host {
namespace {

constexpr std::size_t kLogBytes = std::size_t{64} << 20;
constexpr std::size_t kPageBytes = 4096;
static_assert(sizeof(Page) <= kPageBytes);
/// To either side: what runs past the end of other memory doesn't get here.
constexpr std::size_t kGuardBytes = std::size_t{1} << 16;

/// FNV-1a of words.
class Sum {
 public:
  void Add(std::uint64_t word) { sum_ = (sum_ ^ word) * 0x100000001b3; }
  void Add(std::string_view text) {
    for (const char c : text) Add(static_cast<unsigned char>(c));
  }
  std::uint64_t value() const { return sum_; }

 private:
  std::uint64_t sum_ = 0xcbf29ce484222325;
};

std::uint64_t SealOf(const Page& page) {
  using Counts = kernel::Counts;
  static_assert(std::has_unique_object_representations_v<Counts> &&
                sizeof(Counts) % sizeof(std::uint64_t) == 0);
  std::array<std::uint64_t, sizeof(Counts) / sizeof(std::uint64_t)> counts;
  std::memcpy(counts.data(), &page.counts, sizeof counts);
  Sum sum;
  for (const std::uint64_t count : counts) sum.Add(count);
  for (const std::uint64_t word :
       {std::uint64_t{page.ended}, page.log_bytes, page.messages, page.lost}) {
    sum.Add(word);
  }
  return sum.value();
}

/// "NUMBER SUM ", which stands before a message.
constexpr std::size_t kHeadBytes = 2 * 17;
std::string HeadOf(std::uint64_t number, std::string_view message) {
  Sum sum;
  sum.Add(number);
  sum.Add(message);
  return fmt::format("{:016x} {:016x} ", number, sum.value());
}

/// Copies as much of the text as there is space for.
template <std::size_t kSize>
void Copy(const char* text, char (&into)[kSize]) {
  const std::size_t bytes = std::min(std::strlen(text), kSize - 1);
  std::memcpy(into, text, bytes);
  into[bytes] = 0;
}

}  // namespace

Channel* Channel::Make() {
  constexpr std::size_t kTimesBytes = 2 * kTimes * sizeof(std::uint64_t);
  constexpr std::size_t kAll =
      kPageBytes + kTimesBytes + kLogBytes + 2 * kGuardBytes;
  void* const memory = mmap(nullptr, kAll, PROT_NONE,
                            MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  char* const first = static_cast<char*>(memory) + kGuardBytes;
  if (mprotect(first, kAll - 2 * kGuardBytes, PROT_READ | PROT_WRITE) != 0) {
    return nullptr;
  }
  static Channel channel;
  channel.page_ = new (first) Page;
  channel.times_ = reinterpret_cast<std::uint64_t*>(first + kPageBytes);
  channel.log_ = first + kPageBytes + kTimesBytes;
  channel.Seal();
  return &channel;
}

void Channel::Seal() {
  page_->log_bytes = log_bytes_;
  page_->messages = messages_;
  page_->lost = lost_;
  page_->seal = SealOf(*page_);
}

void Channel::SetCounts(const kernel::Counts& counts) {
  page_->counts = counts;
  Seal();
}

void Channel::SetEnded() {
  page_->ended = true;
  Seal();
}

void Channel::Append(std::string_view kind, std::string_view text) {
  std::string message = fmt::format("{} {}", kind, text);
  message.insert(0, HeadOf(messages_, message));
  message += '\n';
  if (log_bytes_ + message.size() > kLogBytes) {
    ++lost_;
    return Seal();
  }
  std::ranges::copy(message, log_ + log_bytes_);
  log_bytes_ += message.size();
  ++messages_;
  Seal();
}

bool Channel::intact() const { return page_->seal == SealOf(*page_); }

Channel::Log Channel::ReadLog() const {
  Log log;
  log.damaged = !intact();
  // Where the page can't be trusted, all that has a sum is taken.
  std::string_view rest(
      log_, log.damaged ? kLogBytes : std::min(page_->log_bytes, kLogBytes));
  while (!rest.empty() && rest[0] != 0) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    const std::string_view message =
        line.substr(std::min(line.size(), kHeadBytes));
    if (line.size() == rest.size() ||
        line.substr(0, line.size() - message.size()) !=
            HeadOf(log.messages.size(), message)) {
      log.damaged = true;
      break;
    }
    log.messages.push_back(message);
    rest.remove_prefix(line.size() + 1);
  }
  log.damaged = log.damaged || log.messages.size() != page_->messages;
  return log;
}

void Channel::At(const char* op, lanediff_site site) {
  // Names and files are literals: the same pointer is the same text.
  if (op != last_op_) Copy(op, page_->op);
  last_op_ = op;
  if (site.file != last_file_ && site.file != nullptr) {
    Copy(site.file, page_->file);
    last_file_ = site.file;
  }
  page_->line = std::abs(site.line);
  if (site.line > 0) last_ = site;
}

void Channel::SetForkedCall(const char* op, lanediff_site site) {
  if (page_->forked_call.exchange(true)) return;
  Copy(op, page_->forked_op);
  if (site.file != nullptr) Copy(site.file, page_->forked_file);
  page_->forked_line = std::abs(site.line);
}

std::string Channel::Place() const {
  if (page_->launch < 0) return "";
  std::string text = page_->block < 0
                         ? fmt::format(" behind launch {}", page_->launch)
                         : fmt::format(" in block {} of launch {}",
                                       page_->block, page_->launch);
  const std::string_view file = TextIn(page_->file);
  if (file.empty()) return text;
  return text + (page_->in_library
                     ? fmt::format(", in {} {}:{}", TextIn(page_->op), file,
                                   page_->line)
                     : fmt::format(", after {}:{}", file, page_->line));
}

}  // namespace lanediff::host
