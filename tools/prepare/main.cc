// lanediff-prepare SOURCE OUT: what builds that use CMake call.

#include <fmt/format.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include "tools/prepare/prepare.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    fmt::print(stderr,
               "lanediff-prepare: usage: lanediff-prepare SOURCE OUT\n");
    return 2;
  }
  std::ifstream in(argv[1], std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) {
    fmt::print(stderr, "lanediff-prepare: can't read {}\n", argv[1]);
    return 2;
  }
  const auto prepared = lanediff::prepare::Prepare(text, argv[1]);
  if (!prepared) {
    fmt::print(stderr, "{}\n", prepared.error());
    return 2;
  }
  std::ofstream out(argv[2], std::ios::binary);
  out << *prepared << std::flush;
  if (!out) {
    fmt::print(stderr, "lanediff-prepare: can't write {}\n", argv[2]);
    return 2;
  }
  return 0;
}
