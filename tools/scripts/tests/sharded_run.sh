# Runs tools/deploy/sharded-run with a fake lanediff: shards are killed at each write to
# disk, interrupted and run out of disk space; their results are damaged, lost, doubled
# or of another run. The test checks each report.
export PATH=$folder/bin:$PATH LANEDIFF=$folder/lanediff LANEDIFF_FUZZERS=$folder/fuzzers LANEDIFF_CORPUS=$folder/cases
# Variables that control tools/deploy/sharded-run or the fake program.
unset JOB_COMPLETION_INDEX JOB_COMPLETIONS GTEST_SHARD_INDEX GTEST_TOTAL_SHARDS SHARDS LANEDIFF_ARRAY \
  LANEDIFF_AGAIN PROGRAM MERGE VERSION AT_VERSION KILL_AT QUEUED RESTARTED status complete "${!STAGE_@}" "${!SLURM_@}"
mkdir -p "$folder"/{fuzzers,cases}
touch "$folder/fuzzers/lanediff-fuzz-min"
out=$folder/out
calls=$folder/calls

# Each verb writes its document, after the commands in STAGE_VERB or MERGE.
cat >"$LANEDIFF" <<'END'
#!/bin/bash
echo "$@" >>"${0%/*}/calls"
verb=$1 name=$1 shard= out= json= folders=()
case $verb in
  --version) eval "${AT_VERSION:-}"; echo "${VERSION:-1.0.0+abc}"; exit ;;
  index) touch "$2/index.html"; exit ;;
