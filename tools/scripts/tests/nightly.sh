# Runs script/nightly in a tree with fake builds and a fake lanediff: the statuses of its
# stages decide its status, and an incomplete stage is reported.
mkdir -p "$folder"/{script,tools/scripts,build/release/bin,emulator/mutants}
touch "$folder"/emulator/mutants/{11..28}.patch
cp script/nightly "$folder/script/"

lanediff() { # its commands, for a verb in $1
  fake build/release/bin/lanediff 'echo "$@" >>calls; '"$1"
}
nightly() { # status, text of the output, arguments...
  rm -f "$folder/calls"
  PATH=$folder/bin:$PATH expect "$1" "$2" env -C "$folder" script/nightly "${@:3}"
}
expect_line() { # regular expression of a line of stages.txt
  grep -qxE "$1" "$folder/out/stages.txt" || fail "stages.txt: expected $1 in: $(cat "$folder/out/stages.txt")"
}

fake bin/cmake true
fake script/bootstrap true
fake tools/scripts/mutation-test 'echo "patch rule found by"; echo "one A-B corpus 1"; echo "$@" >>calls'
fake build/release/bin/lanediff-replay 'echo "5 cases: 5 agree"; echo "$@" >>calls'
lanediff 'true'
nightly 0 'nightly: first result: 5 cases: 5 agree'
[ "$(head -1 "$folder/calls")" = corpus ] || fail 'the first result is not of the corpus'
[[ "$out" == *'results in out/'* ]] || fail 'no last line'
for name in replay sweep mutants patches fuzz generate audit; do expect_line "stage $name 0 [0-9]+"; done
! grep -q unfinished "$folder/out/stages.txt" || fail 'nothing was left out'
# An hour ends what hangs; a lower limit would hide patches that survive.
patches=$(cd "$folder" && echo emulator/mutants/*.patch)
grep -qx -e "--seconds 3600 $patches" "$folder/calls" || fail 'mutation-test is cut off, or plants another number'
grep -q '^mutants --every-checker --floor ' "$folder/calls" || fail 'a checker is not measured alone'
# A short run leaves a part out, and reports it.
nightly 0 'a short run: plants 2 of 18 patches, each tenth from number 7' --seconds 60 --seed 6
grep -qx -e '--seconds 3600 emulator/mutants/17.patch emulator/mutants/27.patch' "$folder/calls" || fail 'other patches of a short run'
[ "$(grep -c '^[12][0-9] - left-out$' "$folder/out/patches.txt")" -eq 16 ] || fail 'patches.txt is silent on what was left out'
grep -q '^mutants --seconds ' "$folder/calls" || fail 'a short run measures each checker alone'
nightly 0 'of 18 patches, each tenth from number ' --seconds 299

# What the first result reports counts.
fake build/release/bin/lanediff-replay 'echo "disagree one"; exit 1'
nightly 1 'nightly: first result: disagree one'
expect_line 'stage audit 0 [0-9]+'
fake build/release/bin/lanediff-replay true

# Out of time is neither found nor missed, and a disagreement beats both.
lanediff '[ $1 != mutants ] || { echo "{\"summary\": {\"notFinished\": 3}}" >out/mutants.json; exit 2; }'
nightly 2 'mutants left something out after '
expect_line 'stage mutants 2 [0-9]+ unfinished'
expect_line 'stage audit 0 [0-9]+'
lanediff 'case $1 in mutants) echo "{\"summary\": {\"notFinished\": 0}}" >out/mutants.json; exit 1;; check) exit 2;; esac'
nightly 1 ''
expect_line 'stage mutants 1 [0-9]+'
fake tools/scripts/mutation-test 'printf "%s\n" "patch rule" "one A-B unfinished sweep"; exit 2'
lanediff true
nightly 2 'patches left something out'
expect_line 'stage patches 2 [0-9]+ unfinished'
fake tools/scripts/mutation-test true

# A stage has its share of the time, and is then interrupted. Here the time is over for
# the sweep when it is ready, and for the others never.
fake bin/timeout 'echo "$@" >>calls; exec /usr/bin/timeout "${@:1:6}" 1000 "${@:8}"'
# timeout handles the alarm once it sleeps, and bash may miss a signal just before `wait`.
lanediff '[ $1 = sweep ] || exit 0
  trap "echo \"{\\\"complete\\\": false}\" >out/sweep.json; exit 2" INT
  until grep -q "^State:.S" "/proc/$PPID/status"; do sleep 0.01; done
  kill -ALRM "$PPID"
  for ((n = 0; n < 3000; ++n)); do sleep 0.1; done'
nightly 2 'sweep left something out' --share 1
expect_line 'stage sweep 2 [0-9]+ unfinished'
grep -q '^--foreground --preserve-status -s INT -k 60 1 .*/lanediff sweep ' "$folder/calls" || fail 'sweep does not get its share'
grep -q '^mutants .*--seconds 1 ' "$folder/calls" || fail 'mutants does not get its share'
nightly 2 'usage: ' --share 0

# Beside another run of the same tree: refused, and its results stay.
exec {lock}>"$folder/out/.nightly.lock"
flock "$lock"
lanediff true
echo kept >"$folder/out/stages.txt"
nightly 2 'another run is at work in'
[ "$(wc -l <<<"$out")" -eq 1 ] && [ ! -e "$folder/calls" ] || fail 'not refused in one line'
expect_line kept
exec {lock}>&-

# Ended from outside: not 0, and no further stage.
lanediff '[ $1 != sweep ] || kill -TERM $(cat pid)'
rm -f "$folder/calls"
PATH=$folder/bin:$PATH expect 2 '' env -C "$folder" bash -c 'echo $$ >pid; exec script/nightly'
! grep -q '^audit' "$folder/calls" || fail 'goes on after an interrupt'
