# Runs tools/deploy/sharded-run and tools/deploy/slurm/submit with a fake lanediff and a
# fake Slurm: shards are killed at each write to disk, interrupted and run out of disk
# space; their results are damaged, lost, doubled or of another run. Each row has the
# status, a text of the output, and the arguments.
export PATH=$folder/bin:$PATH LANEDIFF=$folder/lanediff LANEDIFF_FUZZERS=$folder/fuzzers LANEDIFF_CORPUS=$folder/cases
# Variables that control the scripts or the fake program.
unset JOB_COMPLETION_INDEX JOB_COMPLETIONS GTEST_SHARD_INDEX GTEST_TOTAL_SHARDS SHARDS PROGRAM MERGE VERSION AT_VERSION \
  KILL_AT QUEUED RESTARTED status complete "${!STAGE_@}" "${!SLURM_@}"
mkdir -p "$folder"/{fuzzers,cases,more/min,others}
touch "$folder/fuzzers/lanediff-fuzz-min" "$folder/more/min/one.json"
out=$folder/out
calls=$folder/calls

# Each verb writes its document, after the commands in STAGE_VERB or MERGE.
fake lanediff '
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
  printf "{\n  \"verb\": \"%s\",\n  \"complete\": %s\n}\n" "$verb" "${complete:-true}" >"$document"