esac
while [ $# -gt 0 ]; do
  case $1 in
    --shard) shard=$2 ;;
    --out) out=$2 ;;
    --json) json=$2 ;;
    --verb) verb=$2 ;;
    /*) folders+=("$1") ;;
  esac
  shift
done
[ "$name" = merge ] && stage=MERGE || stage=STAGE_$verb
eval "${!stage:-}"
if [ "$name" = merge ]; then
  mkdir -p "$out/findings"
  for folder in "${folders[@]}"; do
    cat "$folder/$verb".*-of-*.json >>"$out/$verb.json"
    [ ! -d "$folder/findings" ] || cp "$folder"/findings/* "$out/findings"
  done
  echo page >"$out/index.html"
else
  [ -z "$out" ] || mkdir -p "$out"
  document=$out/$verb.${shard/\//-of-}.json
  if [ "$shard" = 0/1 ]; then document=${json:-$out/audit.json}; fi
  if [ "$verb" = sweep ]; then mkdir -p "$out/findings"; echo "case of $shard" >"$out/findings/of-${shard%/*}.json"; fi
  printf '{\n  "verb": "%s",\n  "complete": %s\n}\n' "$verb" "${complete:-true}" >"$document"
fi
echo "text of $verb $shard"
exit "${status:-0}"
END
# At the call number KILL_AT the whole run is killed: each write to disk is before and
# behind a call.
cat >"$folder/bin/sync" <<'END'
#!/bin/bash
count=$(($(cat "${0%/*}/../syncs") + 1))
echo "$count" >"${0%/*}/../syncs"
[ "$count" != "${KILL_AT:-}" ] || kill -KILL "$(cat "${0%/*}/../pid")"
END
chmod +x "$LANEDIFF" "$folder/bin/sync"

fail() { # what is wrong
  echo "FAILED: $1"
  cat "$folder/output"
  exit 1
}
expect() { # status, text of the output, arguments...
  local status=0 wanted=$1 text=$2
  shift 2
  echo 0 >"$folder/syncs"
  : >"$calls"
  { bash -c 'echo $$ >"$0"; exec "$@"' "$folder/pid" "${PROGRAM:-tools/deploy/sharded-run}" "$@" >"$folder/output" 2>&1; } 2>/dev/null || status=$?
  [ "$status" -eq "$wanted" ] || fail "sharded-run $*: status $status, expected $wanted"
  [ -z "$text" ] || grep -qF -e "$text" "$folder/output" || fail "sharded-run $*: expected \"$text\""
  count=$((count + 1))
}
shards() { # how many, options of tools/deploy/sharded-run...
  local i n=$1
  shift
  for ((i = 0; i < n; ++i)); do expect 0 'is whole' shard "$i/$n" --out "$out" "$@"; done
}
refused() { # text of the output; merging leaves nothing
  expect 2 "$1" merge 3 --out "$out"
  [ ! -e "$out/merged" ] && [ ! -e "$out/.merged.new" ] || fail "merge writes though $1"
}
called() { # regular expression: lanediff is called so
  grep -qE "$1" "$calls" || fail "no call $1 in: $(cat "$calls")"
}
not_called() {
  ! grep -qE "$1" "$calls" || fail "called $1: $(cat "$calls")"
}

# A run of three shards; finished work is not done again.
shards 3
called '^fuzz --jobs 0 --shard 2/3 --seconds 300 --seed 0 --fuzzers '
called '^check corpus --jobs 0 --shard 2/3 '
expect 0 'is whole already' shard 1/3 --out "$out"
not_called shard
cp -r "$out" "$folder/good"
expect 0 'verdict 0' merge 3 --out "$out"
for file in index.html stages.txt replay.json sweep.json sweep/index.html exhaust.txt mutants.json fuzz.json audit findings/of-0.json findings/of-2.json; do
  [ -e "$out/merged/$file" ] || fail "no $file"
done
grep -qx 'commit abc' "$out/merged/stages.txt" || fail 'no commit'
[ "$(sed -n 's/^stage \([a-z]*\) 0 [0-9]*$/\1/p' "$out/merged/stages.txt" | paste -sd ' ')" = 'replay sweep exhaust mutants fuzz audit' ] || fail 'not the stages'
[ ! -e "$out/.merged.new" ] || fail 'something is left'
expect 0 'of these shards already; verdict 0' merge 3 --out "$out"
not_called merge

# One shard is the run itself.
rm -rf "$out"
shards 1
called '^check corpus --jobs 0 --shard 0/1 --json merged/check.json '
expect 0 'verdict 0' merge 1 --out "$out"
[ -s "$out/merged/replay.json" ] || fail 'no replay.json of one shard'

# A shard that is damaged, lost, doubled or of another run is reported; nothing is merged.
damaged() { # text of the output, commands in the folder of the run
  rm -rf "$out"
  cp -r "$folder/good" "$out"
  (cd "$out" && eval "$2")
  refused "$1"
}
damaged 'shard 1/3 is missing: no ' 'rm -r 1-of-3'
damaged 'shard 2/3 is not whole: no ' 'rm 2-of-3/whole.txt'
damaged 'shard 2/3 is damaged: ' "sed -i '\$d' 2-of-3/whole.txt"
damaged 'shard 0/3 is damaged: ' 'truncate -s 200 0-of-3/whole.txt'
damaged 'holds shard 1/3, which is there twice' 'rm -r 2-of-3; cp -r 1-of-3 2-of-3'
damaged '1-of-4: is there, but 3 shards are to be merged' 'cp -r 1-of-3 1-of-4'
damaged 'shard 0/3 is damaged: ' 'rm 0-of-3/sweep/findings/of-0.json'
damaged 'shard 1/3 is damaged: ' 'echo >>1-of-3/replay/check.1-of-3.json'
expect 0 'is damaged; its damaged stages are run again' shard 1/3 --out "$out"
called '^check '
not_called '^sweep '
expect 0 'verdict 0' merge 3 --out "$out"
# `exhaust` writes no case again that its earlier calls have found.
rm -rf "$out"
cp -r "$folder/good" "$out"
rm -r "$out/1-of-3"
export STAGE_exhaust='[ -e "$out/left" ] || { mkdir -p "$out/findings"; touch "$out/left"; echo lost >"$out/findings/lost.json"; }'
expect 0 'is whole' shard 1/3 --out "$out"
rm "$out/1-of-3/exhaust/findings/lost.json"
refused 'shard 1/3 is damaged: '
expect 0 'is damaged; its damaged stages are run again' shard 1/3 --out "$out"
not_called '^sweep '
[ -s "$out/1-of-3/exhaust/findings/lost.json" ] || fail 'exhaust goes on from what is damaged'
expect 0 'verdict 0' merge 3 --out "$out"
unset STAGE_exhaust
# Slurm is given those shards again that are damaged or missing.
printf '#!/bin/bash\necho "$@" >>"%s"\necho 7\n' "$folder/submitted" >"$folder/bin/sbatch"
chmod +x "$folder/bin/sbatch"
submitted() { # output of submit, a pattern of its submission, options...
  : >"$folder/submitted"
  [ "$(tools/deploy/slurm/submit --out "$out" --shards 3 "${@:3}" | paste -sd ' ')" = "$1" ] || fail "submit does not print $1"
  grep -qE -e "$2" "$folder/submitted" || fail "submit: not $2: $(cat "$folder/submitted")"
  count=$((count + 1))
}
submitted 'merge 7' "merge.sbatch .*/deploy/slurm/.. $out 3 10 2 -- --out $out --shards 3\$"
rm "$out/1-of-3/exhaust/findings/lost.json"
submitted 'shards 7 merge 7' '--array=1 .*/shard.sbatch'
rm -r "$out/2-of-3"
submitted 'shards 7' '--array=1,2 .*/shard.sbatch' --no-merge
# A merge that was killed when it had submitted shards waits for them, though it wrote
# no id; and shards of which only the tries are over are submitted again.
cat >"$folder/bin/squeue" <<END
#!/bin/bash
for down in "$folder"/down-\${*: -1}; do
  [ ! -e "\$down" ] || { rm "\$down"; exit 1; }
