#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "lanediff/kernel_abi.h"

/// An implementation of what PTO's headers call: writes down and does nothing.
namespace recording {

struct Operand {
  std::string name;
  std::uint64_t at;
  std::int64_t window;
  int position;
  int dtype;
};

/// Of lanediff_execute, lanediff_state and lanediff_local_tensor. Words of
/// parameters stand in `words`, numbers in `numbers`, in `order` both.
struct RecordedCall {
  std::string name;
  int line = 0;
  std::vector<Operand> operands;
  std::vector<std::string> order;
  std::map<std::string, std::int64_t> numbers;
  std::map<std::string, std::string> words;
};

/// Thrown where a call ends the block.
struct Refused {
  std::string name;
  std::string why;
  int line;
};

extern std::vector<RecordedCall> recorded;
extern const char* product;

}  // namespace recording
