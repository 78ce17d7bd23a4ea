# Runs tools/deploy/sharded-run and tools/deploy/slurm/submit with a fake lanediff and a
# fake Slurm: shards are killed at each write to disk, interrupted and run out of disk
# space. What all engines promise is a table of tools/scripts/test-engine.
export PATH=$folder/bin:$PATH PYTHONPATH=$folder LANEDIFF=$folder/lanediff LANEDIFF_FUZZERS=$folder/fuzzers LANEDIFF_CORPUS=$folder/cases
# Variables that control the scripts or the fake program.
unset JOB_COMPLETION_INDEX JOB_COMPLETIONS GTEST_SHARD_INDEX GTEST_TOTAL_SHARDS SHARDS PROGRAM MERGE VERSION AT_VERSION \
  SHARD FAULT RESTARTED status complete "${!STAGE_@}" "${!SLURM_@}"
mkdir -p "$folder"/{fuzzers,cases,more/min}
touch "$folder/fuzzers/lanediff-fuzz-min" "$folder/more/min/one.json"
# In memory, where a sync takes no time: the runs have thousands of them.
memory=$(mktemp -d -p /dev/shm)
trap 'rm -rf "$folder" "$memory"' EXIT
out=$memory/out
calls=$folder/calls

# Each verb writes its document, after the commands in STAGE_VERB or MERGE.
fake lanediff '
echo "$@" >>"${0%/*}/calls"
all=" $* "
of() { # variable, option
  local rest=${all#* "$2" }
  [[ "$all" != *" $2 "* ]] || printf -v "$1" %s "${rest%% *}"
}
verb=$1 shard= out= json=
of shard --shard; of out --out; of json --json
case $1 in
  --version) eval "${AT_VERSION:-}"; echo "${VERSION:-1.0.0+abc}"; exit ;;
  index) touch "$2/index.html"; exit ;;
  merge)
    of verb --verb
    eval "${MERGE:-}"
    mkdir -p "$out/findings"
    for folder in "${@:2:$#-5}"; do
      cat "$folder/$verb".*-of-*.json >>"$out/$verb.json"
      [ ! -d "$folder/findings" ] || cp "$folder"/findings/* "$out/findings"
    done
    echo page >"$out/index.html"
    ;;
  *)
    stage=STAGE_$verb
    eval "${!stage:-}"
    [ -z "$out" ] || mkdir -p "$out"
    document=$out/$verb.${shard/\//-of-}.json
    [ "$shard" != 0/1 ] || document=${json:-$out/audit.json}
    [ "$verb" != sweep ] || { mkdir -p "$out/findings"; echo "case of $shard" >"$out/findings/of-${shard%/*}.json"; }
    printf "{\n  \"verb\": \"%s\",\n  \"complete\": %s\n}\n" "$verb" "${complete:-true}" >"$document"
    ;;
esac
echo "text of $verb $shard"
exit "${status:-0}"'
# Python that runs before sharded-run. `kill_at` N kills it at the call number N of sync: each
# write to disk is before and behind one.
cat >"$folder/sitecustomize.py" <<'END'
import itertools, os, pathlib, signal, time
def kill_at(wanted):
    calls, sync = itertools.count(1), os.fsync
    def fsync(descriptor):
        sync(descriptor)
        if next(calls) == wanted:
            os.kill(os.getpid(), signal.SIGKILL)
    os.fsync = fsync
def fail(of, name, error, only=""):
    call = getattr(of, name)
    def failing(self, *rest, **options):
        if only in str(self) and (only or os.path.isdir(f"/proc/self/fd/{self}")):
            raise OSError(*error)
        return call(self, *rest, **options)
    setattr(of, name, failing)
exec(os.environ.get("FAULT", ""))
END

fail() { # what is wrong
  echo "FAILED: $1"
  cat "$folder/output"
  exit 1
}
expect() { # status, text of the output, arguments...
  local status=0 wanted=$1 text=$2
  shift 2
  : >"$calls"
  { bash -c 'echo $$ >"$0"; exec "$@"' "$folder/pid" ${PROGRAM:-tools/deploy/sharded-run} "$@" >"$folder/output" 2>&1; } 2>/dev/null || status=$?
  [ "$status" -eq "$wanted" ] || fail "sharded-run $*: status $status, expected $wanted"
  [ -z "$text" ] || grep -qF -e "$text" "$folder/output" || fail "sharded-run $*: expected \"$text\""
  [ -z "${lines:-}" ] || [ "$(grep -c '' "$folder/output")" -eq "$lines" ] || fail "sharded-run $*: expected $lines lines"
  count=$((count + 1))
}
# Rows of a table: what is in the folder of the run before (new: nothing; good, small: a
# saved run; empty: what the last row left), status, text of the output, command, and what
# must hold then: +FILE and -FILE of that folder is there or not, =REGEX or !REGEX is a
# call of lanediff or not, where each dot may be a blank.
rows() {
  local before wanted text command checks check found runs
  while IFS='~' read -r before wanted text command checks <&3; do
    [ -z "$before" ] || rm -rf "$out"
    [ -z "$before" ] || [ "$before" = new ] || cp -r "$folder/$before" "$out"
    runs=$count
    eval "$command"
    [ "$count" -gt "$runs" ] || fail "$command: runs nothing"
    for check in $checks; do
      found=no
      case $check in
        [+-]*) [ ! -e "$out/${check:1}" ] || found=yes ;;
        *) ! grep -qE -e "${check:1}" "$calls" || found=yes ;;
      esac
      [[ "$found$check" == @(yes[+=]|no[-!])* ]] || fail "$command: $check; calls are: $(cat "$calls")"
    done
  done 3<&0 </dev/null
}
# The commands of a row.
run() { expect "$wanted" "$text" "$@"; } # arguments...
shard() { run shard 1/3 --out "$out" "$@"; } # options...
shards() { # how many, options...: all are run
  local i
  for ((i = 0; i < $1; ++i)); do expect 0 'is whole' shard "$i/$1" --out "$out" "${@:2}"; done
}
merge() { run merge 3 --out "$out" "$@"; } # options...
refused() { # merging leaves nothing
  merge
  [ ! -e "$out/merged" ] && [ ! -e "$out/.merged.new" ] || fail 'merge writes'
}
damaged() { # commands in the folder of the run
  (cd "$out" && eval "$1")
  refused
}
hold() { # file, which another process locks, command...
  flock --no-fork "$1" sleep 300 &
  local holder=$!
  while flock -n "$1" true; do :; done
  "${@:2}"
  kill "$holder"
  wait
}
has() { # file of the run, a regular expression of a line
  grep -qxE -e "$2" "$out/$1" || fail "$1: no line $2: $(cat "$out/$1")"
}

# A run of three shards; finished work is not done again. One shard is the run itself.
shards 3
cp -r "$out" "$folder/good"
rows <<'END'
new~0~is whole~run shard 2/3 --out "$out"~=^fuzz.--jobs.0.--shard.2/3.--seconds.300.--seed.0.--fuzzers =^check.corpus.--jobs.0.--shard.2/3
good~0~verdict 0~merge; has merged/stages.txt 'commit abc'; has merged/stages.txt 'stage audit 0 [0-9]*'~+merged/sweep/index.html +merged/findings/of-2.json
new~0~is whole~run shard 0/1 --out "$out"~=^check.corpus.--jobs.0.--shard.0/1.--json.merged/check.json
~0~verdict 0~run merge 1 --out "$out"~+merged/replay.json
END

# A shard that is not whole is reported; nothing is merged. Damaged stages are run again;
# `exhaust` writes no case again that its earlier calls have found.
lost='[ -e "$out/left" ] || { mkdir -p "$out/findings"; touch "$out/left"; echo lost >"$out/findings/lost.json"; }'
lose=1-of-3/exhaust/findings/lost.json
rows <<'END'
good~2~shard 2/3 is not whole: no ~damaged 'rm 2-of-3/whole.txt'
good~2~shard 2/3 is damaged: ~damaged "sed -i '\$d' 2-of-3/whole.txt"
good~2~shard 0/3 is damaged: ~damaged 'rm 0-of-3/sweep/findings/of-0.json'
good~0~is whole~rm -r "$out/1-of-3"; STAGE_exhaust=$lost shard~+1-of-3/exhaust/findings/lost.json
~2~shard 1/3 is damaged: ~damaged 'rm "$lose"'
~0~is damaged; its damaged stages are run again~STAGE_exhaust=$lost shard~!^sweep +1-of-3/exhaust/findings/lost.json
~0~verdict 0~merge
END

# Slurm is given those shards again that are damaged or missing. The merge runs them itself,
# unless another try of one would fail; a job that ends with 75 or is killed is put back.
slurm=$folder/slurm
fake bin/sbatch 'echo "$@" >>"${0%/*}/../slurm"; echo 7'
fake bin/scontrol 'echo "$@" >>"${0%/*}/../slurm"'
fake bin/sleep '[ "$1" = 600 ] || exec /bin/sleep "$@"'
submit() { # its calls of Slurm as a pattern, arguments...
  : >"$slurm"
  PROGRAM=tools/deploy/slurm/submit run "${@:2}"
  [[ "$(<"$slurm")" == $1 ]] || fail "submit ${*:2} calls: $(cat "$slurm")"
}
job() { # its calls of Slurm, arguments of sharded-run...
  # Of the first try the variable is not set.
  if [ -n "${RESTARTED:-}" ]; then local -x SLURM_RESTART_COUNT=$RESTARTED; fi
  SLURM_JOB_ID=9 submit "$1" job "${TRIES:-10}" tools/deploy/sharded-run "${@:2}" --out "$out"
}
rows <<'END'
~0~merge 7~lines=1 submit "*--wrap=exec */slurm/submit job 10 */sharded-run merge 3 --rerun --out $out --jobs 1 --seed 7 *" --out "$out" --shards 3 -- --seed 7
~0~shards 7~rm "$out/$lose"; submit '*--array=1 */sharded-run shard 3 *afterany:7*/sharded-run merge 3 *' --out "$out" --shards 3
~0~shards 7~rm -r "$out/2-of-3"; lines=1 submit '*--array=1,2%1 */sharded-run shard 3 *' --out "$out" --shards 3 --no-merge --at-once 1
~2~another try would fail~mkdir "$out/2-of-3"; echo no >"$out/2-of-3/no-use"; job '' merge 3 --rerun~!--shard
~0~shard 2 is not whole; the merge runs it~rm -r "$out/2-of-3"; STAGE_sweep='kill -KILL $$' job 'requeue 9' merge 3 --rerun~=--shard.1/3
~75~it was tried 11 times; no more~STAGE_sweep='kill -KILL $$' RESTARTED=10 job '' merge 3 --rerun
~0~~hold "$out/.merged.lock" job 'requeue 9' merge 3 --rerun~=--shard.2/3 +2-of-3/whole.txt
~0~~rm -r "$out/2-of-3"; STAGE_sweep='kill -KILL $$' SLURM_ARRAY_TASK_ID=2 SLURM_ARRAY_JOB_ID=4 job 'requeue 4_2' shard 3
END
rm "$folder"/bin/{scontrol,sleep}

