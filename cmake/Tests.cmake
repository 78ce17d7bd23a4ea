# lanediff_test(NAME name SOURCES file... [LIBS target...])
#
# A GoogleTest program; each of its tests is a test of ctest's. LANEDIFF_SOURCE_DIR
# leads to the corpus. In a build of fuzz programs there are no tests.
include(GoogleTest)

function(lanediff_test)
  if(LANEDIFF_FUZZERS OR NOT BUILD_TESTING)
    return()
  endif()
  cmake_parse_arguments(TEST "" "NAME" "SOURCES;LIBS" ${ARGN})
  add_executable(${TEST_NAME} ${TEST_SOURCES})
  target_link_libraries(${TEST_NAME} PRIVATE ${TEST_LIBS} GTest::gtest_main)
  # What is tested is in libraries; the tests themselves are quicker built than run.
  target_compile_options(${TEST_NAME} PRIVATE $<$<CONFIG:Release>:-O1>)
  target_include_directories(${TEST_NAME} PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_definitions(${TEST_NAME} PRIVATE LANEDIFF_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  set_target_properties(${TEST_NAME} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests)
  # The limits end what hangs; a busy machine may take long for what does not.
  gtest_discover_tests(${TEST_NAME} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 120
    PROPERTIES TIMEOUT 900 LABELS ${TEST_NAME})
endfunction()