done
[ -z "\${QUEUED:-}" ] || [[ "\$*" != *"\$QUEUED" && "\$*" != *"-j 7" ]] || { echo 7; exit; }
[[ "\$*" != *"-j 7" ]] || { echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1; }
END
printf '#!/bin/bash\necho "$@" >>"%s"\n' "$folder/submitted" >"$folder/bin/scontrol"
fake bin/sleep '[ "$1" = 600 ] || [ "$1" = 10 ] || exec /bin/sleep "$@"'
chmod +x "$folder"/bin/{squeue,scontrol,sleep}
merge_job() { # its calls of Slurm, as lines; its status. A task of an array submitted it
  local status=0
  [ -n "${GOES_ON:-}" ] || rm -f "$out"/log/merge-9.*
  : >"$folder/submitted"
  SLURM_ARRAY_JOB_ID=4 SLURM_RESTART_COUNT=${RESTARTED:-0} SLURM_JOB_ID=9 bash tools/deploy/slurm/merge.sbatch tools/deploy "$out" 3 10 2 -- \
    --out "$out" --shards 3 --sbatch --job-name=mine >"$folder/output" 2>&1 || status=$?
  [ "$status" -eq "${2:-0}" ] || fail "the merge ends with $status"
  [[ "$(<"$folder/submitted")" == $1 ]] || fail "the merge calls: $(cat "$folder/submitted")"
  count=$((count + 1))
}
waits=$'requeue 9\nupdate JobId=9 Dependency=afterany:7'
merge_job "*--job-name=mine *--job-name=lanediff-shard-of-9 *--array=1,2 *$waits"
QUEUED=lanediff-shard-of-9 merge_job "$waits"
[ "$(<"$out/log/merge-9.submitted")" = 7 ] || fail 'what it finds is no round'
for query in lanediff-shard-of-9 7; do # squeue fails, once
  touch "$folder/down-$query"
  QUEUED=lanediff-shard-of-9 merge_job "$waits"
  [ ! -e "$folder/down-$query" ] || fail "squeue is not queried for $query"
done
# A shard of which another try would fail is named, and the others are submitted again,
# as often as --rounds allows.
echo 2 >"$out/log/shard-2.status"
merge_job "*--array=1 *$waits"
grep -q 'another try of shards 2 would fail' "$folder/output" || fail 'a failed shard is not named'
GOES_ON=1 merge_job "*--array=1 *$waits"
GOES_ON=1 merge_job '' 2
rm "$out/log/shard-2.status"
# Slurm refuses: the merge names what is missing. A full disk is no verdict.
mv "$folder/bin/sbatch" "$folder/sbatch"
fake bin/sbatch 'exit 1'
merge_job '' 2
grep -q 'shard 1/3 is damaged' "$folder/output" || fail 'what is missing is not named'
mv "$folder/sbatch" "$folder/bin/sbatch"
rm -f "$out"/log/merge-9.*
mkdir "$out/log/merge-9.submitted"
GOES_ON=1 merge_job '' 75
rmdir "$out/log/merge-9.submitted"
# Its waits are no tries; when these are over, it stays without a verdict.
flock --no-fork "$out/.merged.lock" sleep 300 &
holder=$!
while flock -n "$out/.merged.lock" true; do :; done
for tries in '11 requeue 9' '12 '; do
  printf '7\n7\n' >"$out/log/merge-9.submitted"
  cp "$out"/log/merge-9.{submitted,waited}
  RESTARTED=${tries%% *} GOES_ON=1 merge_job "${tries#* }" "$([ "$tries" = '12 ' ] && echo 75 || echo 0)"
done
kill "$holder"
wait
status=0
SLURM_JOB_ID=5 SLURM_ARRAY_TASK_ID=2 SLURM_RESTART_COUNT=10 STAGE_sweep='kill -KILL $$' \
  bash tools/deploy/slurm/shard.sbatch tools/deploy "$out" 3 10 >"$folder/output" 2>&1 || status=$?
[ "$status" -eq 2 ] || fail "status $status of a task whose tries are over"
merge_job "*--array=1,2 *$waits"
rm "$folder"/bin/{squeue,scontrol,sleep}
other() { # text of the output, options of the other run, to which one shard belongs
  rm -rf "$out" "$folder/other"
  cp -r "$folder/good" "$out"
  expect 0 'is whole' shard 1/3 --out "$folder/other" "${@:2}"
  cp -rT "$folder/other/1-of-3" "$out/1-of-3"
  refused "shard 1/3 is of another run: $1"
  VERSION='' LANEDIFF_CORPUS=$folder/cases LANEDIFF_FUZZERS=$folder/fuzzers expect 2 'of another run: ' shard 1/3 --out "$out"
}
VERSION=1.0.0+def other '"version 1.0.0+def" here, but "version 1.0.0+abc"'
other '"options seconds 9 share 3600 seed 0" here' --seconds 9
mkdir -p "$folder/more/min"
touch "$folder/more/min/one.json"
LANEDIFF_CORPUS=$folder/more other '"corpus '
mkdir "$folder/others"
echo other >"$folder/others/lanediff-fuzz"
ln -s lanediff-fuzz "$folder/others/lanediff-fuzz-min"
LANEDIFF_FUZZERS=$folder/others other '"fuzzers '
printf 'sweep sweep --target "plugin:%s/a model.so"\naudit audit --target="exec:python3 %s/model.py --log %s/log"\n' "$folder" "$folder" "$folder" >"$folder/plan"
touch "$folder"/{a\ model.so,model.py}
rm -rf "$out"
shards 1 --plan "$folder/plan"
for file in 'a model.so' model.py; do
  cp "$folder/$file" "$folder/before"
  echo other >"$folder/$file"
  expect 2 "of another run: \"target $folder/$file " shard 0/1 --out "$out" --plan "$folder/plan"
  mv "$folder/before" "$folder/$file"