# One shard of another run: of a version, corpus, plan, option or target.
grep -v mutants tools/deploy/run.plan >"$folder/plan"
printf 'sweep sweep --target "plugin:%s/a model.so"\naudit audit --target="exec:python3 %s/model.py --log %s/log"\n' "$folder" "$folder" "$folder" >"$folder/targets"
touch "$folder"/{a\ model.so,model.py}
# Between the two renames of merge-corpus, the inputs of before are taken.
mkdir -p "$folder"/kept-then/{.min.old,max,.max.old}/inputs
touch "$folder"/kept-then/{.min.old,max,.max.old}/inputs/in "$folder/kept-then/.max.old/inputs/old"
rows <<'END'
good~2~of another run: "version 1.0.0+abc" here, but "version 1.0.0+def"~VERSION=1.0.0+def shard
~2~of another run: "corpus ~LANEDIFF_CORPUS=$folder/more shard
~2~of another run: "fuzzers ~mkdir -p "$folder/others"; echo other >"$folder/others/lanediff-fuzz-min"; LANEDIFF_FUZZERS=$folder/others shard
~2~of another run: "plan mutants mutants --checker corpus,sweep,guided" here, but nothing~shard --plan "$folder/plan"
good~2~shard 1/3 is of another run: "options seconds 9 ~rm -r "$out/1-of-3"; expect 0 whole shard 1/3 --out "$out" --seconds 9; refused
good~2~the shards are of 1.0.0+abc, but ~VERSION=1.0.0+def refused
new~0~is whole~run shard 0/1 --out "$out" --plan "$folder/targets"
~0~is whole already~touch "$folder/log"; run shard 0/1 --out "$out" --plan "$folder/targets"
~2~/model.py ~echo other >"$folder/model.py"; run shard 0/1 --out "$out" --plan "$folder/targets"
~2~of another run: "target ~: >"$folder/model.py"; echo other >"$folder/a model.so"; run shard 0/1 --out "$out" --plan "$folder/targets"
new~2~no fuzz programs in ~export VERSION=1.0.0+abc.changed.123; shards 3; LANEDIFF_FUZZERS=$folder/none merge --keep "$folder/kept"~!^merge
~0~verdict 0~merge; has merged/stages.txt 'commit abc'; unset VERSION
new~0~is whole~shard --keep "$folder/kept-then"~+1-of-3/fuzz/fuzz-corpus/max/in +1-of-3/fuzz/fuzz-corpus/min/in -1-of-3/fuzz/fuzz-corpus/max/old
END

