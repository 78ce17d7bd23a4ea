# Gives tools/scripts/check-oss-fuzz-out folders that it must object to, each with a small
# fuzz program that is wrong in one way, and one that is right.
chmod 755 "$folder"
mkdir "$folder/emulator"


# A target whose output macros select, with enough code for every count.
{
  cat <<'END'
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#ifdef LIBRARY
extern "C" int of_library();
#endif
#ifndef REPORT
#define REPORT "ASSERTION FAILED: FuzzerHash=memory/min/nan/half\n"
#endif
int sink[512];
[[gnu::noinline]] void Deeper() {
  asm volatile("");
  __builtin_trap();
}
int Many(const std::uint8_t* data, std::size_t size) {
END
  for i in {1..160}; do
    echo "  if (size > $i && data[$i] == $((i % 251))) sink[data[$i - 1] + $((i % 200))] += data[$i / 2] << (data[0] & 3);"
  done
  cat <<'END'
  return sink[size % 512];
}
extern "C" [[gnu::nodebug]] int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
#ifdef LIBRARY
  sink[0] += of_library();
#endif
#ifdef EXITS
  std::_Exit(3);
#endif
  if (size > 3 && std::memcmp(data, "boom", 4) == 0) std::abort();
  const char* const target = std::getenv("LANEDIFF_FUZZ_TARGET");
  if (size > 0 && data[0] == 1 && target != nullptr && std::strncmp(target, "mutant:", 7) == 0) {
    std::fputs(REPORT, stderr);
#if defined(GOES_ON)
    return 0;
#elif defined(DEEPER)
    Deeper();
#elif defined(BY_NAME)
    if (std::fgetc(std::fopen("/proc/self/comm", "r")) == 'l') __builtin_trap();
    return 0;
#else
    __builtin_trap();
#endif
  }
  return Many(data, size) & 0;
}
END
} >"$folder/emulator/target.cc"

instrumented=(-fsanitize=fuzzer-no-link)
# NAME FLAGS...: a program, made once.
program() {
  local name=$1
  shift
  # In two steps: the engine instruments what is compiled with it.
  clang++-19 -O1 -gline-tables-only -fno-omit-frame-pointer -Wno-unused-command-line-argument \
    "$@" -c "$folder/${module:-emulator}/target.cc" -o "$folder/target.o"
  clang++-19 "$folder/target.o" "$@" -o "$folder/$name" -fsanitize=fuzzer
}

# A folder as it should be, of program $1.
make_out() {
  local name=lanediff-fuzz-min
  out=$folder/out
  rm -rf "$out" "$folder/seeds"
  mkdir -p "$out" "$folder/seeds"
  cp "$folder/$1" "$out/$name"
  printf '\001\002\003\004' >"$folder/seeds/one"
  head -c 300 /dev/zero | tr '\0' '\011' >"$folder/seeds/two"
  pack
  printf '# words\n"\\x01\\"a"\nname="b"\n' >"$out/$name.dict"
  printf '[libfuzzer]\nmax_len = 4096\n' >"$out/$name.options"
}
pack() { (cd "$folder/seeds" && cmake -E tar cf "$out/lanediff-fuzz-min_seed_corpus.zip" --format=zip .); }

look() { # the check, or none for all
  tools/scripts/check-oss-fuzz-out "$out" --sanitizer "${sanitizer:-address}" --also libstdc++.so.6 ${1:+--check "$1"} \
    ${sources:+--sources "$sources"} ${program:+--program "$program"} 2>&1
}
right() { # what is right
  local output program=lanediff-fuzz-min
  output=$(look) || fail "$1: it is right, and objected to: $output"
}
wrong() { # check, text of the output
  local output
  if output=$(look "$1") || [[ "$output" != *"$2"* ]]; then fail "expected \"$2\": $output"; fi
  count=$((count + 1))
}
spoil() { # check, text of the output, command that spoils a right folder
  make_out good
  (cd "$out" && eval "$3")
  wrong "$1" "$2"
}

address=(-fsanitize=address "${instrumented[@]}")
program good "${address[@]}"
make_out good
right 'a good program'