done
touch "$folder/log" # is no part of a target
expect 0 'is whole already' shard 0/1 --out "$out" --plan "$folder/plan"
grep -v mutants tools/deploy/run.plan >"$folder/plan"
other 'nothing here, but "plan mutants mutants --checker corpus,sweep,guided"' --plan "$folder/plan"
rm -rf "$out"
cp -r "$folder/good" "$out"
VERSION=1.0.0+def refused 'the shards are of 1.0.0+abc, but '
# The commit of a version whose tree was changed; without fuzz programs for --keep
# nothing is begun.
rm -rf "$out"
export VERSION=1.0.0+abc.changed.123
shards 3
LANEDIFF_FUZZERS=$folder/none expect 2 'no fuzz programs in ' merge 3 --out "$out" --keep "$folder/kept"
not_called '^merge '
expect 0 'verdict 0' merge 3 --out "$out"
grep -qx 'commit abc' "$out/merged/stages.txt" || fail "commit: $(cat "$out/merged/stages.txt")"
unset VERSION

# Between the two renames of merge-corpus, the inputs of before are taken.
rm -rf "$out"
mkdir -p "$folder"/kept-then/{.min.old,max,.max.old}/inputs
touch "$folder"/kept-then/{.min.old,max,.max.old}/inputs/in
touch "$folder/kept-then/.max.old/inputs/old"
expect 0 'is whole' shard 1/3 --out "$out" --keep "$folder/kept-then"
[ "$(cd "$out/1-of-3/fuzz/fuzz-corpus" && echo */*)" = 'max/in min/in' ] || fail 'the kept inputs are not taken'

# The status of a stage: findings are no fault of a shard; an incomplete stage is.
stage() { # status, text of the output, commands of sweep
  rm -rf "$out"
  STAGE_sweep=$3 expect "$1" "$2" shard 1/3 --out "$out"
  [ "$1" -eq 0 ] || [ ! -e "$out/1-of-3/whole.txt" ] || fail 'whole all the same'
}
stage 0 'is whole' status=1
stage 0 'is whole' status=3
stage 0 'is whole' status=2
stage 2 "/run.plan specifies: lanediff sweep --jobs 0 --shard 1/3" 'exit 2'
stage 75 'sweep left no result' 'exit 0'
stage 75 'sweep ended with status 137' 'kill -KILL $$'
stage 75 'sweep is not complete' 'complete=false status=2'
stage 75 'sweep could not write' 'echo "lanediff: a: can'\''t be written: No space left on device" >&2; exit 2'
stage 75 'interrupted in sweep' 'trap "kill \$!; exit 2" TERM; kill -TERM $(cat "${0%/*}/pid"); sleep 20 & wait'
expect 0 'replay is done already' shard 1/3 --out "$out"
not_called '^check '
called '^sweep '
flock --no-fork "$out/1-of-3/lock" sleep 300 &
holder=$!
while flock -n "$out/1-of-3/lock" true; do :; done
expect 75 'another try of shard 1/3 is at work' shard 1/3 --out "$out"
kill "$holder"
wait
# A sum of sums that lacks one is none.
rm -rf "$out"
fake bin/sha256sum '/usr/bin/sha256sum "$@"
[[ " $* " != *" sweep.txt "* ]]'
expect 75 "sweep can't be read" shard 1/3 --out "$out"
rm "$folder/bin/sha256sum"
expect 0 'is whole' shard 1/3 --out "$out"
called '^sweep '
# A check of sums that could not be done is no damage: nothing is done again or gone.
check() { # status, text of the output; the end of a check of sums
  printf '#!/bin/bash\n[ "$1" != --check ] || { %s; }\nexec /usr/bin/sha256sum "$@"\n' "$3" >"$folder/bin/sha256sum"
  chmod +x "$folder/bin/sha256sum"
  expect "$1" "$2" shard 1/3 --out "$out"
  not_called '^[a-z]* .*--shard'
  [ -e "$out/1-of-3/$whole" ] || fail "$whole is gone after $3"
  rm "$folder/bin/sha256sum"
}
for whole in whole.txt replay.done; do
  check 75 "can't be checked" 'kill -KILL $$'
  check 75 "can't be checked" 'echo "sha256sum: a: Input/output error" >&2; exit 1'
  check 75 'interrupted: ' "kill -TERM \$(cat \"$folder/pid\"); exit 1"
  rm -f "$out/1-of-3/whole.txt"