fi
echo "text of $verb $shard"
exit "${status:-0}"'
# At the call number KILL_AT the whole run is killed: each write to disk is before and
# behind a call.
fake bin/sync '
count=$(($(cat "${0%/*}/../syncs") + 1))
echo "$count" >"${0%/*}/../syncs"
[ "$count" != "${KILL_AT:-}" ] || kill -KILL "$(cat "${0%/*}/../pid")"'

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
  { bash -c 'echo $$ >"$0"; exec "$@"' "$folder/pid" ${PROGRAM:-tools/deploy/sharded-run} "$@" >"$folder/output" 2>&1; } 2>/dev/null || status=$?
  [ "$status" -eq "$wanted" ] || fail "sharded-run $*: status $status, expected $wanted"
  [ -z "$text" ] || grep -qF -e "$text" "$folder/output" || fail "sharded-run $*: expected \"$text\""
  count=$((count + 1))
}
reset() { # what is in the folder of the run: a saved run, or nothing
  rm -rf "$out"
  [ -z "${1:-}" ] || cp -r "$folder/$1" "$out"
}
shard() { # status, text, options...: of shard 1/3
  expect "$1" "$2" shard 1/3 --out "$out" "${@:3}"
}
merge() { # status, text, options...: of three shards
  expect "$1" "$2" merge 3 --out "$out" "${@:3}"
}
shards() { # how many, options...: all are run
  local i
  for ((i = 0; i < $1; ++i)); do expect 0 'is whole' shard "$i/$1" --out "$out" "${@:2}"; done
}
there() { # whether these are there, or with "no" before not
  local wanted=yes file found
  [ "$1" != no ] || { wanted=no; shift; }
  for file; do
    found=no
    [ ! -e "$file" ] || found=yes
    [ "$found" = "$wanted" ] || fail "$file is there: $found"
  done
}
refused() { # text of the output; merging leaves nothing
  merge 2 "$1"
  there no "$out"/{merged,.merged.new}
}
called() { # regular expression: lanediff is called so
  grep -qE "$1" "$calls" || fail "no call $1 in: $(cat "$calls")"
}
not_called() {
  ! grep -qE "$1" "$calls" || fail "called $1: $(cat "$calls")"
}
hold() { # file, which another process locks; hold "" ends that
  if [ -z "$1" ]; then kill "$holder"; wait; return; fi
  flock --no-fork "$1" sleep 300 &
  holder=$!
  while flock -n "$1" true; do :; done
}

# A run of three shards; finished work is not done again.
shards 3
called '^fuzz --jobs 0 --shard 2/3 --seconds 300 --seed 0 --fuzzers '
called '^check corpus --jobs 0 --shard 2/3 '
shard 0 'is whole already'
not_called shard
cp -r "$out" "$folder/good"
merge 0 'verdict 0'
there "$out"/merged/{index.html,stages.txt,replay.json,sweep.json,sweep/index.html,exhaust.txt,mutants.json,fuzz.json,audit,findings/of-{0,2}.json}
grep -qx 'commit abc' "$out/merged/stages.txt" || fail 'no commit'
[ "$(sed -n 's/^stage \([a-z]*\) 0 [0-9]*$/\1/p' "$out/merged/stages.txt" | paste -sd ' ')" = 'replay sweep exhaust mutants fuzz audit' ] || fail 'not the stages'
there no "$out/.merged.new"
merge 0 'of these shards already; verdict 0'
not_called merge
# One shard is the run itself.
reset
shards 1
called '^check corpus --jobs 0 --shard 0/1 --json merged/check.json '
expect 0 'verdict 0' merge 1 --out "$out"
[ -s "$out/merged/replay.json" ] || fail 'no replay.json of one shard'

# A shard that is damaged, lost, doubled or of another run is reported; nothing is merged.
while IFS='|' read -r text commands; do
  reset good
  (cd "$out" && eval "$commands")
  refused "$text"
done <<'END'
shard 1/3 is missing: no |rm -r 1-of-3
shard 2/3 is not whole: no |rm 2-of-3/whole.txt
shard 2/3 is damaged: |sed -i '$d' 2-of-3/whole.txt
shard 0/3 is damaged: |truncate -s 200 0-of-3/whole.txt
holds shard 1/3, which is there twice|rm -r 2-of-3; cp -r 1-of-3 2-of-3
1-of-4: is there, but 3 shards are to be merged|cp -r 1-of-3 1-of-4
shard 0/3 is damaged: |rm 0-of-3/sweep/findings/of-0.json
shard 1/3 is damaged: |echo >>1-of-3/replay/check.1-of-3.json
END
shard 0 'is damaged; its damaged stages are run again'
called '^check '
not_called '^sweep '
merge 0 'verdict 0'
# `exhaust` writes no case again that its earlier calls have found.
reset good
rm -r "$out/1-of-3"
export STAGE_exhaust='[ -e "$out/left" ] || { mkdir -p "$out/findings"; touch "$out/left"; echo lost >"$out/findings/lost.json"; }'
shard 0 'is whole'
rm "$out/1-of-3/exhaust/findings/lost.json"
refused 'shard 1/3 is damaged: '
shard 0 'is damaged; its damaged stages are run again'
not_called '^sweep '
[ -s "$out/1-of-3/exhaust/findings/lost.json" ] || fail 'exhaust goes on from what is damaged'
merge 0 'verdict 0'
unset STAGE_exhaust

# Slurm is given those shards again that are damaged or missing.
slurm=$folder/slurm
fake bin/sbatch 'echo "$@" >>"${0%/*}/../slurm"; echo 7'
submitted() { # output of submit, a pattern of its submission, options...
  : >"$slurm"
  [ "$(tools/deploy/slurm/submit --out "$out" --shards 3 "${@:3}" | paste -sd ' ')" = "$1" ] || fail "submit does not print $1"
  grep -qE -e "$2" "$slurm" || fail "submit: not $2: $(cat "$slurm")"
  count=$((count + 1))
}
submitted 'merge 7' "--wrap=exec .*/slurm/submit merge --out $out --shards 3 -- --seed 7 \$" -- --seed 7
rm "$out/1-of-3/exhaust/findings/lost.json"
submitted 'shards 7 merge 7' '--array=1 .*/slurm/submit shard '
rm -r "$out/2-of-3"
submitted 'shards 7' '--array=1,2%1 .*/slurm/submit shard ' --no-merge --at-once 1
# A merge that was killed when it had submitted shards waits for them, though it wrote
# no id; and shards of which only the tries are over are submitted again.
fake bin/squeue '
for down in "${0%/*}"/../down-${*: -1}; do
  [ ! -e "$down" ] || { rm "$down"; exit 1; }
done
[ -z "${QUEUED:-}" ] || [[ "$*" != *"$QUEUED" && "$*" != *"-j 7" ]] || { echo 7; exit; }
[[ "$*" != *"-j 7" ]] || { echo "slurm_load_jobs error: Invalid job id specified" >&2; exit 1; }'
fake bin/scontrol 'echo "$@" >>"${0%/*}/../slurm"'
fake bin/sleep '[ "$1" = 600 ] || [ "$1" = 10 ] || exec /bin/sleep "$@"'
submit() { # status, text of the output, its calls of Slurm as a pattern, shard or merge; a task of an array submitted it
  [ "$4" = shard ] || [ -n "${GOES_ON:-}" ] || rm -f "$out"/log/merge-9.*
  : >"$slurm"
  SLURM_ARRAY_JOB_ID=4 SLURM_RESTART_COUNT=${RESTARTED:-0} SLURM_JOB_ID=9 PROGRAM=tools/deploy/slurm/submit \
    expect "$1" "$2" "$4" --out "$out" --shards 3 --sbatch --job-name=mine
  [[ "$(<"$slurm")" == $3 ]] || fail "the $4 calls: $(cat "$slurm")"
}
waits=$'requeue 9\nupdate JobId=9 Dependency=afterany:7'
submit 0 '' "*--job-name=mine *--job-name=lanediff-shard-of-9 --array=1,2 *$waits" merge
QUEUED=lanediff-shard-of-9 submit 0 '' "$waits" merge
[ "$(<"$out/log/merge-9.submitted")" = 7 ] || fail 'what it finds is no round'
for query in lanediff-shard-of-9 7; do # squeue fails, once
  touch "$folder/down-$query"
  QUEUED=lanediff-shard-of-9 submit 0 '' "$waits" merge
  there no "$folder/down-$query"
done
# A shard of which another try would fail is named, and the others are submitted again,
# as often as --rounds allows.
echo 2 >"$out/log/shard-2.status"
submit 0 'another try of shards 2 would fail' "*--array=1 *$waits" merge
GOES_ON=1 submit 0 '' "*--array=1 *$waits" merge
GOES_ON=1 submit 2 '' '' merge
rm "$out/log/shard-2.status"
# Slurm refuses: the merge names what is missing. A full disk is no verdict.
mv "$folder/bin/sbatch" "$folder/sbatch"
fake bin/sbatch 'exit 1'
submit 2 'shard 1/3 is damaged' '' merge
mv "$folder/sbatch" "$folder/bin/sbatch"
rm -f "$out"/log/merge-9.*
mkdir "$out/log/merge-9.submitted"
GOES_ON=1 submit 75 '' '' merge
rmdir "$out/log/merge-9.submitted"
# Its waits are no tries; when these are over, it stays without a verdict.
hold "$out/.merged.lock"
for row in '11 0 requeue 9' '12 75 '; do
  read -r restarted wanted calls_of <<<"$row"
  printf '7\n7\n' | tee "$out/log/merge-9.submitted" >"$out/log/merge-9.waited"
  RESTARTED=$restarted GOES_ON=1 submit "$wanted" '' "$calls_of" merge
done
hold ''
STAGE_sweep='kill -KILL $$' SLURM_ARRAY_TASK_ID=2 RESTARTED=10 submit 2 'it was tried 11 times; no more' '' shard
STAGE_sweep='kill -KILL $$' SLURM_ARRAY_TASK_ID=2 submit 0 '' 'requeue 4_2' shard
submit 0 '' "*--array=1,2 *$waits" merge
rm "$folder"/bin/{squeue,scontrol,sleep}

# One shard of another run: of a version, option, corpus, fuzz program, plan or target.
other() { # text of the output, options of the other run, to which one shard belongs
  reset good
  rm -rf "$folder/other"
  expect 0 'is whole' shard 1/3 --out "$folder/other" "${@:2}"
  cp -rT "$folder/other/1-of-3" "$out/1-of-3"
  refused "shard 1/3 is of another run: $1"
  VERSION='' LANEDIFF_CORPUS=$folder/cases LANEDIFF_FUZZERS=$folder/fuzzers shard 2 'of another run: '
}
VERSION=1.0.0+def other '"version 1.0.0+def" here, but "version 1.0.0+abc"'
other '"options seconds 9 share 3600 seed 0" here' --seconds 9
LANEDIFF_CORPUS=$folder/more other '"corpus '
echo other >"$folder/others/lanediff-fuzz"
ln -s lanediff-fuzz "$folder/others/lanediff-fuzz-min"
LANEDIFF_FUZZERS=$folder/others other '"fuzzers '
grep -v mutants tools/deploy/run.plan >"$folder/plan"
other 'nothing here, but "plan mutants mutants --checker corpus,sweep,guided"' --plan "$folder/plan"
printf 'sweep sweep --target "plugin:%s/a model.so"\naudit audit --target="exec:python3 %s/model.py --log %s/log"\n' "$folder" "$folder" "$folder" >"$folder/plan"
touch "$folder"/{a\ model.so,model.py}
reset
shards 1 --plan "$folder/plan"
for file in 'a model.so' model.py; do
  mv "$folder/$file" "$folder/before"
  echo other >"$folder/$file"
  expect 2 "of another run: \"target $folder/$file " shard 0/1 --out "$out" --plan "$folder/plan"
  mv "$folder/before" "$folder/$file"
done
touch "$folder/log" # is no part of a target
expect 0 'is whole already' shard 0/1 --out "$out" --plan "$folder/plan"
reset good
VERSION=1.0.0+def refused 'the shards are of 1.0.0+abc, but '
# The commit of a version whose tree was changed; without fuzz programs for --keep
# nothing is begun.
reset
export VERSION=1.0.0+abc.changed.123
shards 3
LANEDIFF_FUZZERS=$folder/none merge 2 'no fuzz programs in ' --keep "$folder/kept"
not_called '^merge '
merge 0 'verdict 0'
grep -qx 'commit abc' "$out/merged/stages.txt" || fail "commit: $(cat "$out/merged/stages.txt")"
unset VERSION
# Between the two renames of merge-corpus, the inputs of before are taken.
reset
mkdir -p "$folder"/kept-then/{.min.old,max,.max.old}/inputs
touch "$folder"/kept-then/{.min.old,max,.max.old}/inputs/in "$folder/kept-then/.max.old/inputs/old"
shard 0 'is whole' --keep "$folder/kept-then"
[ "$(cd "$out/1-of-3/fuzz/fuzz-corpus" && echo */*)" = 'max/in min/in' ] || fail 'the kept inputs are not taken'

# The status of a stage: findings are no fault of a shard; an incomplete stage is.
while IFS='|' read -r wanted text commands; do
  reset
  STAGE_sweep=$commands shard "$wanted" "$text"
  [ "$wanted" -eq 0 ] || there no "$out/1-of-3/whole.txt"
done <<'END'
0|is whole|status=1
0|is whole|status=3
0|is whole|status=2
2|/run.plan specifies: lanediff sweep --jobs 0 --shard 1/3|exit 2
75|sweep left no result|exit 0
75|sweep ended with status 137|kill -KILL $$
75|sweep is not complete|complete=false status=2
75|sweep could not write|echo "lanediff: a: can't be written: No space left on device" >&2; exit 2
75|interrupted in sweep|trap "kill \$!; exit 2" TERM; kill -TERM $(cat "${0%/*}/pid"); sleep 20 & wait
END
shard 0 'replay is done already'
not_called '^check '
called '^sweep '
hold "$out/1-of-3/lock"
shard 75 'another try of shard 1/3 is at work'
hold ''
# A sum of sums that lacks one is none.
reset
fake bin/sha256sum '/usr/bin/sha256sum "$@"
[[ " $* " != *" sweep.txt "* ]]'
shard 75 "sweep can't be read"
rm "$folder/bin/sha256sum"
shard 0 'is whole'
called '^sweep '
# A check of sums that could not be done is no damage: nothing is done again or gone.
for whole in whole.txt replay.done; do
  while IFS='|' read -r text ending; do
    fake bin/sha256sum "[ \"\$1\" != --check ] || { $ending; }; exec /usr/bin/sha256sum \"\$@\""
    shard 75 "$text"
    not_called '^[a-z]* .*--shard'
    there "$out/1-of-3/$whole"
  done <<'END'
can't be checked|kill -KILL $$
can't be checked|echo "sha256sum: a: Input/output error" >&2; exit 1
interrupted: |kill -TERM $(cat "${0%/*}/../pid"); exit 1
END
  rm -f "$folder/bin/sha256sum" "$out/1-of-3/whole.txt"
done
shard 0 'is whole'
reset good
fake bin/sha256sum '[ "$1" != --check ] || kill -KILL $$; exec /usr/bin/sha256sum "$@"'
merge 75 "shard 0/3 can't be checked"
rm "$folder/bin/sha256sum"
# Nor are refusals of a try that is being ended.
AT_VERSION='kill -TERM $(cat "${0%/*}/pid"); exit 1' shard 75 interrupted
AT_VERSION='kill -KILL $$' shard 75 'was ended'
# Where folders can't be synced by themselves, files can; another failure is one.
mv "$folder/bin/sync" "$folder/sync"
for why in 'Input/output error' 'Invalid argument'; do
  fake bin/sync "[ ! -d \"\$1\" ] || { echo \"sync: error syncing '\$1': $why\" >&2; exit 1; }"
  reset
  if [ "$why" = 'Invalid argument' ]; then shards 3; merge 0 'verdict 0'; else shard 75 "$why"; fi
done
mv "$folder/sync" "$folder/bin/sync"
# `exhaust` continues an earlier try, others restart.
reset
left='mkdir -p "$out" && [ ! -e "$out/left" ] && touch "$out/left" && exit 0'
STAGE_exhaust=$left shard 75 'exhaust left no result'
STAGE_exhaust=$left STAGE_audit=$left shard 75 'audit left no result'
there "$out/1-of-3/exhaust/left"
STAGE_audit='[ ! -e "$out/left" ] || exit 2' shard 0 'is whole'
# The next try of ended fuzzing confirms earlier findings again, and starts from the
# earlier inputs.
reset
STAGE_fuzz='mkdir -p "$out"/{findings,unconfirmed,fuzz-corpus/min} "$out"/lanediff-fuzz-1-of-3/{raw,artifacts}
  for name in findings/a findings/ends unconfirmed/b lanediff-fuzz-1-of-3/raw/{a,c}; do echo "$name" >"$out/$name.json"; done
  echo "  \"tool\": \"lanediff-fuzz-min\"," >>"$out/findings/ends.json"
  for name in findings/{ends,text}.input unconfirmed/max@0-crash-1 fuzz-corpus/min/1; do echo "$name" >"$out/$name"; done
  complete=false status=2' shard 75 'fuzz is not complete'
STAGE_fuzz='ls -A "$out"/{findings,unconfirmed}; (cd "$out" && grep -r . lanediff-fuzz-*/{raw,artifacts} fuzz-corpus)' shard 0 'is whole'
sed -n 's,^lanediff-fuzz-1-of-3/,,; /:./p' "$out/1-of-3/fuzz.txt" | LC_ALL=C sort | diff - <(printf '%s\n' \
  artifacts/case_json@text.input:findings/text.input artifacts/max@0-crash-1:unconfirmed/max@0-crash-1 \
  artifacts/min@ends.input:findings/ends.input fuzz-corpus/min/1:fuzz-corpus/min/1 \
  raw/a-1.json:findings/a raw/a.json:lanediff-fuzz-1-of-3/raw/a raw/b.json:unconfirmed/b \
  raw/c.json:lanediff-fuzz-1-of-3/raw/c) >"$folder/output" || fail 'fuzz restarts'
# A slow program gets a second signal, and is then killed with its descendants.
fake bin/sleep '[ "$1" != 0.5 ] || set -- 0.01; exec /bin/sleep "$@"'
reset
slow='signals=0; trap "signals=\$((signals + 1))" TERM; kill -TERM $(cat "${0%/*}/pid")
  sleep 600 & until [ "$signals" -eq "$ends_at" ]; do wait; done; kill %1; echo "gives way"; exit 2'
for ends_at in 2 9; do
  ends_at=$ends_at STAGE_sweep=$slow shard 75 'interrupted in sweep'
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
  reset
  mkdir "$out"
  STAGE_sweep='mkdir -p "$out"; head -c 50000 /dev/zero >"$out/much" || { echo "lanediff: much: can'\''t be written" >&2; exit 2; }' \
    PROGRAM=unshare expect 75 'sharded-run: ' "$unshare" bash -c 'mount -t tmpfs -o size='$size' none "$0" && "$@"
      status=$?; [ ! -e "$0/1-of-3/whole.txt" ] && exit $status' "$out" tools/deploy/sharded-run shard 1/3 --out "$out"
done

# Merging: the worst status, unmergeable stages, and results of another run.
while IFS='|' read -r wanted commands; do
  reset good
  MERGE=$commands merge "$wanted" "verdict $wanted"
  merge "$wanted" "of these shards already; verdict $wanted"
done <<'END'
3|[ $verb != fuzz ] || status=3; [ $verb != audit ] || status=2
2|[ $verb != mutants ] || status=2
1|case $verb in sweep) status=1 ;; fuzz) status=3 ;; audit) status=2 ;; esac
END
rm -r "$out/2-of-3"
expect 0 'is whole' shard 2/3 --out "$out"
echo old >"$out/merged/old"
merge 2 'merged: is there, of other shards'
there "$out/merged/old"
merge 0 'verdict 0' --replace
there no "$out"/{merged/old,.merged.old}
# Killed between its two renames, the earlier results come back.
echo old >"$out/merged/shards.txt"
mv "$out/merged" "$out/.merged.old"
merge 2 'merged: is there, of other shards'
there "$out/merged/index.html"
rm -rf "$out/merged"
while IFS='|' read -r wanted text commands; do
  MERGE=$commands merge "$wanted" "$text"
  there no "$out"/{merged,.merged.new}
