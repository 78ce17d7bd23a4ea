#include "fuzz/subject.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "make/generate/generate.h"

namespace lanediff::fuzz {
namespace {

constexpr std::string_view kPrefix = "lanediff-fuzz-";

std::string& TheRoom() {
  static std::string room;
  return room;
}

}  // namespace

std::string_view Room() { return TheRoom(); }

void SetRoom(std::string_view program) {
  const std::string_view name = program.substr(program.rfind('/') + 1);
  std::string_view room = OwnRoom();
  if (room.empty() && name.starts_with(kPrefix)) {
    room = name.substr(kPrefix.size());
  }
  std::vector<std::string_view> rooms;
  for (const make::Generator& one : make::Generators()) {
    rooms.push_back(one.room);
  }
  if (std::ranges::find(rooms, room) == rooms.end()) {
    fmt::print(stderr,
               "lanediff-fuzz: started as \"{}\"; the name says what to fuzz, "
               "{}ROOM with ROOM one of {}\n",
               name, kPrefix, fmt::join(rooms, ", "));
    std::_Exit(2);
  }
  TheRoom() = room;
}

}  // namespace lanediff::fuzz