done
expect 0 'is whole' shard 1/3 --out "$out"
rm -rf "$out"
cp -r "$folder/good" "$out"
fake bin/sha256sum '[ "$1" != --check ] || kill -KILL $$
exec /usr/bin/sha256sum "$@"'
expect 75 "shard 0/3 can't be checked" merge 3 --out "$out"
rm "$folder/bin/sha256sum"
# Nor are refusals of a try that is being ended.
AT_VERSION='kill -TERM $(cat "${0%/*}/pid"); exit 1' expect 75 interrupted shard 1/3 --out "$out"
AT_VERSION='kill -KILL $$' expect 75 'was ended' shard 1/3 --out "$out"
# Where folders can't be synced by themselves, files can; another failure is one.
syncs() { # why folders can't be
  printf '#!/bin/bash\n[ ! -d "$1" ] || { echo "sync: error syncing '\''$1'\'': %s" >&2; exit 1; }\n' "$1" >"$folder/bin/sync"
  rm -rf "$out"
}
mv "$folder/bin/sync" "$folder/sync"
syncs 'Input/output error'
chmod +x "$folder/bin/sync"
expect 75 'Input/output error' shard 1/3 --out "$out"
syncs 'Invalid argument'
shards 3
expect 0 'verdict 0' merge 3 --out "$out"
mv "$folder/sync" "$folder/bin/sync"
# `exhaust` continues an earlier try, others restart.
rm -rf "$out"
left='mkdir -p "$out" && [ ! -e "$out/left" ] && touch "$out/left" && exit 0'
STAGE_exhaust=$left expect 75 'exhaust left no result' shard 1/3 --out "$out"
STAGE_exhaust=$left STAGE_audit=$left expect 75 'audit left no result' shard 1/3 --out "$out"
[ -e "$out/1-of-3/exhaust/left" ] || fail 'exhaust restarts'
STAGE_audit='[ ! -e "$out/left" ] || exit 2' expect 0 'is whole' shard 1/3 --out "$out"
# The next try of ended fuzzing confirms earlier findings again, and starts from the
# earlier inputs.
rm -rf "$out"
STAGE_fuzz='mkdir -p "$out"/{findings,unconfirmed,fuzz-corpus/min} "$out"/lanediff-fuzz-1-of-3/{raw,artifacts}
  for name in findings/a findings/ends unconfirmed/b lanediff-fuzz-1-of-3/raw/{a,c}; do echo "$name" >"$out/$name.json"; done
  echo "  \"tool\": \"lanediff-fuzz-min\"," >>"$out/findings/ends.json"
  for name in findings/{ends,text}.input unconfirmed/max@0-crash-1 fuzz-corpus/min/1; do echo "$name" >"$out/$name"; done
  complete=false status=2' expect 75 'fuzz is not complete' shard 1/3 --out "$out"
STAGE_fuzz='ls -A "$out"/{findings,unconfirmed}; (cd "$out" && grep -r . lanediff-fuzz-*/{raw,artifacts} fuzz-corpus)' \
  expect 0 'is whole' shard 1/3 --out "$out"
sed -n 's,^lanediff-fuzz-1-of-3/,,; /:./p' "$out/1-of-3/fuzz.txt" | LC_ALL=C sort | diff - <(printf '%s\n' \
  artifacts/case_json@text.input:findings/text.input artifacts/max@0-crash-1:unconfirmed/max@0-crash-1 \
  artifacts/min@ends.input:findings/ends.input fuzz-corpus/min/1:fuzz-corpus/min/1 \
  raw/a-1.json:findings/a raw/a.json:lanediff-fuzz-1-of-3/raw/a raw/b.json:unconfirmed/b \
  raw/c.json:lanediff-fuzz-1-of-3/raw/c) >"$folder/output" || fail 'fuzz restarts'
# A slow program gets a second signal, and is then killed with its descendants.
fake bin/sleep '[ "$1" != 0.5 ] || set -- 0.01
exec /bin/sleep "$@"'
rm -rf "$out"
slow='signals=0; trap "signals=\$((signals + 1))" TERM; kill -TERM $(cat "${0%/*}/pid")
  sleep 600 & until [ "$signals" -eq "$ends_at" ]; do wait; done; kill %1; echo "gives way"; exit 2'