# The status of a stage: findings are no fault of a shard; an incomplete stage is. `exhaust`
# continues an earlier try, others restart.
full='echo "lanediff: a: can'\''t be written: No space left on device" >&2; exit 2'
ended='trap "kill \$!; exit 2" TERM; kill -TERM $(cat "${0%/*}/pid"); sleep 20 & wait'
left='mkdir -p "$out" && [ ! -e "$out/left" ] && touch "$out/left" && exit 0'
rows <<'END'
new~0~is whole~STAGE_sweep=status=1 shard
new~2~/run.plan specifies: lanediff sweep --jobs 0 --shard 1/3~STAGE_sweep='exit 2' shard~-1-of-3/whole.txt
new~75~sweep left no result~STAGE_sweep='exit 0' shard~-1-of-3/whole.txt
new~75~sweep ended with status 137~STAGE_sweep='kill -KILL $$' shard~-1-of-3/whole.txt
new~75~sweep is not complete~STAGE_sweep='complete=false status=2' shard~-1-of-3/whole.txt
new~75~sweep could not write~STAGE_sweep=$full shard~-1-of-3/whole.txt
new~75~No space left; user ~FAULT='fail(os, "fsync", (28, "No space left"))' shard~-1-of-3/whole.txt
new~75~interrupted in sweep~STAGE_sweep=$ended shard~-1-of-3/whole.txt
~0~replay is done already~shard~!^check =^sweep
~75~another try of shard 1/3 is at work~hold "$out/1-of-3/lock" shard
new~75~exhaust left no result~STAGE_exhaust=$left shard
~75~audit left no result~STAGE_exhaust=$left STAGE_audit=$left shard~+1-of-3/exhaust/left
~0~is whole~STAGE_audit='[ ! -e "$out/left" ] || exit 2' shard
END

