#include "differential/testcase/write_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <set>
#include <string_view>

#include "differential/testcase/json.h"

namespace lanediff {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBegin = ".lanediff-";
constexpr std::string_view kEnd = ".tmp";
constexpr auto kLeftFor = std::chrono::hours(24);

/// One file is written at a time.
std::mutex mutex;
/// The temporary file; what a handler of signals may look at.
char temporary[PATH_MAX];
std::atomic<bool> has_temporary = false;
static_assert(std::atomic<bool>::is_always_lock_free);

/// A descriptor of ours that writes to `file`, or -1.
int OpenAlready(const struct stat& file) {
  constexpr int kMost = 64;  // what a shell hands over has small numbers
  for (int i = STDOUT_FILENO; i < kMost; ++i) {
    struct stat open{};
    if (fstat(i, &open) == 0 && open.st_dev == file.st_dev &&
        open.st_ino == file.st_ino &&
        (fcntl(i, F_GETFL) & O_ACCMODE) != O_RDONLY) {
      return i;
    }
  }
  return -1;
}

/// 0, or the error's number; so do the functions below.
int WriteInPlace(const std::string& path, std::string_view text) {
  int file = -1;
  do {
    file = open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  } while (file < 0 && errno == EINTR);
  if (file < 0) return errno;
  const int error = WriteAll(file, text);
  return close(file) == 0 ? error : (error != 0 ? error : errno);
}

/// What `path` leads to, through links, also to what is not there yet.
fs::path Followed(fs::path path) {
  constexpr int kMostLinks = 40;
  for (int i = 0; i < kMostLinks; ++i) {
    std::error_code error;
    const fs::path link = fs::read_symlink(path, error);
    if (error) break;
    path = path.parent_path() / link;
  }
  return path;
}

/// The process that made a temporary file, or 0.
pid_t MakerOf(std::string_view name) {
  if (!name.starts_with(kBegin) || !name.ends_with(kEnd)) return 0;
  name.remove_prefix(kBegin.size());
  name.remove_suffix(std::min(name.size(), kEnd.size()));
  const std::size_t dash = std::min(name.find('-'), name.size());
  const auto maker = ToNumber<pid_t>(name.substr(0, dash));
  name.remove_prefix(std::min(name.size(), dash + 1));
  return maker && ToNumber<unsigned>(name) ? std::max(*maker, 0) : 0;
}

/// Removes what killed runs left in `folder`, once in a process. One that runs
/// elsewhere, on a disk that is shared, is taken for dead, but not for a day.
void RemoveLeft(const fs::path& folder) {
  static std::set<fs::path> done;
  if (!done.insert(folder).second) return;
  std::error_code error;
  const auto oldest = fs::file_time_type::clock::now() - kLeftFor;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const pid_t maker = MakerOf(entry->path().filename().string());
    if (maker == 0 || kill(maker, 0) == 0 || errno != ESRCH) continue;
    std::error_code ignored;
    if (entry->symlink_status(ignored).type() != fs::file_type::regular ||
        fs::last_write_time(entry->path(), ignored) > oldest) {
      continue;
    }
    fs::remove(entry->path(), ignored);
  }
}

/// Opens a new temporary file in `folder` and notes its name; -1 if it can't.
int OpenTemporary(const fs::path& folder) {
  constexpr int kMostTaken = 100;
  for (int i = 0; i < kMostTaken; ++i) {
    unsigned n = 0;  // that can't be guessed
    if (getrandom(&n, sizeof n, 0) != sizeof n) return -1;
    const std::string path =
        (folder / fmt::format("{}{}-{}{}", kBegin, getpid(), n, kEnd)).string();
    if (path.size() >= sizeof temporary) return errno = ENAMETOOLONG, -1;
    std::memcpy(temporary, path.c_str(), path.size() + 1);
    // Before it is there: a signal behind `open` would find nothing to remove.
    has_temporary = true;
    const int file =
        open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file >= 0) return file;
    has_temporary = false;
    if (errno != EEXIST) return -1;
  }
  return -1;
}

/// `old` is what is there; null if nothing is.
int Replace(const fs::path& path, const struct stat* old,
            std::string_view text) {
  const fs::path folder =
      path.has_parent_path() ? path.parent_path() : fs::path(".");
  RemoveLeft(folder);
  const int file = OpenTemporary(folder);
  if (file < 0) return errno;
  int error = WriteAll(file, text);
  if (error == 0 && fsync(file) != 0 && errno != EINVAL) error = errno;
  if (error == 0 && old != nullptr && fchmod(file, old->st_mode & 07777) != 0) {
    error = errno;
  }
  if (close(file) != 0 && error == 0) error = errno;
  if (error == 0 && rename(temporary, path.c_str()) != 0) error = errno;
  if (error != 0) unlink(temporary);
  has_temporary = false;
  return error;
}

int Write(const std::string& path, std::string_view text) {
  const std::lock_guard lock(mutex);
  struct stat there{};
  if (stat(path.c_str(), &there) != 0) {
    return errno == ENOENT ? Replace(Followed(path), nullptr, text) : errno;
  }
  if (S_ISDIR(there.st_mode)) return EISDIR;
  if (const int file = OpenAlready(there); file >= 0) {
    std::fflush(stdout);  // what was printed before stands before
    return WriteAll(file, text);
  }
  return S_ISREG(there.st_mode) ? Replace(Followed(path), &there, text)
                                : WriteInPlace(path, text);
}

}  // namespace

int WriteAll(int file, std::string_view text) {
  constexpr std::size_t kMost = std::size_t{1} << 30;
  while (!text.empty()) {
    const ssize_t n = write(file, text.data(), std::min(text.size(), kMost));
    if (n > 0) {
      text.remove_prefix(static_cast<std::size_t>(n));
    } else if (n < 0 && errno == EAGAIN) {
      pollfd ready{.fd = file, .events = POLLOUT, .revents = 0};
      poll(&ready, 1, -1);
    } else if (n == 0 || errno != EINTR) {
      return n == 0 ? EIO : errno;
    }
  }
  return 0;
}

std::expected<void, std::string> WriteFile(const std::string& path,
                                           const std::string& text) {
  const int error = Write(path, text);
  if (error == 0) return {};
  return std::unexpected(
      fmt::format("{}: can't be written: {}", path, strerror(error)));
}

void RemoveTemporaryFile() noexcept {
  const int error = errno;
  if (has_temporary) unlink(temporary);
  errno = error;
}

}  // namespace lanediff