for ends_at in 2 9; do
  ends_at=$ends_at STAGE_sweep=$slow expect 75 'interrupted in sweep' shard 1/3 --out "$out"
  flock -w 60 "$out/1-of-3/lock" true || fail 'something of it is left'
  [ "$ends_at" -eq 9 ] || grep -qx 'gives way' "$out/1-of-3/sweep.txt" || fail 'it gets one signal'
done
rm "$folder/bin/sleep"
# A full disk, for the results and for the files of sharded-run itself.
for unshare in -rm -m ''; do
  [ -n "$unshare" ] || {
    echo "sharded_run: NOT TESTED: a small disk can't be mounted here" >&2
    [ -z "${LANEDIFF_TEST_ALL:-}" ] || fail 'nothing is left out with LANEDIFF_TEST_ALL'
  }
  ! unshare ${unshare:-none} mount -t tmpfs none "$folder/cases" 2>/dev/null || break
done
for size in ${unshare:+4k 24k 40k}; do
  rm -rf "$out"
  mkdir "$out"
  cat >"$folder/on-disk" <<END
mount -t tmpfs -o size=$size none $out && tools/deploy/sharded-run shard 1/3 --out $out
status=\$?
[ ! -e $out/1-of-3/whole.txt ] && exit \$status
END
  STAGE_sweep='mkdir -p "$out"; head -c 50000 /dev/zero >"$out/much" || { echo "lanediff: much: can'\''t be written" >&2; exit 2; }' \
    PROGRAM=unshare expect 75 'sharded-run: ' "$unshare" bash "$folder/on-disk"
done

# Merging: the worst status, unmergeable stages, and results of another run.
verdict() { # status, commands of merge
  rm -rf "$out"
  cp -r "$folder/good" "$out"
  MERGE=$2 expect "$1" "verdict $1" merge 3 --out "$out"
  expect "$1" "of these shards already; verdict $1" merge 3 --out "$out"
}
verdict 3 '[ $verb != fuzz ] || status=3; [ $verb != audit ] || status=2'
verdict 2 '[ $verb != mutants ] || status=2'
verdict 1 'case $verb in sweep) status=1 ;; fuzz) status=3 ;; audit) status=2 ;; esac'
rm -r "$out/2-of-3"
expect 0 'is whole' shard 2/3 --out "$out"
echo old >"$out/merged/old"
expect 2 'merged: is there, of other shards' merge 3 --out "$out"
[ -e "$out/merged/old" ] || fail 'the other results are gone'
expect 0 'verdict 0' merge 3 --out "$out" --replace
[ ! -e "$out/merged/old" ] && [ ! -e "$out/.merged.old" ] || fail 'the other results are there still'
# Killed between its two renames, the earlier results come back.
echo old >"$out/merged/shards.txt"
mv "$out/merged" "$out/.merged.old"
expect 2 'merged: is there, of other shards' merge 3 --out "$out"
[ -e "$out/merged/index.html" ] || fail 'the earlier results are gone'
rm -rf "$out/merged"
MERGE='[ $verb != audit ] || exit 2' refused "audit can't be merged"
MERGE='[ $verb != audit ] || { echo "lanediff: a: can'\''t be written: No space left on device" >&2; exit 2; }' \
  expect 75 'audit could not write; nothing is merged' merge 3 --out "$out"
MERGE='exit 126' refused 'too long for one command'
MERGE='kill -KILL $$' expect 75 'replay ended with status 137; nothing is merged' merge 3 --out "$out"
[ ! -e "$out/merged" ] || fail 'results though one could not be written'
for ((at = 1; at <= 3; ++at)); do
  KILL_AT=$at expect 137 '' merge 3 --out "$out"
  flock "$out/.merged.lock" true # what was begun has ended
  [ "$at" -eq 3 ] || [ ! -e "$out/merged" ] || fail "killed at $at: results"
done
expect 0 'of these shards already; verdict 0' merge 3 --out "$out"

# Which shard, and what is no shard, plan or option.
rm -rf "$out"
usage() { # text of the output, arguments...
  expect 2 "$@"
  [ ! -e "$out" ] || fail "$*: something is written"
}
fails_for_good() { # text of the output, also of merge, which does not wait; arguments...
  expect 2 "$@"
  [ "$(find "$out" -type f)" = "$out/0-of-3/no-use" ] || fail "$*: something else is written"
  expect 2 "shard 0/3 is not whole, and another try would fail: " merge 3 --out "$out" --wait 900
  grep -qF -e "$1" "$folder/output" || fail "$*: merge does not print $1"
  rm -r "$out"
}
usage 'usage: '
usage 'usage: ' sleep
usage 'usage: ' shard 0/3 --out
usage 'usage: ' shard 0/3 1/3 --out "$out"
usage 'usage: ' shard 0/3 --replace --out "$out"
usage '--out: missing' shard 0/3
for part in 3/3 1 1/0 -1/3 01/3 1/x; do usage '' shard "$part" --out "$out"; done
fails_for_good 'found "many"; --seconds' shard 0/3 --out "$out" --seconds many
fails_for_good '--seconds and --share are 1 or more' shard 0/3 --out "$out" --share 0
fails_for_good 'found "nap"; one of' shard 0/3 --out "$out" --without nap
usage 'which shard? ' shard --out "$out"
JOB_COMPLETION_INDEX=1 usage 'which shard? ' shard --out "$out"
SLURM_ARRAY_TASK_ID=4 SLURM_ARRAY_TASK_COUNT=2 SLURM_ARRAY_TASK_MIN=4 SLURM_ARRAY_TASK_MAX=5 \
  usage 'so the array is not all shards' shard --out "$out"
