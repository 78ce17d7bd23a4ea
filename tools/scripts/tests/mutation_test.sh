# Gives tools/scripts/mutation-test patches that it must object to: one that no checker
# can find, one that no longer applies, and some that are no patch of emulator or
# oracle.

patch() { # name, module, text in vec_trans.cc, what stands there instead, emulator or oracle
  local file=${5:-emulator}/vec_trans.cc text
  mkdir -p "$folder"/{a,b}/"${file%/*}"
  cp "$file" "$folder/a/$file"
  text=$(<"$file")
  printf '%s\n' "${text/"$3"/"$4"}" >"$folder/b/$file"
  printf 'Defect: for a test\nRule: VT-TRANSPOSE\nModule: %s\nTarget: emulator:plain\n\n' "$2" >"$folder/$1.patch"
  (cd "$folder" && diff -u "a/$file" "b/$file" >>"$1.patch") || true
}

patch stale vec_trans 'kSide = 16' 'kSide = 17'
sed -i '/^-/s/kSide/kSize/' "$folder/stale.patch"
patch nowhere attic 'kSide = 16' 'kSide = 17'
patch elsewhere vec_trans '' ''
printf -- '--- /dev/null\n+++ b/isa/new.h\n@@ -0,0 +1 @@\n+#pragma once\n' >>"$folder/elsewhere.patch"
echo 'no patch' >"$folder/text.patch"
expect 2 'does not apply: error: ' tools/scripts/mutation-test --applies "$folder/stale.patch"
expect 2 'Module: "attic"; ' tools/scripts/mutation-test --applies "$folder/nowhere.patch"
expect 2 'changes nothing' tools/scripts/mutation-test --applies "$folder/elsewhere.patch"
expect 2 'has no line "Defect: ..."' tools/scripts/mutation-test --applies "$folder/text.patch"
expect 2 "can't be read" tools/scripts/mutation-test --applies "$folder/none.patch"
expect 2 'usage: ' tools/scripts/mutation-test --cases many

patch equivalent vec_trans 'kSide = 16' 'kSide = 15 + 1'
patch defect vec_trans 'kSide = 16' 'kSide = 15'
patch equivalent-oracle vec_trans 'kSide = 16' 'kSide = 15 + 1' oracle
patch defect-oracle vec_trans 'kSide = 16' 'kSide = 15' oracle
# Nothing hides one that survives.
expect 1 "$folder/stale.patch: does not apply" tools/scripts/mutation-test --cases 100 \
  "$folder"/{equivalent,equivalent-oracle,stale,defect,defect-oracle}.patch emulator/mutants/kernel-compares-nothing.patch
hunts=$(tr -s ' ' <<<"$out")
for line in 'equivalent VT-TRANSPOSE survives' 'equivalent-oracle VT-TRANSPOSE survives' 'stale VT-TRANSPOSE does not' \
  'defect VT-TRANSPOSE corpus' 'defect-oracle VT-TRANSPOSE unit' 'kernel-compares-nothing VALUE unit'; do
  [[ $'\n'"$hunts" == *$'\n'"$line"* ]] || fail "expected \"$line\""
done
expect 2 'does not apply' tools/scripts/mutation-test "$folder/stale.patch"
expect 2 'unfinished corpus sweep generated' tools/scripts/mutation-test --seconds 0.01 "$folder/equivalent.patch"