done <<'END'
2|audit can't be merged|[ $verb != audit ] || exit 2
2|too long for one command|exit 126
75|audit could not write; nothing is merged|[ $verb != audit ] || { echo "lanediff: a: can't be written: No space left on device" >&2; exit 2; }
75|replay ended with status 137; nothing is merged|kill -KILL $$
END
for ((at = 1; at <= 3; ++at)); do
  KILL_AT=$at merge 137 ''
  flock "$out/.merged.lock" true # what was begun has ended
  [ "$at" -eq 3 ] || there no "$out/merged"
done
merge 0 'of these shards already; verdict 0'

# Which shard, and what is no shard, plan or option: nothing is written.
reset
usage() { # text of the output, arguments...
  expect 2 "$@"
  there no "$out"
}
while IFS='|' read -r text arguments; do
  # shellcheck disable=SC2086
  usage "$text" $arguments
done <<END
usage: |
usage: |sleep
usage: |shard 0/3 --out
usage: |shard 0/3 1/3 --out $out
usage: |shard 0/3 --replace --out $out
usage: |merge 3 --out $out --jobs 2
--out: missing|shard 0/3
found "3/3"|shard 3/3 --out $out
found "1"|shard 1 --out $out
found "1/0"|shard 1/0 --out $out
usage: |shard -1/3 --out $out
found "01/3"|shard 01/3 --out $out
found "1/x"|shard 1/x --out $out
which shard? |shard --out $out
END
JOB_COMPLETION_INDEX=1 usage 'which shard? ' shard --out "$out"
SLURM_ARRAY_TASK_ID=4 SLURM_ARRAY_TASK_COUNT=2 SLURM_ARRAY_TASK_MIN=4 SLURM_ARRAY_TASK_MAX=5 \
  usage 'so the array is not all shards' shard --out "$out"
