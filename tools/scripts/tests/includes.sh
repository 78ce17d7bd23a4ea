# Plants includes in an empty tree: check-includes objects to the wrong ones. Then one
# that the list of a folder lacks: it does not compile.
tree=$folder/tree
plant() { # file, include, expected status
  rm -rf "$tree"
  mkdir -p "$tree/$(dirname "$1")"
  echo "#include $2" >"$tree/$1"
  expect "$3" '' tools/scripts/check-includes "$tree"
}
plant oracle/x.cc '"isa/catalogue.h"' 1
plant emulator/x.h '"isa/memory_map.h"' 1
plant emulator/mutants/x.cc '"isa/catalogue.h"' 1
plant emulator/mutants/x_test.cc '"isa/catalogue.h"' 0
plant emulator/x.cc '"emulator/mutants/mutant.h"' 1
plant differential/x.cc '<boost/multiprecision/cpp_int.hpp>' 1
plant oracle/oracle.h '<boost/multiprecision/cpp_int.hpp>' 1
plant oracle/x.cc '<boost/multiprecision/cpp_int.hpp>' 0
plant oracle/x.cc '<hwy/highway.h>' 1
plant emulator/x.cc '<hwy/highway.h>' 0
plant emulator/x.cc '<nlohmann/json.hpp>' 1
plant generators/exhaustive/a.h '<nlohmann/json.hpp>' 1
plant differential/testcase/x.cc '<nlohmann/json.hpp>' 0
plant tools/cli/verbs/check.cc '<CLI/CLI.hpp>' 1
plant tools/cli/command_line.cc '<CLI/CLI.hpp>' 0
plant tools/history/x.cc '<sqlite3.h>' 1
plant reports/x.cc '"lanediff/target.h"' 1

# With the lists of CMake: FOLDER may include those that come behind it.
forbidden() { # folder, header
  printf '#include "%s"\n' "$2" >"$folder/x.cc"
  local flags
  mapfile -t flags < <(sed -n 's/^lanediff_may_include(\(.*\))$/\1/p' "$1/CMakeLists.txt" | tr ' ' '\n' |
    sed "s,^,-I$layers/,")
  [ "${#flags[@]}" -gt 0 ] || fail "$1/CMakeLists.txt has no list"
  expect 1 "$2: No such file" g++ -std=c++23 -fsyntax-only "${flags[@]}" "$folder/x.cc"
}
layers=${LAYERS:-build/release/layers} # of the build, with a folder for each list
forbidden emulator oracle/oracle.h
forbidden oracle emulator/emulator.h
forbidden isa differential/testcase/case.h
forbidden differential reports/record.h
forbidden generators sanitizer/lint.h
forbidden sanitizer generators/random.h
forbidden reports audit/audit.h
forbidden reports sanitizer/lint.h
forbidden audit tools/cli/common.h
forbidden kernel audit/audit.h
forbidden fuzz reports/record.h
