#pragma once

#include <stdlib.h>

#include <expected>
#include <filesystem>
#include <string>
#include <system_error>

namespace lanediff::cli {

/// A folder in which a run may remove things: one that the program made, with
/// the marker file ".lanediff" in it, and that no other run uses. A lock on the
/// marker ensures this. The lock ends with this object, or with the process.
class WorkFolder {
 public:
  /// Makes the folder `path`, whose parent is there, or takes one that an
  /// earlier run made. An empty folder may become one, too. The error is one
  /// line: it is foreign, in use, or can't be made or written to.
  static std::expected<WorkFolder, std::string> Take(const std::string& path);

  /// Whether the folder `path` has the marker.
  static bool IsOurs(const std::string& path);

  WorkFolder(WorkFolder&& other) noexcept;
  WorkFolder& operator=(WorkFolder&&) = delete;
  WorkFolder(const WorkFolder&) = delete;
  WorkFolder& operator=(const WorkFolder&) = delete;
  ~WorkFolder();

  /// The path of `name` in it.
  std::string In(const std::string& name) const;

  /// Makes the folder `name` in it, where it is not there. The error is one
  /// line.
  std::expected<void, std::string> Make(const std::string& name) const;

  /// Removes `name` in it and makes it again, empty. The error is one line.
  std::expected<void, std::string> MakeAnew(const std::string& name) const;

 private:
  WorkFolder(std::string path, int marker);

  std::string path_;
  int marker_;  ///< open file that holds the lock; -1 in one moved from
};

/// A folder of its own among the temporary files, gone with this object.
class ScratchFolder {
 public:
  ScratchFolder()
      : path_((std::filesystem::temp_directory_path() / "lanediff-XXXXXX")
                  .string()),
        made_(mkdtemp(path_.data()) != nullptr) {}
  ~ScratchFolder() {
    std::error_code error;
    if (made_) std::filesystem::remove_all(path_, error);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  /// False: it couldn't be made, and `path` is what was tried.
  bool made() const { return made_; }
  const std::string& path() const { return path_; }
  std::string In(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
  bool made_;
};

}  // namespace lanediff::cli