# Text of a variable is no expression.
for found in 'x[$(touch "$folder/ran")]' x 08 '1 + 1'; do
  SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_COUNT=$found SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=0 \
    usage 'found SLURM_ARRAY_TASK_COUNT "' shard --out "$out"
done
[ ! -e "$folder/ran" ] || fail 'a variable of Slurm was run'
LANEDIFF=$folder/none expect 2 "no program lanediff at $folder/none" shard 0/3 --out "$out"
grep -q '^no program' "$out/0-of-3/no-use" || fail 'no reason for the merge'
expect 0 'is whole' shard 0/3 --out "$out"
[ ! -e "$out/0-of-3/no-use" ] || fail 'no-use is there, though the shard is whole'
rm -r "$out"
LANEDIFF_FUZZERS=$folder/none fails_for_good 'no fuzz programs in ' shard 0/3 --out "$out"
LANEDIFF_CORPUS=$folder/none fails_for_good 'no corpus' shard 0/3 --out "$out"
fails_for_good 'no plan that can be read' shard 0/3 --out "$out" --plan "$folder/none"
plan() { # text of the output, the plan
  echo "$2" >"$folder/plan"
  fails_for_good "$1" shard 0/3 --out "$out" --plan "$folder/plan"
}
plan 'line 1: found "nap sweep"; NAME VERB' 'nap sweep'
plan 'line 1: found "sweep check corpus"' 'sweep check corpus'
plan 'line 3: found "sweep sweep"' $'sweep sweep\n\nsweep sweep'
plan 'line 1: found "sweep sweep --instruction' 'sweep sweep --instruction "min'
plan 'line 1: found --shard=0/1, which' 'sweep sweep --shard=0/1'
plan 'line 1: found --seed, which' 'fuzz fuzz --seed 1'
plan 'no stage; ' '# nothing'
echo 'mutants mutants --seeds 3' >"$folder/plan"
expect 0 'mutants lanediff mutants --seeds 3 ' plan --plan "$folder/plan"
usage 'usage: ' merge 3 --out "$out" --jobs 2
GTEST_SHARD_INDEX=1 GTEST_TOTAL_SHARDS=3 expect 0 'shard 1/3 is whole' shard --out "$out"
JOB_COMPLETION_INDEX=2 JOB_COMPLETIONS=3 expect 0 'shard 2/3 is whole' shard --out "$out"
SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=2 \
  expect 0 'shard 0/3 is whole' shard --out "$out"
JOB_COMPLETIONS=3 expect 0 'verdict 0' merge --out "$out"
LANEDIFF_FUZZERS=$folder/none expect 0 'sweep lanediff sweep' plan --without fuzz
not_called fuzz

# Killed at each write to disk: merge refuses a part of a shard, and the next try ends
# with the same shard.
printf '%s\n' 'sweep sweep' 'exhaust exhaust "min-int16"' >"$folder/plan"
parts() { # folder: all that is there, but for date and seconds, and sums over these
  (cd "$1" && find . -type f | LC_ALL=C sort | while read -r file; do
    echo "$file"
    grep -vE '^(date|whole|2[0-9]{3}-)' "$file" | sed 's/^\(stage [a-z]* [0-9]*\) [0-9]*/\1/' || true
  done)
}
rm -rf "$out"
shards 3 --plan "$folder/plan"
cp -r "$out" "$folder/small"
for ((at = 1; ; ++at)); do
  rm -rf "$out"
  cp -r "$folder/small" "$out"
  rm -rf "$out/1-of-3"
  KILL_AT=$at expect 137 '' shard 1/3 --out "$out" --plan "$folder/plan"
  flock "$out/1-of-3/lock" true # what was begun has ended
  [ -f "$out/1-of-3/whole.txt" ] || refused 'shard 1/3 is not whole: '
  expect 0 'is whole' shard 1/3 --out "$out" --plan "$folder/plan"
  diff <(parts "$folder/small/1-of-3") <(parts "$out/1-of-3") || fail "killed at $at: the shard is not the same"
  if grep -q 'is whole already' "$folder/output"; then break; fi
done
[ "$at" -ge 8 ] || fail "only $at moments"
moments=$at