# Text of a variable is no expression.
for found in 'x[$(touch "$folder/ran")]' x 08 '1 + 1'; do
  SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_COUNT=$found SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=0 \
    usage 'found SLURM_ARRAY_TASK_COUNT "' shard --out "$out"
done
there no "$folder/ran"
for index in '' 3 -1; do SHARDS=2 JOB_COMPLETION_INDEX=$index usage "found \"$index\" and \"2\"" job --out "$out"; done
# What another try would not change is left for the merge, which does not wait.
for_good() { # text of the output, also of merge; options...
  expect 2 "$1" shard 0/3 --out "$out" "${@:2}"
  [ "$(find "$out" -type f)" = "$out/0-of-3/no-use" ] || fail "$*: something else is written"
  unset LANEDIFF_FUZZERS
  LANEDIFF=$folder/lanediff LANEDIFF_CORPUS=$folder/cases merge 2 "shard 0/3 is not whole, and another try would fail: " --wait 900
  grep -qF -e "$1" "$folder/output" || fail "$*: merge does not print $1"
  export LANEDIFF_FUZZERS=$folder/fuzzers
  rm -r "$out"
}
for_good 'found "many"; --seconds' --seconds many
for_good '--seconds and --share are 1 or more' --share 0
for_good 'found "nap"; one of' --without nap
for_good 'no plan that can be read' --plan "$folder/none"
LANEDIFF_FUZZERS=$folder/none for_good 'no fuzz programs in '
LANEDIFF_CORPUS=$folder/none for_good 'no corpus'
LANEDIFF=$folder/none for_good "no program lanediff at $folder/none"
while IFS='|' read -r text plan; do
  printf "$plan\n" >"$folder/plan"
  for_good "$text" --plan "$folder/plan"