spoil targets 'no regular file' 'mv lanediff-fuzz-min p; ln -s p lanediff-fuzz-min; mv p ..'
spoil targets 'not taken for a fuzz program' 'printf "#!/bin/sh\n" >lanediff-fuzz-min'
spoil targets "can't be run" 'chmod a-x lanediff-fuzz-min'
spoil targets 'no fuzz program is in it' 'rm -f lanediff-fuzz-min'
spoil targets 'the name of a fuzz program' 'cp lanediff-fuzz-min min.bin'
spoil targets 'other.dict: targets: belongs to no fuzz program' 'cp lanediff-fuzz-min.dict other.dict'
spoil targets 'lanediff-fuzz-min.dict is missing' 'rm lanediff-fuzz-min.dict'
spoil dict 'lanediff-fuzz-min.dict is missing' 'ln -sf nowhere lanediff-fuzz-min.dict'
spoil dict 'line 2: found b"' 'printf "\"a\"\nb\"\n" >lanediff-fuzz-min.dict'
spoil dict 'line 1: found "a\q"' 'printf "\"a\\\\q\"\n" >lanediff-fuzz-min.dict'
spoil dict 'file does not exist or is empty' ': >lanediff-fuzz-min.dict'
spoil dict 'line 1: 100 bytes' 'printf "\"%0100d\"\n\"a\"\n" 0 >lanediff-fuzz-min.dict'
spoil options 'max_length: no such option' 'printf "[libfuzzer]\nmax_length = 3\n" >lanediff-fuzz-min.options'
spoil options 'a number is expected' 'printf "[libfuzzer]\nmax_len = much\n" >lanediff-fuzz-min.options'
spoil options 'quarantine: no such option' 'printf "[asan]\nquarantine = 3\n" >lanediff-fuzz-min.options'
spoil options 'section [libfuzz]' 'printf "[libfuzz]\nmax_len = 3\n" >lanediff-fuzz-min.options'
spoil options "can't be read" 'printf "max_len = 3\n" >lanediff-fuzz-min.options'
spoil seeds 'with its seeds' 'printf boom >../seeds/three; pack'
spoil seeds 'one has 5000 bytes; max_len is 4096' 'head -c 5000 /dev/zero >../seeds/three; pack'
spoil seeds "can't be unpacked" 'printf PK >lanediff-fuzz-min_seed_corpus.zip'
spoil seeds '1 seeds reach' 'rm ../seeds/*; : >../seeds/empty; pack'
spoil findings 'does not end it as a crash' 'printf "\002" >../seeds/one; pack'

# All are requested, and one is not there or has another name.
spoil findings 'lanediff-fuzz-max: findings: no such fuzz program; mutant:max-half-nan-dropped is run by none' 'true'
spoil findings 'lanediff-fuzz-mine: findings: no wrong target is known for it' \
  'for file in *; do mv "$file" "${file/min/mine}"; done'

bad() { # check, text of the output, flags of the program
  local check=$1 text=$2
  shift 2
  program bad "$@"
  make_out bad
  wrong "$check" "$text"
}
bad calls 'calls of asan; 1000 are expected' "${instrumented[@]}"
bad calls 'it is instrumented for another sanitizer, too' -fsanitize=undefined "${address[@]}"
bad start 'looks at 0 edges' -fsanitize=address
bad start 'status 3 at the start' -DEXITS "${address[@]}"
bad findings 'does not end it as a crash: status 0' -DGOES_ON "${address[@]}"
bad findings 'not by its signature' '-DREPORT=""' "${address[@]}"
bad findings 'not by its signature' '-DREPORT="ASSERTION FAILED: memory/min/nan/half\n"' "${address[@]}"
bad findings 'known by the stack of the harness, too: Deeper' -DDEEPER "${address[@]}"
bad findings 'run again elsewhere, status 0' -DBY_NAME "${address[@]}"

echo 'extern "C" int of_library() { return 1; }' >"$folder/library.cc"
clang++-19 -shared -fPIC "$folder/library.cc" -o "$folder/libown.so"
program bad -DLIBRARY "${address[@]}" "$folder/libown.so" "-Wl,-rpath,$folder"
make_out bad
wrong binary 'looks for libraries where it was built'
program bad -DLIBRARY "${address[@]}" "-L$folder" -lown
make_out bad
wrong binary 'needs libown.so, which is in no image'
wrong binary 'a library is missing: libown.so'

sanitizer=undefined
undefined=(-fsanitize=undefined "${instrumented[@]}")
program bad "${undefined[@]}"
make_out bad
right 'a program with UBSan'
make_out good
wrong calls 'calls of asan; at most 0 are expected'
program bad "${instrumented[@]}"
make_out bad
wrong calls 'calls of ubsan; 168 are expected'
sanitizer=none
right 'a program without a sanitizer'
make_out good
wrong calls 'it is instrumented for another sanitizer, too'

sanitizer=coverage
make_out bad
wrong calls 'nothing is checked: calls is not for --sanitizer coverage'
wrong start 'counts edges'
wrong coverage '0 profiles'
program bad -fprofile-instr-generate -fcoverage-mapping
make_out bad
right 'a program for coverage'
sources=$folder
right 'a program for coverage, with its sources'
mkdir "$folder/moved"
mv "$folder/emulator" "$folder/moved/"
sources=$folder/moved
right 'a program for coverage, with its sources elsewhere'
mv "$folder/moved/emulator" "$folder/"
sources=$PWD
wrong coverage 'no such source'
mv "$folder/emulator" "$folder/reader"
module=reader program bad -fprofile-instr-generate -fcoverage-mapping
make_out bad
wrong coverage 'no line of /emulator/ is covered'

for wrong in '--sanitizer memory' '--fast' '--sanitizer'; do
  # shellcheck disable=SC2086
  expect 2 '' tools/scripts/test-oss-fuzz $wrong
done
