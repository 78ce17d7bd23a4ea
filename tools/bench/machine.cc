#include "tools/bench/machine.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <thread>
#include <utility>

#include "tools/bench/yardsticks.h"

namespace lanediff::bench {
namespace {

std::string Processor() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) {
      return line.substr(colon + 2);
    }
  }
  return "unknown processor";
}

std::string Compiler() {
#ifdef __clang__
  return "clang " __clang_version__;
#else
  return "g++ " __VERSION__;
#endif
}

/// The word behind "lanediff" that `program` --version prints: version and
/// commit.
std::string Version(const std::string& program) {
  if (program.empty()) return "";
  FILE* const pipe =
      popen(fmt::format("'{}' --version 2>&1", program).c_str(), "r");
  if (pipe == nullptr) return "";
  char version[128] = "";
  const int count = std::fscanf(pipe, "lanediff %127s", version);
  return pclose(pipe) == 0 && count == 1 ? version : "";
}

}  // namespace

Machine ThisMachine(std::string emulator, const std::string& lanediff) {
  Machine machine;
  machine.processor = Processor();
  machine.cores = static_cast<int>(std::thread::hardware_concurrency());
  for (const auto& cache : benchmark::CPUInfo::Get().caches) {
    machine.caches.push_back(fmt::format("L{} {} {} KiB", cache.level,
                                         cache.type, cache.size / 1024));
  }
  machine.compiler = Compiler();
  machine.avx2 = HasAvx2();
  machine.emulator = std::move(emulator);
  machine.version = Version(lanediff);
  return machine;
}

}  // namespace lanediff::bench