# A file that can't be read is no damage, and a sync that fails is no success; folders of some
# file systems can't be synced by themselves.
unread='fail(pathlib.Path, "read_bytes", (5, "Input/output error"), "sweep.txt")'
rows <<'END'
new~75~Input/output error~FAULT=$unread shard~-1-of-3/whole.txt
~0~is whole~shard~=^sweep =^audit
~75~Input/output error~FAULT=$unread shard~!--shard +1-of-3/whole.txt
good~75~Input/output error; user ~FAULT=$unread merge
good~0~verdict 0~FAULT='fail(os, "fsync", (22, "Invalid argument"))' merge
~75~interrupted~AT_VERSION='kill -TERM $(cat "${0%/*}/pid"); exit 1' shard
~75~was ended~AT_VERSION='kill -KILL $$' shard
END

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
export FAULT='alarm = signal.alarm; signal.alarm = lambda seconds: alarm(seconds and 1)'
rm -rf "$out"
slow='signals=0; trap "signals=\$((signals + 1))" TERM; kill -TERM $(cat "${0%/*}/pid")
  sleep 600 & until [ "$signals" -eq "$ends_at" ]; do wait; done; kill %1; echo "gives way"; exit 2'
for ends_at in 2 9; do
  ends_at=$ends_at STAGE_sweep=$slow expect 75 'interrupted in sweep' shard 1/3 --out "$out"
  flock -w 60 "$out/1-of-3/lock" true || fail 'something of it is left'
  [ "$ends_at" -eq 9 ] || grep -qx 'gives way' "$out/1-of-3/sweep.txt" || fail 'it gets one signal'
