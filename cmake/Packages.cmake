# Every library that is not ours, all of them Debian packages. What has to be
# linked is left out of a build of fuzz programs: it may use libc++, they don't.

find_package(Boost 1.74 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(fmt REQUIRED)

if(NOT LANEDIFF_FUZZERS)
  find_package(CLI11 REQUIRED)
  find_package(GTest REQUIRED)
  find_package(rapidcheck REQUIRED)
  find_package(valijson REQUIRED)
  find_package(pugixml REQUIRED)
endif()
