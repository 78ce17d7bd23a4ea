# lanediff_test(NAME name SOURCES file... [LIBS target...] [HEADERS file...])
#
# A GoogleTest program; each of its tests is a test of ctest's. LANEDIFF_SOURCE_DIR
# leads to the corpus. In a build of fuzz programs there are no tests.
include(GoogleTest)

# What nearly every test includes is parsed once, with HEADERS for one program. Not where
# files are to compile alone, and not by clang, whose builds of tests are rare.
set(LANEDIFF_TEST_HEADERS <gtest/gtest.h> <algorithm> <array> <cstdint> <expected> <filesystem> <fstream>
  <functional> <map> <memory> <optional> <ranges> <set> <span> <sstream> <string> <string_view> <variant> <vector>)

function(lanediff_test_headers test)
  if(NOT LANEDIFF_BATCHES OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    return()
  endif()
  target_compile_options(${test} PRIVATE -fpch-preprocess)
  if(ARGN)
    list(TRANSFORM ARGN REPLACE "(.+)" "<\\1>")
    target_precompile_headers(${test} PRIVATE ${LANEDIFF_TEST_HEADERS} ${ARGN})
    return()
  endif()
  if(NOT TARGET lanediff_test_headers)
    set(source ${PROJECT_BINARY_DIR}/test_headers.cc)
    file(CONFIGURE OUTPUT ${source} CONTENT "int main() {}\n")
    # A program, as tests are: other code is compiled for a place of its own.
    add_executable(lanediff_test_headers ${source})
    target_link_libraries(lanediff_test_headers PRIVATE GTest::gtest)
    target_compile_options(lanediff_test_headers PRIVATE -fpch-preprocess $<$<CONFIG:Release>:-O1>)
    target_precompile_headers(lanediff_test_headers PRIVATE ${LANEDIFF_TEST_HEADERS})
  endif()
  target_precompile_headers(${test} REUSE_FROM lanediff_test_headers)
endfunction()

function(lanediff_test)
  if(LANEDIFF_FUZZERS OR NOT BUILD_TESTING)
    return()
  endif()
  cmake_parse_arguments(TEST "" "NAME" "SOURCES;LIBS;HEADERS" ${ARGN})
  add_executable(${TEST_NAME} ${TEST_SOURCES})
  target_link_libraries(${TEST_NAME} PRIVATE ${TEST_LIBS} GTest::gtest_main)
  # What is tested is in libraries; the tests themselves are quicker built than run.
  target_compile_options(${TEST_NAME} PRIVATE $<$<CONFIG:Release>:-O1>)
  target_include_directories(${TEST_NAME} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_definitions(${TEST_NAME} PRIVATE LANEDIFF_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  lanediff_test_headers(${TEST_NAME} ${TEST_HEADERS})
  set_target_properties(${TEST_NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  # The limits end what hangs; a busy machine may take long for what does not.
  gtest_discover_tests(${TEST_NAME} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 120
    PROPERTIES TIMEOUT 900 LABELS ${TEST_NAME})
endfunction()
