#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>
#include <system_error>

namespace lanediff::cli {

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
