#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "lanediff/kernel_abi.h"
#include "reports/kernel_record.h"

/// What the process of a program leaves for the one that watches over it, in
/// memory that both share: whatever the program does, up to kill -9, what was
/// written before stays. A program may write there, too: messages have numbers
/// and sums, and what was lost is known.
namespace lanediff::host {

/// Where the program is and what it came to by now.
struct Page {
  kernel::Counts counts;
  std::int64_t launch = -1;  ///< the last one, from 0; -1: none yet
  std::int64_t block = -1;   ///< that runs; -1: none
  char op[64] = {};          ///< name of the last call
  char file[512] = {};       ///< of the last call; empty: none yet
  std::int32_t line = 0;
  bool in_library = false;      ///< in that call, else behind it
  std::int32_t signal = 0;      ///< that is about to end it
  bool stack_overflow = false;  ///< of a block
  bool ended = false;           ///< the program reported its end
  std::uint64_t log_bytes = 0;
  std::uint64_t messages = 0;  ///< in the log
  std::uint64_t lost = 0;      ///< messages for which the log had no space
  std::uint64_t seal = 0;      ///< a sum of counts, ended, and these three
  /// The first call of a process that the program forked, which executes none.
  std::atomic<bool> forked_call = false;
  char forked_op[64] = {};
  char forked_file[512] = {};
  std::int32_t forked_line = 0;
};
static_assert(std::is_trivially_destructible_v<Page>);

/// What stands in such a field.
template <std::size_t kSize>
std::string_view TextIn(const char (&field)[kSize]) {
  return {field, strnlen(field, kSize)};
}

/// How many findings, and notes, have their numbers of times kept up to date
/// where the program doesn't end by itself.
inline constexpr std::size_t kTimes = std::size_t{1} << 16;

class Channel {
 public:
  /// To be made before the processes part. Null where there is no memory.
  static Channel* Make();

  Page& page() { return *page_; }
  const Page& page() const { return *page_; }
  /// Whether what the program itself keeps in the page is as it left it.
  bool intact() const;
  void SetCounts(const kernel::Counts& counts);
  void SetEnded();
  std::uint64_t& found_times(std::size_t index) const { return times_[index]; }
  std::uint64_t& noted_times(std::size_t index) const {
    return times_[kTimes + index];
  }

  /// Adds "KIND TEXT" to the log; neither has an end of line.
  void Append(std::string_view kind, std::string_view text);
  /// What was added, as far as it is intact.
  struct Log {
    std::vector<std::string_view> messages;
    bool damaged = false;  ///< there were others, or the page is not intact
  };
  Log ReadLog() const;

  /// The call that the program makes now.
  void At(const char* op, lanediff_site site);
  /// A call of a process that the program forked.
  void SetForkedCall(const char* op, lanediff_site site);
  /// Of the last call whose place is known.
  lanediff_site Last() const { return last_; }
  /// " in block 3 of launch 0, after add.cpp:24", of where the program is;
  /// empty where no kernel was run.
  std::string Place() const;

 private:
  void Seal();

  Page* page_ = nullptr;
  // Of the process of the program, the one writer: the expected page.
  std::uint64_t log_bytes_ = 0;
  std::uint64_t messages_ = 0;
  std::uint64_t lost_ = 0;
  std::uint64_t* times_ = nullptr;
  char* log_ = nullptr;
  const char* last_file_ = nullptr;
  const char* last_op_ = nullptr;
  lanediff_site last_ = {"", 0};
};

}  // namespace lanediff::host
