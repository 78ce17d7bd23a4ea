# Gives tools/scripts/merge-corpus sets of inputs that it must keep, prune, or refuse. The
# fuzz program is a script in which an input reaches the words that it holds; at
# the end a real one prunes cases of the corpus.
mkdir -p "$folder/fresh/fake"
cat >"$folder/bin/lanediff-fuzz-fake" <<'END'
#!/usr/bin/env bash
for argument in "$@"; do [ -d "$argument" ] && folders+=("$argument"); done
eval "${DO:-}"
declare -A seen
files=0
for input in $(find "${folders[@]:1}" -type f | sort); do
  fresh=
  for word in $(cat "$input"); do
    [ "$word" != CRASH ] || { echo "ended by $input"; exit 77; }
    [ -n "${seen[$word]:-}" ] || { seen[$word]=1; fresh=1; }
  done
  [ -z "$fresh" ] || { cp "$input" "${folders[0]}/"; files=$((files + 1)); }
done
echo "MERGE-OUTER: $files new files with ${#seen[@]} new features added; 0 new coverage edges"
END
chmod +x "$folder/bin/lanediff-fuzz-fake"
kept=$folder/kept

merge() { # status, text of the output, inputs kept, arguments...
  local found
  expect "$1" "$2" tools/scripts/merge-corpus --fuzzers "$folder/bin" "${@:4}" "$kept" "$folder/fresh"
  found=$(cd "$kept/fake/inputs" 2>/dev/null && echo *) || found=none
  [ "$found" = "$3" ] || fail "merge-corpus ${*:4}: inputs $found, expected $3"
}
input() { echo "$2" >"$folder/fresh/fake/$1"; } # name, words