done <<'END'
line 1: found "nap sweep"; NAME VERB|nap sweep
line 1: found "sweep check corpus"|sweep check corpus
line 3: found "sweep sweep"|sweep sweep\n\nsweep sweep
line 1: found "sweep sweep --instruction|sweep sweep --instruction "min
line 1: found --shard=0/1, which|sweep sweep --shard=0/1
line 1: found --seed, which|fuzz fuzz --seed 1
no stage; |# nothing
END
LANEDIFF=$folder/none expect 2 'no program' shard 0/3 --out "$out"
expect 0 'is whole' shard 0/3 --out "$out"
there no "$out/0-of-3/no-use"
touch "$folder/file"
expect 2 'Not a directory' shard 0/1 --out "$folder/file"
expect 2 'file: no folder in which user' merge 2 --out "$folder/file/out" --wait 900
echo 'mutants mutants --seeds 3' >"$folder/plan"
expect 0 'mutants lanediff mutants --seeds 3 ' plan --plan "$folder/plan"
LANEDIFF_FUZZERS=$folder/none expect 0 'sweep lanediff sweep' plan --without fuzz
not_called fuzz
# The variables of engines.
reset
GTEST_SHARD_INDEX=1 GTEST_TOTAL_SHARDS=3 expect 0 'shard 1/3 is whole' shard --out "$out"
JOB_COMPLETION_INDEX=2 JOB_COMPLETIONS=3 expect 0 'shard 2/3 is whole' shard --out "$out"
SLURM_ARRAY_TASK_ID=0 SLURM_ARRAY_TASK_COUNT=3 SLURM_ARRAY_TASK_MIN=0 SLURM_ARRAY_TASK_MAX=2 expect 0 'shard 0/3 is whole' shard --out "$out"
JOB_COMPLETIONS=3 expect 0 'verdict 0' merge --out "$out"
# Of numbered jobs the last one merges; each takes the options of both.
reset
printf '%s\n' 'sweep sweep' 'exhaust exhaust "min-int16"' >"$folder/plan"
while IFS='|' read -r index wanted text; do
  SHARDS=2 JOB_COMPLETION_INDEX=$index expect "$wanted" "$text" job --out "$out" --accept-shrinking --keep "$folder/kept" --jobs 1 --wait 1 \
    --plan "$folder/plan" --seed 7
  [ "$index" != 0 ] || called '^sweep --jobs 1 --shard 0/2 '
