#pragma once

#include <cstdint>

struct AddTiling {
  std::uint32_t tiles;
};
