#ifndef LANEDIFF_ASCENDC_DATA_UTILS_H
#define LANEDIFF_ASCENDC_DATA_UTILS_H

#include <cstddef>
#include <cstdio>
#include <fstream>
#include <string>

/// Files of raw bytes, as the samples' own data_utils.h has them; a program's
/// own file of that name comes first.

/// All bytes of the file into `buffer` of `bufferSize` bytes, and how many.
/// False, and a line on stderr, if it can't be read, is empty or doesn't fit.
inline bool ReadFile(const std::string& filePath, std::size_t& fileSize,
                     void* buffer, std::size_t bufferSize) {
  std::ifstream file(filePath, std::ios::binary | std::ios::ate);
  const auto end = file ? static_cast<long long>(file.tellg()) : -1;
  if (end <= 0 || static_cast<std::size_t>(end) > bufferSize) {
    std::fprintf(stderr, "ReadFile: %s %s\n", filePath.c_str(),
                 end < 0    ? "can't be opened"
                 : end == 0 ? "is empty"
                            : "is larger than the buffer");
    return false;
  }
  file.seekg(0);
  file.read(static_cast<char*>(buffer), end);
  fileSize = static_cast<std::size_t>(end);
  return static_cast<bool>(file);
}
inline bool ReadFile(const std::string& filePath, std::size_t&& fileSize,
                     void* buffer, std::size_t bufferSize) {
  return ReadFile(filePath, fileSize, buffer, bufferSize);
}

/// False, and a line on stderr, if it can't be written.
inline bool WriteFile(const std::string& filePath, const void* buffer,
                      std::size_t size) {
  std::ofstream file(filePath, std::ios::binary | std::ios::trunc);
  if (buffer != nullptr) {
    file.write(static_cast<const char*>(buffer),
               static_cast<std::streamsize>(size));
  }
  if (buffer == nullptr || !file.flush()) {
    std::fprintf(stderr, "WriteFile: %s can't be written\n", filePath.c_str());
    return false;
  }
  return true;
}

/// A line on stderr where an acl call fails; the program goes on.
#define CHECK_ACL(CALL)                                                 \
  do {                                                                  \
    const int lanediff_error = static_cast<int>(CALL);                  \
    if (lanediff_error != 0) {                                          \
      std::fprintf(stderr, "%s:%d: acl error %d\n", __FILE__, __LINE__, \
                   lanediff_error);                                     \
    }                                                                   \
  } while (0)

#endif  // LANEDIFF_ASCENDC_DATA_UTILS_H
