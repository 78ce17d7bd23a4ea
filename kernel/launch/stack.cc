#include "kernel/launch/stack.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <fmt/format.h>
#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>

#include "kernel/engine/options.h"

namespace lanediff::host {

std::vector<std::string> CallStack() {
  void* addresses[64];
  const int count = backtrace(addresses, 64);
  Dl_info self = {};
  dladdr(reinterpret_cast<void*>(&CallStack), &self);
  std::vector<std::string> calls;
  bool behind = false;  // behind the library's; a sanitizer's may come first
  for (int i = 0; i < count; ++i) {
    Dl_info info = {};
    link_map* map = nullptr;
    if (dladdr1(addresses[i], &info, reinterpret_cast<void**>(&map),
                RTLD_DL_LINKMAP) == 0) {
      break;
    }
    if (info.dli_fbase == self.dli_fbase) {
      if (!calls.empty()) break;  // what began the block
      behind = true;
      continue;
    }
    if (!behind) continue;
    // A call ends where its return address begins.
    const auto at = reinterpret_cast<std::uintptr_t>(addresses[i]) - 1;
    const std::string name = map->l_name;
    calls.push_back(fmt::format(
        "{}+{:#x}", name.empty() ? "/proc/self/exe" : name, at - map->l_addr));
  }
  return calls;
}

std::string CallText(const std::string& call) {
  const std::size_t plus = call.rfind('+');
  if (plus == call.npos) return call;
  // The shell that popen starts has a /proc/self of its own.
  std::string file = call.substr(0, plus);
  if (file == "/proc/self/exe") file = fmt::format("/proc/{}/exe", getpid());
  std::FILE* const pipe =
      popen(fmt::format("addr2line -Cfp -e {} {} 2>&1", kernel::Quoted(file),
                        call.substr(plus + 1))
                .c_str(),
            "r");
  if (pipe == nullptr) return call;
  std::string text;
  char part[512];
  while (std::fgets(part, sizeof part, pipe) != nullptr) text += part;
  while (text.ends_with('\n')) text.pop_back();
  text.resize(std::min(text.size(), text.find(" (discriminator ")));
  return pclose(pipe) == 0 && !text.empty() && !text.starts_with("??") ? text
                                                                       : call;
}

bool IsOurs(const std::string& text) {
  if (text.starts_with("lanediff::")) return true;
  for (const char* const part : {"/lanediff/ascendc/", "/lanediff/pto/",
                                 "/lanediff/acl_host/", "/lanediff/kernel.h"}) {
    if (text.find(part, text.rfind(" at ")) != text.npos) return true;
  }
  return false;
}

}  // namespace lanediff::host
