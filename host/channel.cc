#include "host/channel.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
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

/// Copies as much of the text as there is room for.
template <std::size_t kRoom>
void Copy(const char* text, char (&into)[kRoom]) {
  const std::size_t bytes = std::min(std::strlen(text), kRoom - 1);
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
  return &channel;
}

void Channel::Tell(std::string_view kind, std::string_view text) {
  const std::size_t bytes = kind.size() + text.size() + 2;
  if (page_->log_bytes + bytes > kLogBytes) {
    ++page_->lost;
    return;
  }
  char* at = log_ + page_->log_bytes;
  at = std::ranges::copy(kind, at).out;
  *at++ = ' ';
  at = std::ranges::copy(text, at).out;
  *at = '\n';
  page_->log_bytes += bytes;
}

std::string_view Channel::log() const {
  return {log_, std::min<std::uint64_t>(page_->log_bytes, kLogBytes)};
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

std::string Channel::Place() const {
  if (page_->launch < 0) return "";
  std::string text = page_->block < 0
                         ? fmt::format(" behind launch {}", page_->launch)
                         : fmt::format(" in block {} of launch {}",
                                       page_->block, page_->launch);
  if (page_->file[0] == 0) return text;
  return text + (page_->in_library
                     ? fmt::format(", in {} {}:{}", page_->op, page_->file,
                                   page_->line)
                     : fmt::format(", after {}:{}", page_->file, page_->line));
}

}  // namespace lanediff::host
