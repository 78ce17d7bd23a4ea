#!/bin/bash
# Builds the fuzz programs into $OUT, as OSS-Fuzz and ClusterFuzzLite require:
# each program, and beside it NAME_seed_corpus.zip, NAME.dict and NAME.options. They
# set $SRC, $WORK, $OUT, $CXX, $CXXFLAGS and $LIB_FUZZING_ENGINE; the tree is
# $SRC/lanediff.
set -euo pipefail

source=$SRC/lanediff
build=$WORK/lanediff
seeds=$WORK/lanediff-seeds

# No build type: optimization is CXXFLAGS' matter, too. Their clang is newer than
# ours, and so are its warnings.
flags=(-DLANEDIFF_FUZZERS=ON "-DLANEDIFF_FUZZ_ENGINE=$LIB_FUZZING_ENGINE"
  -DLANEDIFF_BATCHES=ON -DLANEDIFF_WERROR=OFF -DBUILD_TESTING=OFF)
case " $CXXFLAGS " in *' -stdlib=libc++ '*) flags+=(-DLANEDIFF_LIBCXX=ON) ;; esac
cmake -G Ninja -S "$source" -B "$build" -DCMAKE_BUILD_TYPE= "${flags[@]}"
cmake --build "$build" --parallel "$(nproc)" --target lanediff-fuzzers lanediff-seeds

rm -rf "$seeds"
mkdir -p "$seeds"
# Built with coverage, it would leave a profile where it is run.
LLVM_PROFILE_FILE=/dev/null ASAN_OPTIONS=detect_leaks=0 "$build/bin/lanediff-seeds" "$source/corpus" "$seeds"
for dictionary in "$seeds"/*.dict; do
  name=$(basename "$dictionary" .dict)
  cp "$build/bin/$name" "$dictionary" "$OUT/"
  (cd "$seeds/${name}_seed_corpus" && cmake -E tar cf "$OUT/${name}_seed_corpus.zip" --format=zip .)
  case $name in
    lanediff-fuzz-case_json) options=case_json ;;
    *) options=case ;;
  esac
  cp "$source/.clusterfuzzlite/$options.options" "$OUT/$name.options"
done