done <<'END'
0|0|shard 0/2 is whole
2|2|shard 1/2 is missing
1|0|shard 1/2 is whole
2|0|verdict 0
END

# Killed at each write to disk: merge refuses a part of a shard, and the next try ends
# with the same shard.
parts() { # folder: all that is there, but for date and seconds, and sums over these
  (cd "$1" && find . -type f | LC_ALL=C sort | while read -r file; do
    echo "$file"
    grep -vE '^(date|whole|2[0-9]{3}-)' "$file" | sed 's/^\(stage [a-z]* [0-9]*\) [0-9]*/\1/' || true
  done)
}
reset
shards 3 --plan "$folder/plan"
cp -r "$out" "$folder/small"
for ((at = 1; ; ++at)); do
  reset small
  rm -rf "$out/1-of-3"
  KILL_AT=$at shard 137 '' --plan "$folder/plan"
  flock "$out/1-of-3/lock" true # what was begun has ended
  [ -f "$out/1-of-3/whole.txt" ] || refused 'shard 1/3 is not whole: '
  shard 0 'is whole' --plan "$folder/plan"
  diff <(parts "$folder/small/1-of-3") <(parts "$out/1-of-3") || fail "killed at $at: the shard is not the same"
  if grep -q 'is whole already' "$folder/output"; then break; fi