merge 2 'no inputs' none
input a 'one two three four five six seven eight nine ten'
input b 'one two'
input c 'eleven'
merge 0 'fake: 2 inputs that reach 11 features; before 0' 'a c'
rm "$folder"/fresh/fake/*
merge 0 'before 11' 'a c'

# Less than before, but within what may change from build to build.
echo 'one two three four five six seven eight' >"$kept/fake/inputs/a"
merge 0 'reach 9 features; before 11' 'a c'
# A set of which something got lost.
rm "$kept/fake/inputs/a"
merge 1 'reach 1 features, before it were 9' c
input d 'one two three'
merge 1 'the old inputs stay' c
[ "$(<"$kept/fake/features")" = 9 ] || fail 'a refused set is counted'
merge 0 'reach 4 features; before 9' 'c d' --accept-shrinking
rm "$kept"/fake/inputs/* "$folder"/fresh/fake/*
merge 1 'no input is there any more' '*'

# A program that fails, and a merge that leaves nothing.
input e 'CRASH'
rm -rf "$kept/fake"
merge 3 "can't be merged" none
input e ''
merge 1 '0 inputs that reach 0 features' none --accept-shrinking

# Another run can succeed: a program is killed, or the disk is full.
DO='kill -KILL $$' merge 75 "can't be merged, the old inputs stay" none
DO='echo "MERGE-OUTER: 3 new files with 1 new features added"; exit' merge 75 "3 inputs can't be written" none
fake head '[[ "$*" != *65536* ]] || exit 1; exec /usr/bin/head "$@"'
DO='exit 1' PATH=$folder:$PATH merge 75 'no space' none

# Killed between the two renames: the old set comes back, what is half done goes.
input e 'one two'
merge 0 '1 inputs' e
mv "$kept/fake" "$kept/.fake.old"
mkdir "$kept/.fake.new"
rm "$folder/fresh/fake/e"
merge 0 'reach 2 features; before 2' e
[ -z "$(find "$kept" -name '.fake.*')" ] || fail 'leftovers stay'
echo many >"$kept/fake/features"
merge 3 'a number is allowed' e

mkdir -p "$folder"/{real,seeds/min}
ln -s "$PWD/build/fuzz/bin/lanediff-fuzz-min" "$folder/real/"
cases=(corpus/min/*.json)
for file in "${cases[@]:0:8}"; do
  "${LANEDIFF:-build/release/bin/lanediff}" convert "$file" -o "$folder/seeds/min/$(basename "$file" .json)" >/dev/null
done
cp "$folder/seeds/min/$(basename "${cases[0]}" .json)" "$folder/seeds/min/twice"
tools/scripts/merge-corpus --fuzzers "$folder/real" "$folder/kept-min" "$folder/seeds" >/dev/null
files=("$folder"/kept-min/min/inputs/*)
[ -f "${files[0]}" ] && [ "${#files[@]}" -lt 9 ] || fail "${#files[@]} of 9 inputs are kept, one stands there twice"

# A pass that is killed, cut short or of something else.
python3 - "$folder" <<'END'
import pathlib, random, sys
folder = pathlib.Path(sys.argv[1])
seeds = [file.read_bytes() for file in sorted((folder / "seeds/min").iterdir())]
many = folder / "many/min"
many.mkdir(parents=True)
random.seed(1)
for i in range(400):
    data = bytearray(random.choice(seeds))
    for _ in range(3):
        data[random.randrange(min(len(data), 200))] = random.randrange(256)
    (many / f"{i:03}").write_bytes(data)
END
many=$folder/many
control=$folder/once/.min.pass/control
complain() { out=$(<"$folder/out"); fail "$1"; }
prune() { # status, text of the output
  expect "$1" "$2" tools/scripts/merge-corpus --fuzzers "$folder/real" "$folder/once" "$many"
}
same() { # what was done
  diff -r "$folder/calm/min" "$folder/once/min" >"$folder/out" || complain "$1 leaves other inputs"
  [ ! -d "$folder/once/.min.pass" ] || complain "$1 leaves what it did"
  rm -r "$folder/once/min"
}
# Ends the run when some inputs were begun; KILL ends its programs too, as the end of a job
# does. Status 1 if it was quicker, or already counts what the inputs that it keeps reach.
interrupted() { # signal
  setsid tools/scripts/merge-corpus --fuzzers "$folder/real" "$folder/once" "$many" >"$folder/out" 2>&1 &
  local id=$!
  until [ "$(grep -ac '^STARTED ' "$control" 2>/dev/null)" -ge 60 ] 2>/dev/null; do
    kill -0 "$id" 2>/dev/null || break
    sleep 0.01
  done
  if [ "$1" = KILL ]; then kill -KILL -- -"$id" 2>/dev/null; else kill -s "$1" "$id" 2>/dev/null; fi
  ! wait "$id" 2>/dev/null || return 1
  flock --timeout 60 "$folder/once/.lock" true || complain 'it leaves programs'
  [ "$(grep -ac '^STARTED ' "$control")" -lt 400 ]
}
tools/scripts/merge-corpus --fuzzers "$folder/real" "$folder/calm" "$many" >/dev/null
# Until it is not too late, as it is where others use the processors.
in_time() { # signal
  for _ in {1..20}; do
    rm -rf "$folder/once"
    ! interrupted "$1" || return 0
  done
  complain "20 runs were over before $1"
}
in_time TERM
prune 0 ' of 400'
same 'a pass that was ended'
in_time KILL
cp -r "$folder/once" "$folder/killed"
prune 0 'min: goes on at file '
same 'a pass that was killed'

# A whole list of what libFuzzer did, cut within what a kept input reaches.
mkdir "$folder/none"
"$folder/real/lanediff-fuzz-min" -set_cover_merge=1 -max_len=262144 -merge_control_file="$folder/whole" "$folder/none" "$many/min" >"$folder/out" 2>&1
kept_inputs=("$folder"/none/*)
line=$(sha1sum "$many"/min/* | sed -n "s/^${kept_inputs[0]##*/}  //p")
line=${line%%$'\n'*}
number=$(($(grep -anxF "$line" "$folder/whole" | cut -d : -f 1) - 3))
at=$(grep -abm 1 "^FT $number " "$folder/whole" | cut -d : -f 1)
cp -r "$folder/killed/." "$folder/once/"
head -c $((at + ${#number} + 6)) "$folder/whole" >"$control"
prune 0 "goes on at file $((number + 1)) of 400"
same 'a list that ends within a line'

# Passes that can't be continued.
restarts() { # why
  prune 0 "a killed run had $1; restarts"
  [[ "$out" != *'goes on'* ]] || fail 'it goes on'
}
cp -r "$folder/killed/." "$folder/once/"
head -n 100 "$folder/whole" >"$control"
restarts 'a list that is cut short'
same 'another list'
cp -r "$folder/killed/." "$folder/once/"
sed -i '1s/^..../0000/' "$folder/once/.min.pass/of"
restarts 'another version of the program'
same 'another version'
cp -r "$folder/killed/." "$folder/once/"
rm "$many/min/000"
restarts 'other inputs'
expect 75 'another run is at work there' \
  flock "$folder/once/.lock" tools/scripts/merge-corpus --fuzzers "$folder/real" "$folder/once" "$many"
