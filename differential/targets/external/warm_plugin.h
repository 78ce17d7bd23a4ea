#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "differential/subprocess/process.h"

namespace lanediff::diff {

/// A process that has loaded a plugin and makes no call. Those that make calls
/// are forked from there, which is quicker than loading it once more,
/// and find what a fresh process would. A library that starts threads when it
/// is loaded can't be forked: then there is none.
class WarmPlugin {
 public:
  /// Null where there can't be one.
  static std::unique_ptr<WarmPlugin> Start(const std::string& path);
  ~WarmPlugin();

  /// Where processes are ordered (fork server.h); they load nothing.
  int fork_server() const { return socket_; }
  /// In processes from there: the library, as dlopen gives it; else null.
  static void* Library();
  bool ForeignHere() const { return process_->ForeignHere(); }

 private:
  WarmPlugin() = default;

  int socket_ = -1;
  std::unique_ptr<OutsideProcess> process_;
};

}  // namespace lanediff::diff