done
[ "$at" -ge 8 ] || fail "only $at moments"

# Merge waits for the last shard, for a limited time, and ends at a signal.
reset
meanwhile() { # commands while merge waits
  fake bin/sleep "[ \"\$1\" = 2 ] || exec /bin/sleep \"\$@\"; $1"
}
meanwhile "tools/deploy/sharded-run shard 0/1 --out '$out' --plan '$folder/plan'"
expect 0 'verdict 0' merge 1 --out "$out" --wait 900
meanwhile ''
expect 2 'shard 1/2 is missing' merge 2 --out "$out" --wait 1
meanwhile "kill -TERM \$(cat '$folder/pid'); exec /bin/sleep 600"
expect 75 'interrupted while it waited' merge 2 --out "$out" --wait 900
rm "$folder/bin/sleep"
# So it does while it merges the fuzz programs' inputs, and leaves nothing.
reset
STAGE_fuzz='mkdir -p "$out"/fuzz-corpus/min "$out"/lanediff-fuzz-min/{seeds,logs}; echo 1 >"$out/fuzz-corpus/min/1"' shards 1
there "$out/0-of-1/fuzz/lanediff-fuzz-min/logs"
there no "$out/0-of-1/fuzz/lanediff-fuzz-min/seeds"
fake fuzzers/lanediff-fuzz-min '
for argument; do
  case $argument in
    -merge_control_file=*) control=${argument#*=} ;;
    -*) ;;
    *) folders+=("$argument") ;;
  esac