done
unset FAULT
# Merging: the worst status, unmergeable stages, and results of another run. Killed
# between its two renames, the earlier results come back.
twice() { # a merge, and the same once more
  merge
  text="of these shards already; $text" merge
}
rows <<'END'
good~3~verdict 3~MERGE='[ $verb != fuzz ] || status=3; [ $verb != audit ] || status=2' twice
good~1~verdict 1~MERGE='case $verb in sweep) status=1 ;; fuzz) status=3 ;; audit) status=2 ;; esac' merge
~2~merged: is there, of other shards~echo old >"$out/merged/old"; rm -r "$out/2-of-3"; expect 0 whole shard 2/3 --out "$out"; merge~+merged/old
~0~verdict 0~merge --replace~-merged/old -.merged.old
~2~merged: is there, of other shards~echo old >"$out/merged/shards.txt"; mv "$out/merged" "$out/.merged.old"; merge~+merged/index.html
good~2~audit can't be merged~MERGE='[ $verb != audit ] || exit 2' refused
~75~audit could not write; nothing is merged~MERGE="[ \$verb != audit ] || { $full; }" refused
good~75~replay ended with status 137; nothing is merged~MERGE='kill -KILL $$' refused
END
for ((at = 1; at <= 3; ++at)); do
  FAULT="kill_at($at)" expect 137 '' merge 3 --out "$out"
  flock "$out/.merged.lock" true # what was begun has ended
  [ "$at" -eq 3 ] || [ ! -e "$out/merged" ] || fail "killed at $at: results"
done
expect 0 'of these shards already; verdict 0' merge 3 --out "$out"

# Which shard, and what is no shard, plan or option: nothing is written. Text of a variable
# is no expression.
of_array() { # SLURM_ARRAY_TASK_ID, _COUNT, _MIN and _MAX
  SLURM_ARRAY_TASK_ID=$1 SLURM_ARRAY_TASK_COUNT=$2 SLURM_ARRAY_TASK_MIN=$3 SLURM_ARRAY_TASK_MAX=$4 run shard --out "$out"
}
touch "$folder/file"
rows <<'END'
new~2~usage: ~run
~2~usage: ~run shard 0/3 --replace --out "$out"
~2~found "3/3"~run shard 3/3 --out "$out"
~2~so the array is not all shards~of_array 4 9 4 5
~2~found "0/x"~of_array 0 x 0 0
~2~found "2/2"~JOB_COMPLETION_INDEX=2 run shard 2 --out "$out"
~2~Not a directory~[ ! -e "$out" ] || fail 'something is written'; run shard 0/1 --out "$folder/file"
~0~mutants lanediff mutants --seeds 3 ~echo 'mutants mutants --seeds 3' >"$folder/plan"; run plan --plan "$folder/plan"
~0~sweep lanediff sweep~LANEDIFF_FUZZERS=$folder/none run plan --without fuzz~!fuzz
END
# What another try would not change is left for the merge, which does not wait.
plan() { # text of a plan
  printf "$1\n" >"$folder/plan"
  run plan --plan "$folder/plan"
}
rows <<'END'
~2~no stage; ~plan '# nothing'
~2~line 1: found "nap sweep"; NAME VERB~plan 'nap sweep'
~2~line 3: found "sweep sweep"~plan 'sweep sweep\n\nsweep sweep'
~2~line 1: found --shard=0/1, which~plan 'sweep sweep --shard=0/1'
~2~no corpus~LANEDIFF_CORPUS=$folder/none run plan
~2~no program lanediff at ~LANEDIFF=$folder/none run plan
new~2~no plan that can be read~run shard 0/3 --out "$out" --plan "$folder/none"~+0-of-3/no-use
~2~shard 0/3 is not whole, and another try would fail: ~merge --wait 900
~0~is whole~run shard 0/3 --out "$out"~-0-of-3/no-use
END
# The variables of engines.
printf '%s\n' 'sweep sweep' 'exhaust exhaust "min-int16"' >"$folder/plan"
rows <<'END'
new~0~shard 1/3 is whole~GTEST_SHARD_INDEX=1 GTEST_TOTAL_SHARDS=3 run shard --out "$out"
~0~shard 2/3 is whole~JOB_COMPLETION_INDEX=2 JOB_COMPLETIONS=3 run shard --out "$out"
~0~shard 0/3 is whole~of_array 0 3 0 2
~0~verdict 0~JOB_COMPLETIONS=3 run merge --out "$out"
END

