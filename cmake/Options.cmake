# Language level, warnings, sanitizers and where programs go.

option(LANEDIFF_FUZZERS "Build the fuzz programs (clang), but no tests" OFF)
option(BUILD_TESTING "Build the tests and measurements" ON)
option(LANEDIFF_COVERAGE "Instrument for source-based coverage (clang)" OFF)
option(LANEDIFF_LIBCXX "Use libc++ (clang) for the fuzz programs; lanediff itself is then left out" OFF)
set(LANEDIFF_SANITIZE "" CACHE STRING "Sanitizers for -fsanitize=, no recovery")
set(LANEDIFF_FUZZ_ENGINE "" CACHE STRING
  "What the fuzz programs are linked with, as OSS-Fuzz's LIB_FUZZING_ENGINE; instrumentation is then CXXFLAGS' matter, and each program a file of its own")
option(LANEDIFF_WERROR "Warnings are errors; not for untested compilers" ON)

set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)

# Of the libraries a shared one is made, too: what kernels are linked with.
if(NOT LANEDIFF_FUZZERS)
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
  add_compile_options(-fno-semantic-interposition)
endif()

# Public headers, which several folders have, lie together as installed ones do.
file(GLOB public_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/*/include/lanediff/*
  ${PROJECT_SOURCE_DIR}/tools/cli/include/lanediff/*)
file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/include/lanediff)
foreach(header IN LISTS public_headers)
  get_filename_component(name ${header} NAME)
  file(CREATE_LINK ${header} ${PROJECT_BINARY_DIR}/include/lanediff/${name} SYMBOLIC)
endforeach()
include_directories(${PROJECT_BINARY_DIR}/include)

# Sign conversions are left out: indices are signed where the documents' numbers are.
add_compile_options(-Wall -Wextra -Wconversion -Wno-sign-conversion -Wshadow)
if(LANEDIFF_WERROR)
  add_compile_options(-Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # False positives of g++ 12 on std::variant and std::expected at -O2 and above.
  add_compile_options(-Wno-maybe-uninitialized -Wno-restrict -Wno-array-bounds -Wno-stringop-overflow)
endif()
# IEEE arithmetic is part of the product: no contraction into fused operations.
add_compile_options(-ffp-contract=off)

# Release builds: the dynamic linker resolves everything at the start and then protects
# the addresses of functions; a stack or a copy that overflows ends the program. Level 3
# checks sizes that are known at run time, too; an older compiler warns of it.
if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT LANEDIFF_FUZZERS AND NOT LANEDIFF_SANITIZE)
  set(fortify 2)
  if((CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12)
     OR CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    set(fortify 3)
  endif()
  add_link_options(LINKER:-z,relro LINKER:-z,now)
  add_compile_options(-fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=${fortify})
endif()

if(LANEDIFF_SANITIZE)
  add_compile_options(-fsanitize=${LANEDIFF_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${LANEDIFF_SANITIZE})
  if(LANEDIFF_FUZZERS AND LANEDIFF_SANITIZE MATCHES "undefined")
    # A check at each pointer is a third of the time to compile: fuzz programs have them in
    # the emulator, the asan preset has them everywhere.
    set(LANEDIFF_POINTER_CHECKS null,alignment,vptr,object-size,pointer-overflow)
    add_compile_options(-fno-sanitize=${LANEDIFF_POINTER_CHECKS})
  endif()
endif()
if(LANEDIFF_COVERAGE)
  add_compile_options(-fprofile-instr-generate -fcoverage-mapping)
  add_link_options(-fprofile-instr-generate)
endif()
if(LANEDIFF_LIBCXX)
  add_compile_options(-stdlib=libc++)
  # Boost 1.74 derives from std::unary_function, which C++17 took away.
  add_compile_definitions(_LIBCPP_ENABLE_CXX17_REMOVED_UNARY_BINARY_FUNCTION)
  add_link_options(-stdlib=libc++)
endif()

# lanediff_guides(target...): of the fuzz programs' code only what is under test guides
# the fuzzers; generators, oracle and comparison are not looked at, even where CXXFLAGS
# instrument everything. A build for coverage has no counters of this kind. How deep the
# stack grew does not count: it differs with where the system puts a program.
if(LANEDIFF_FUZZERS AND LANEDIFF_FUZZ_ENGINE)
  add_compile_options(-fno-sanitize=fuzzer-no-link)
endif()
function(lanediff_guides)
  if(LANEDIFF_FUZZERS AND (NOT LANEDIFF_FUZZ_ENGINE OR CMAKE_CXX_FLAGS MATCHES "-fsanitize=fuzzer-no-link"))
    foreach(target ${ARGN})
      target_compile_options(${target} PRIVATE -fsanitize=fuzzer-no-link -fno-sanitize-coverage=stack-depth)
    endforeach()
  endif()
endfunction()

# lanediff_in_batches(target...): what their files include is read once for eight of
# them, which halves a clean build; presets set it. For targets whose files
# don't call different things by one name, as files for an instruction each may. Not
# for tests: there a name of one file hides another's, and nothing objects.
option(LANEDIFF_BATCHES "Compile several files of a library at once" OFF)
function(lanediff_in_batches)
  foreach(target ${ARGN})
    if(TARGET ${target})
      set_target_properties(${target} PROPERTIES
        UNITY_BUILD ${LANEDIFF_BATCHES} UNITY_BUILD_BATCH_SIZE 8)
    endif()
  endforeach()
endfunction()

find_program(CCACHE ccache)
if(CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
  # Clones share what was compiled, wherever they lie; tools of coverage look for
  # sources where they were.
  if(NOT LANEDIFF_COVERAGE AND NOT LANEDIFF_FUZZ_ENGINE)
    list(PREPEND CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
      CCACHE_SLOPPINESS=pch_defines,time_macros)
  endif()
endif()