done
if [ ! -e "${0%/*}/../struck" ]; then
  touch "${0%/*}/../struck"
  printf "1\n0\n1 %s/1\nSTARTED 0 1\n" "${folders[1]}" >"$control"
  kill -TERM "$(cat "${0%/*}/../pid")"
  sleep 200
fi
cp "${folders[1]}"/* "${folders[0]}"
echo "MERGE-OUTER: 1 new files with 5 new features added; 0 new coverage edges"'
kept=(merge 1 --out "$out" --keep "$folder/kept")
SECONDS=0
expect 75 'nothing is merged' "${kept[@]}"
[ "$SECONDS" -lt 100 ] || fail 'it ends when the inputs are merged'
there no "$out"/{merged,.merged.new}
# The next one goes on with them.
expect 0 'verdict 0' "${kept[@]}"
grep -qx 'min: goes on at file 1 of 1' "$out/merged/inputs.txt" || fail "inputs restart: $(cat "$out/merged/inputs.txt")"
# A temporary failure is no verdict.
rm -r "$out/merged"
hold "$folder/kept/.lock"
expect 75 'inputs ended with status 75: ' "${kept[@]}"
hold ''
there no "$out/merged"
# Fewer features than before are an error, unless accepted.
echo 100 >"$folder/kept/min/features"
expect 1 'verdict 1' "${kept[@]}"
expect 0 'verdict 0' "${kept[@]}" --accept-shrinking
[ "$(<"$folder/kept/min/features")" = 5 ] || fail 'the smaller set is not kept'
expect 0 'of these shards already' "${kept[@]}" --accept-shrinking
