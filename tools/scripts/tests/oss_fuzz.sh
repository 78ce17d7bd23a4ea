# Gives tools/scripts/test-oss-fuzz folders that it must object to, each with a small fuzz
# program that is wrong in one way, and one that is right.
chmod 755 "$folder"
mkdir "$folder/emulator"
# A target whose output macros select, with enough code for every count.
{
  cat <<'END'
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
int sink[512];
int Many(const std::uint8_t* data, std::size_t size) {
END
  for i in {1..160}; do
    echo "  if (size > $i && data[$i] == $((i % 251))) sink[data[$i - 1] + $((i % 200))] += data[$i / 2] << (data[0] & 3);"
  done
  cat <<'END'
  return sink[size % 512];
}
extern "C" [[gnu::nodebug]] int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 3 && std::memcmp(data, "boom", 4) == 0) std::abort();
  const char* const target = std::getenv("LANEDIFF_FUZZ_TARGET");
  if (size > 0 && data[0] == 1 && target != nullptr && std::strncmp(target, "mutant:", 7) == 0) {
    std::fputs(REPORT, stderr);
    CRASH;
  }
  return Many(data, size) & 0;
}
END
} >"$folder/emulator/target.cc"
program() { # name, flags...: made once; the engine instruments what is compiled with it
  clang++-19 -O1 -gline-tables-only -fno-omit-frame-pointer -Wno-unused-command-line-argument \
    '-DREPORT="ASSERTION FAILED: FuzzerHash=memory/min/nan/half\n"' '-DCRASH=__builtin_trap()' "${@:2}" \
    -c "$folder/${module:-emulator}/target.cc" -o "$folder/target.o" 2>/dev/null
  clang++-19 "$folder/target.o" "${@:2}" -o "$folder/$1" -fsanitize=fuzzer
}
make_out() { # name of a program: a folder as it should be
  rm -rf "$folder/out" "$folder/seeds"
  mkdir -p "$folder"/{out,seeds}
  cp "$folder/$1" "$folder/out/lanediff-fuzz-min"
  printf '\001\002\003\004' >"$folder/seeds/one"
  head -c 300 /dev/zero | tr '\0' '\011' >"$folder/seeds/two"
  pack
  printf '# words\n"\\x01\\"a"\nname="b"\n' >"$folder/out/lanediff-fuzz-min.dict"
  printf '[libfuzzer]\nmax_len = 4096\n' >"$folder/out/lanediff-fuzz-min.options"
}
pack() { (cd "$folder/seeds" && cmake -E tar cf "$folder/out/lanediff-fuzz-min_seed_corpus.zip" --format=zip .); }
sanitizer=address
check() { # status, text of the output
  expect "$1" "$2" tools/scripts/test-oss-fuzz --out "$folder/out" --sanitizer "$sanitizer"
}
spoil() { # text of the output, commands that spoil a right folder
  make_out good
  (cd "$folder/out" && eval "$2")
  check 1 "$1"
}
bad() { # text of the output, flags of the program
  program bad "${@:2}"
  make_out bad
  check 1 "$1"
}
instrumented=(-fsanitize=fuzzer-no-link)
address=(-fsanitize=address "${instrumented[@]}")
program good "${address[@]}"
make_out good
check 0 'address: 1 programs, 0 objections'

min=lanediff-fuzz-min
spoil 'no regular file' "mv $min ../p; ln -s ../p $min"
spoil 'LLVMFuzzerTestOneInput in it' "printf '#!/bin/sh\n' >$min"
spoil 'OUT: files: no fuzz program is in it' 'rm *'
spoil 'letters, digits' "cp $min min.bin"
spoil 'other.dict: files: belongs to no fuzz program' "cp $min.dict other.dict; rm $min"
spoil 'lanediff-fuzz-min.dict is missing' "rm $min.dict"
spoil 'ParseDictionaryFile: error in line 2' "printf '\"a\"\nb\"\n' >$min.dict"
spoil '2 words, of which libFuzzer does not take all' "printf '\"%0100d\"\n\"a\"\n' 0 >$min.dict"
spoil "unrecognized flag '-max_length=3'" "printf '[libfuzzer]\nmax_length = 3\n' >$min.options"
spoil "expected ['libfuzzer']" "printf '[asan]\nquarantine = 3\n' >$min.options"
spoil "files: can't be read" "printf PK >${min}_seed_corpus.zip"
spoil 'seeds: status' 'printf boom >../seeds/three; pack'
spoil 'more than max_len' 'head -c 5000 /dev/zero >../seeds/three; pack'
spoil 'they reach' 'rm ../seeds/*; : >../seeds/empty; pack'
bad 'of asan; expected at least 1000' "${instrumented[@]}"
bad '0 edges; expected at least 100' -fsanitize=address
bad 'expected one signature' -UREPORT '-DREPORT="ASSERTION FAILED: memory/min/nan/half\n"' "${address[@]}"
bad 'status 0' -UCRASH '-DCRASH=if (std::fgetc(std::fopen("/proc/self/comm", "r")) == 108) __builtin_trap(); return 0' "${address[@]}"
echo 'extern "C" int unused() { return 1; }' | clang++-19 -x c++ -shared -fPIC - -o "$folder/libown.so"
bad 'needs libown.so, which is in no image' "${address[@]}" "-L$folder" -Wl,--no-as-needed -lown "-Wl,-rpath,$folder"
[[ "$out" == *'looks for them where it was built'* ]] || fail 'the path of libraries is not reported'

sanitizer=undefined
make_out good
check 1 'of asan; expected at most 0'
bad 'of ubsan; expected at least 168' "${instrumented[@]}"
sanitizer=none check 0 ' 0 objections'
sanitizer=coverage
check 1 'counts edges, which is in the way of coverage'
program bad -fprofile-instr-generate -fcoverage-mapping
make_out bad
check 0 ' 0 objections'
mv "$folder/emulator" "$folder/reader"
module=reader bad 'coverage: no line of /emulator/ is covered' -fprofile-instr-generate -fcoverage-mapping
expect 2 '' tools/scripts/test-oss-fuzz --out "$folder"