# Merge waits for the last shard, for a limited time, and ends at a signal.
rm -rf "$out"
meanwhile() { # commands while merge waits
  printf '#!/bin/bash\n[ "$1" = 2 ] || exec /bin/sleep "$@"\n%s\n' "$1" >"$folder/bin/sleep"
  chmod +x "$folder/bin/sleep"
}
meanwhile "tools/deploy/sharded-run shard 0/1 --out '$out' --plan '$folder/plan'"
expect 0 'verdict 0' merge 1 --out "$out" --wait 900
meanwhile ''
expect 2 'shard 1/2 is missing' merge 2 --out "$out" --wait 1
meanwhile "kill -TERM \$(cat '$folder/pid'); exec /bin/sleep 600"
expect 75 'interrupted while it waited' merge 2 --out "$out" --wait 900
meanwhile "echo waits; kill -KILL \$PPID"
touch "$folder/file"
expect 2 'file: no folder in which user' merge 2 --out "$folder/file/out" --wait 900
mkdir "$out/1-of-2"
echo 'no program' >"$out/1-of-2/no-use"
expect 2 'shard 1/2 is not whole, and another try would fail: no program' merge 2 --out "$out" --wait 900
rm "$folder/bin/sleep"
# So it does while it merges the fuzz programs' inputs, and leaves nothing.
rm -rf "$out"
STAGE_fuzz='mkdir -p "$out"/fuzz-corpus/min "$out"/lanediff-fuzz-min/{seeds,logs}; echo 1 >"$out/fuzz-corpus/min/1"' shards 1
[ -d "$out/0-of-1/fuzz/lanediff-fuzz-min/logs" ] && [ ! -e "$out/0-of-1/fuzz/lanediff-fuzz-min/seeds" ] || fail 'seeds are left'
cat >"$folder/fuzzers/lanediff-fuzz-min" <<END
#!/bin/bash
for argument; do
  case \$argument in
    -merge_control_file=*) control=\${argument#*=} ;;
    -*) ;;
    *) folders+=("\$argument") ;;
  esac
done
if [ ! -e "$folder/struck" ]; then
  touch "$folder/struck"
  printf '1\n0\n1 %s/1\nSTARTED 0 1\n' "\${folders[1]}" >"\$control"
  kill -TERM "\$(cat "$folder/pid")"
  sleep 200
fi
cp "\${folders[1]}"/* "\${folders[0]}"
echo "MERGE-OUTER: 1 new files with 5 new features added; 0 new coverage edges"
END
chmod +x "$folder/fuzzers/lanediff-fuzz-min"
SECONDS=0
expect 75 'nothing is merged' merge 1 --out "$out" --keep "$folder/kept"
[ "$SECONDS" -lt 100 ] || fail 'it ends when the inputs are merged'
[ ! -e "$out/merged" ] && [ ! -e "$out/.merged.new" ] || fail 'merge writes though it was interrupted'
# The next one goes on with them.
expect 0 'verdict 0' merge 1 --out "$out" --keep "$folder/kept"
grep -qx 'min: goes on at file 1 of 1' "$out/merged/inputs.txt" || fail "inputs restart: $(cat "$out/merged/inputs.txt")"
# A temporary failure is no verdict.
rm -r "$out/merged"
PROGRAM=flock expect 75 'inputs ended with status 75: ' "$folder/kept/.lock" tools/deploy/sharded-run merge 1 --out "$out" --keep "$folder/kept"
[ ! -e "$out/merged" ] || fail 'results without inputs'
# Fewer features than before are an error, unless accepted.
echo 100 >"$folder/kept/min/features"
expect 1 'verdict 1' merge 1 --out "$out" --keep "$folder/kept"
expect 0 'verdict 0' merge 1 --out "$out" --keep "$folder/kept" --accept-shrinking
[ "$(<"$folder/kept/min/features")" = 5 ] || fail 'the smaller set is not kept'
expect 0 'of these shards already' merge 1 --out "$out" --keep "$folder/kept" --accept-shrinking
# Another try would fail, too.
rm -rf "$out"
touch "$out"
expect 2 'Not a directory' shard 0/1 --out "$out"
rm "$out"

# A pod of a Job whose last index merges gives each verb its own options.
rm -rf "$out"
turn() { # index, status, text of the output, arguments...
  local index=$1
  shift
  PROGRAM=tools/deploy/kubernetes/turn SHARDS=2 JOB_COMPLETION_INDEX=$index expect "$@"
}
options=(--out "$out" --accept-shrinking --keep "$folder/kept" --jobs 1 --wait 1 --plan "$folder/plan" --seed 7)
turn 0 0 'shard 0/2 is whole' "${options[@]}"
called '^sweep --jobs 1 --shard 0/2 '
turn 2 2 'shard 1/2 is missing' "${options[@]}"
turn 1 0 'shard 1/2 is whole' "${options[@]}"
turn 2 0 'verdict 0' "${options[@]}"
for index in '' 3 -1; do turn "$index" 2 'JOB_COMPLETION_INDEX: found' "${options[@]}"; done

