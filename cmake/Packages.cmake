# Every library that is not ours, all of them Debian packages. Fuzz programs link
# no library, only headers: they may use libc++, the packages don't.

# lanediff_package(name package [version]): find_package() that names the package to install.
macro(lanediff_package name package)
  find_package(${name} ${ARGN} QUIET)
  if(NOT ${name}_FOUND)
    # Indented, CMake leaves a line as it is.
    message(FATAL_ERROR "  ${name} is missing, the Debian package ${package}; script/bootstrap installs it")
  endif()
endmacro()

# lanediff_test_package(name package target): the same for what only tests and
# measurements need. Where it is missing, what links its target fails to build and
# names the package; the rest builds.
function(lanediff_test_package name package target)
  find_package(${name} QUIET)
  if(TARGET ${target})
    return()
  endif()
  add_custom_target(${package}-is-missing
    COMMAND ${CMAKE_COMMAND} -E echo
      "${name} is missing, the Debian package ${package}; script/bootstrap test installs it"
    COMMAND ${CMAKE_COMMAND} -E false
    COMMENT "" VERBATIM)
  add_library(${target} INTERFACE IMPORTED)
  add_dependencies(${target} ${package}-is-missing)
endfunction()

lanediff_package(Boost libboost-dev 1.74)
# MPFR has no package file of CMake.
find_path(MPFR_INCLUDE_DIR mpfr.h)
find_library(MPFR_LIBRARY mpfr)
if(NOT MPFR_INCLUDE_DIR OR NOT MPFR_LIBRARY)
  message(FATAL_ERROR "  MPFR is missing, the Debian package libmpfr-dev; script/bootstrap installs it")
endif()
add_library(MPFR::MPFR UNKNOWN IMPORTED GLOBAL)
set_target_properties(MPFR::MPFR PROPERTIES
  IMPORTED_LOCATION ${MPFR_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${MPFR_INCLUDE_DIR})
lanediff_package(fmt libfmt-dev)
lanediff_package(hwy libhwy-dev)
lanediff_package(nlohmann_json nlohmann-json3-dev)

if(fmt_VERSION VERSION_LESS 12 AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang"
   AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 20)
  # Where clang evaluates at compile time, fmt's own format strings are errors to it.
  add_compile_definitions(FMT_CONSTEVAL=)
endif()

# Compiled, which is much quicker to build with than header-only.
if(LANEDIFF_FUZZERS)
  add_library(lanediff_fmt STATIC ${PROJECT_SOURCE_DIR}/cmake/fmt.cc)
else()
  add_library(lanediff_fmt INTERFACE)
  target_link_libraries(lanediff_fmt INTERFACE fmt::fmt)
endif()

if(NOT LANEDIFF_LIBCXX)
  lanediff_package(CLI11 libcli11-dev)
  lanediff_package(pugixml libpugixml-dev)
  lanediff_package(SQLite3 libsqlite3-dev 3.40)
endif()
if(NOT LANEDIFF_FUZZERS AND BUILD_TESTING)
  lanediff_package(GTest libgtest-dev)
  lanediff_package(rapidcheck librapidcheck-dev)
  lanediff_test_package(benchmark libbenchmark-dev benchmark::benchmark)
  lanediff_test_package(valijson libvalijson-dev valijson)
endif()