# Killed at each write to disk: merge refuses a part of a shard, and the next try ends
# with the same shard.
parts() { # folder: all that is there, but for date and seconds, and sums over these
  (cd "$1" && find . -type f | LC_ALL=C sort | while read -r file; do
    echo "$file"
    grep -vE '^(date|whole|2[0-9]{3}-)' "$file" | sed 's/^\(stage [a-z]* [0-9]*\) [0-9]*/\1/' || true
  done)
}
rm -rf "$out"
shards 3 --plan "$folder/plan"
cp -r "$out" "$folder/small"
small=(shard 1/3 --out "$out" --plan "$folder/plan")
for ((at = 1; ; ++at)); do
  rm -rf "$out"
  cp -r "$folder/small" "$out"
  rm -r "$out/1-of-3"
  FAULT="kill_at($at)" expect 137 '' "${small[@]}"
  flock "$out/1-of-3/lock" true # what was begun has ended
  [ -f "$out/1-of-3/whole.txt" ] || wanted=2 text='shard 1/3 is not whole: ' refused
  expect 0 'is whole' "${small[@]}"
  diff <(parts "$folder/small/1-of-3") <(parts "$out/1-of-3") || fail "killed at $at: the shard is not the same"
  if grep -q 'is whole already' "$folder/output"; then break; fi
done
[ "$at" -ge 8 ] || fail "only $at moments"

# Merge waits for the last shard, for a limited time, and ends at a signal.
meanwhile() { # commands while merge waits, arguments...
  FAULT="pause = time.sleep; time.sleep = lambda seconds: os.system(\"$1\") if seconds == 2 else pause(seconds)" run merge --out "$out" "${@:2}"
}
rows <<'END'
new~0~verdict 0~meanwhile "FAULT= tools/deploy/sharded-run shard 0/1 --out $out --plan $folder/plan" 1 --wait 900
~2~shard 1/2 is missing~meanwhile 'sleep 0.1' 2 --wait 1
~75~interrupted; nothing is merged~meanwhile "kill -TERM \$(cat $folder/pid)" 2 --wait 900
END
# So it does while it merges the fuzz programs' inputs, and leaves nothing.
rm -rf "$out"
STAGE_fuzz='mkdir -p "$out"/fuzz-corpus/min "$out"/lanediff-fuzz-min/{seeds,logs}; echo 1 >"$out/fuzz-corpus/min/1"' shards 1
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
keep() { run merge 1 --out "$out" --keep "$folder/kept" "$@"; } # options...
SECONDS=0
rows <<'END'
~75~nothing is merged~keep~-merged -.merged.new +0-of-1/fuzz/lanediff-fuzz-min/logs -0-of-1/fuzz/lanediff-fuzz-min/seeds
~0~verdict 0~[ "$SECONDS" -lt 100 ] || fail 'it ends when the inputs are merged'; keep; has merged/inputs.txt 'min: goes on at file 1 of 1'
~75~inputs ended with status 75: ~rm -r "$out/merged"; hold "$folder/kept/.lock" keep~-merged
~1~verdict 1~echo 100 >"$folder/kept/min/features"; keep
~0~verdict 0~keep --accept-shrinking; [ "$(<"$folder/kept/min/features")" = 5 ] || fail 'the smaller set is not kept'
END
