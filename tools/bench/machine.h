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
  std::string version;              ///< of the measured lanediff; may be empty
};

/// This one, with kernels of that name and the program `lanediff`.
Machine ThisMachine(std::string emulator, const std::string& lanediff);

}  // namespace lanediff::bench
