#pragma once

#include <string>
#include <vector>

namespace lanediff::bench {

/// What the figures were measured on.
struct Machine {
  std::string processor;            ///< as it names itself
  int cores = 0;                    ///< that this system has
  std::vector<std::string> caches;  ///< "L1 Data 32 KiB", …
  std::string compiler;             ///< name and version
  bool avx2 = false;                ///< AVX2 and F16C: the yardsticks' needs
  std::string emulator;             ///< whose kernels: "plain" or a target
};

/// This one, with kernels of that name.
Machine ThisMachine(std::string emulator);

}  // namespace lanediff::bench
