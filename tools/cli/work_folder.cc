#include "tools/cli/work_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <string_view>
#include <utility>

namespace lanediff::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kName = ".lanediff";
constexpr std::string_view kText =
    "lanediff made this folder and removes what is in it.\n";

std::string MarkerIn(const std::string& folder) {
  return (fs::path(folder) / kName).string();
}

/// The text of the marker; cut at the length of the expected one.
std::string TextOf(int marker) {
  std::array<char, kText.size() + 1> text = {};
  const ssize_t size = pread(marker, text.data(), text.size(), 0);
  return {text.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))};
}

/// Whether nothing is in `folder` but, at most, the marker.
bool IsEmpty(const std::string& folder) {
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().filename() != kName) return false;
  }
  return !error;
}

std::unexpected<std::string> Foreign(const std::string& folder) {
  return std::unexpected(fmt::format(
      "{}: was not made by lanediff (no file {}), and nothing in it is "
      "touched; move it away or choose another folder",
      folder, kName));
}

std::unexpected<std::string> CantBe(const std::string& path, const char* what) {
  return std::unexpected(
      fmt::format("{}: can't be {}: {}", path, what, strerror(errno)));
}

/// Begins the marker of a folder that is new. A run that was killed meanwhile
/// may have left a part of the text.
bool WriteMarker(int marker) {
  return ftruncate(marker, 0) == 0 &&
         pwrite(marker, kText.data(), kText.size(), 0) ==
             static_cast<ssize_t>(kText.size());
}

}  // namespace

WorkFolder::WorkFolder(std::string path, int marker)
    : path_(std::move(path)), marker_(marker) {}

WorkFolder::WorkFolder(WorkFolder&& other) noexcept
    : path_(std::move(other.path_)),
      marker_(std::exchange(other.marker_, -1)) {}

WorkFolder::~WorkFolder() {
  if (marker_ >= 0) close(marker_);
}

std::expected<WorkFolder, std::string> WorkFolder::Take(
    const std::string& path) {
  if (mkdir(path.c_str(), 0777) != 0 && errno != EEXIST) {
    return CantBe(path, "made");
  }
  std::error_code error;
  if (!fs::is_directory(fs::symlink_status(path, error))) return Foreign(path);
  const std::string name = MarkerIn(path);
  const bool is_new = IsEmpty(path);
  // O_NONBLOCK: whatever lies there under that name, opening it doesn't wait.
  const int marker = open(
      name.c_str(),
      O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | (is_new ? O_CREAT : 0),
      0666);
  if (marker < 0) {
    return errno == ENOENT || errno == ELOOP || errno == EISDIR
               ? Foreign(path)
               : CantBe(name, "written");
  }
  WorkFolder folder(path, marker);
  struct stat status = {};
  if (fstat(marker, &status) != 0 || !S_ISREG(status.st_mode)) {
    return Foreign(path);
  }
  if (flock(marker, LOCK_EX | LOCK_NB) != 0) {
    return std::unexpected(fmt::format(
        "{}: another run uses it; wait for its end or choose another folder",
        path));
  }
  const std::string text = TextOf(marker);
  if (text == kText) return folder;
  if (!kText.starts_with(text) || !IsEmpty(path)) return Foreign(path);
  if (!WriteMarker(marker)) return CantBe(name, "written");
  return folder;
}

bool WorkFolder::IsOurs(const std::string& path) {
  const int marker = open(MarkerIn(path).c_str(),
                          O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (marker < 0) return false;
  const bool ours = TextOf(marker) == kText;
  close(marker);
  return ours;
}

std::string WorkFolder::In(const std::string& name) const {
  return (fs::path(path_) / name).string();
}

std::expected<void, std::string> WorkFolder::Make(
    const std::string& name) const {
  std::error_code error;
  fs::create_directories(In(name), error);
  if (!error) return {};
  return std::unexpected(
      fmt::format("{}: can't be made: {}", In(name), error.message()));
}

std::expected<void, std::string> WorkFolder::MakeAnew(
    const std::string& name) const {
  std::error_code error;
  fs::remove_all(In(name), error);
  if (error) {
    return std::unexpected(
        fmt::format("{}: can't be removed: {}", In(name), error.message()));
  }
  return Make(name);
}

}  // namespace lanediff::cli
