# Gives tools/scripts/image-tree programs whose libraries packages have, and one that none has.
mkdir "$folder"/{fuzzers,libraries}
cp /bin/true "$folder/fuzzers/lanediff-fuzz-min"
export LANEDIFF=/bin/bash LANEDIFF_FUZZERS=$folder/fuzzers
expect 0 '' tools/scripts/image-tree "$folder/tree"
packages=$(<"$folder/tree/usr/share/lanediff/packages.txt")
[ "$packages" = $'libc6\nlibtinfo6\npython3' ] || fail "packages of bash: $packages"
cp "$(ldd /bin/bash | sed -n 's/.* => \(.*libtinfo[^ ]*\) .*/\1/p')" "$folder/libraries/"
LD_LIBRARY_PATH=$folder/libraries expect 2 ': no package has it' tools/scripts/image-tree "$folder/other"
[[ "$out" == *"$folder/libraries/libtinfo"* ]] || fail 'the library is not named'
