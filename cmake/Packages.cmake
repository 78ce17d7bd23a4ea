# Every library that is not ours, all of them Debian packages. Fuzz programs link
# none of them, only headers: they may use libc++, the packages don't.

find_package(Boost 1.74 REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(fmt REQUIRED)

# The compiled one is much quicker to build with.
add_library(lanediff_fmt INTERFACE)
if(LANEDIFF_FUZZERS)
  target_link_libraries(lanediff_fmt INTERFACE fmt::fmt-header-only)
else()
  target_link_libraries(lanediff_fmt INTERFACE fmt::fmt)
endif()

if(NOT LANEDIFF_LIBCXX)
  find_package(CLI11 REQUIRED)
  find_package(pugixml REQUIRED)
endif()
if(NOT LANEDIFF_FUZZERS)
  find_package(benchmark REQUIRED)
  find_package(GTest REQUIRED)
  find_package(rapidcheck REQUIRED)
  find_package(valijson REQUIRED)
endif()
