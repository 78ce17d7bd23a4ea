# Merges the shards of a run; tools/deploy/sharded-run sources it.

# Prints the fault of shard I, if any; fails if the check failed.
fault_of() { # I
  local folder=$1-of-$shards found first=0-of-$shards
  if [ ! -d "$folder" ]; then
    echo "is missing: no $out/$folder"
  elif [ ! -f "$folder/whole.txt" ] && [ -f "$folder/no-use" ]; then
    echo "is not whole, and another try would fail: $(head -n 1 "$folder/no-use")"
  elif [ ! -f "$folder/whole.txt" ]; then
    echo "is not whole: no $out/$folder/whole.txt; run it again"
  elif ! sure holds "$folder"; then
    echo "is damaged: $out/$folder does not match its whole.txt; run it again, or copy it again"
  elif found=$(sed -n 's/^shard //p' "$folder/whole.txt") && [ "$found" != "$1/$shards" ]; then
    echo "is missing: $out/$folder holds shard $found, which is there twice"
  elif sure is_whole "$first" && ! found=$(differing <(identity_of "$folder/whole.txt") <(identity_of "$first/whole.txt")); then
    echo "is of another run: $found in $out/$first"
  fi
}
# Checks that all shards are there, once each, and of one run.
check_shards() {
  local i fault count wrong=
  for i in *-of-*; do
    [[ "$i" =~ ^(0|[1-9][0-9]*)-of-([1-9][0-9]*)$ ]] && [ -d "$i" ] || continue
    [ "${BASH_REMATCH[2]}" = "$shards" ] && [ "${BASH_REMATCH[1]}" -lt "$shards" ] ||
      { log "$out/$i: is there, but $shards shards are to be merged"; wrong=1; }
  done
  for ((i = 0; i < shards; ++i)); do
    fault=$(fault_of "$i") || later "shard $i/$shards can't be checked; nothing is merged"
    [ -z "$fault" ] || { log "shard $i/$shards $fault"; wrong=1; }
  done
  [ -z "$wrong" ] || wrong "nothing is merged"
  [ "version $version" = "$(grep '^version ' "0-of-$shards/whole.txt")" ] ||
    wrong "the shards are of $(sed -n 's/^version //p' "0-of-$shards/whole.txt"), but $lanediff of $version; nothing is merged"
}

# Waits until all are whole, --wait is over, or one failed for good; check_shards
# names the missing ones then.
wait_for_shards() {
  local i folder missing start=$SECONDS
  while :; do
    missing=
    for ((i = 0; i < shards; ++i)); do
      folder=$out/$i-of-$shards
      [ ! -f "$folder/whole.txt" ] || continue
      [ ! -f "$folder/no-use" ] || return 0
      missing=1
    done
    [ -n "$missing" ] && [ $((SECONDS - start)) -lt "$patience" ] || return 0
    sleep 2 &
    child=$!
    wait "$child" || true
    child=
    [ -z "$interrupted" ] || later "interrupted while it waited for shards; nothing is merged"
  done
}

# Moves the results of a stage from $work/merged to where script/nightly writes them.
lay_out() { # name, verb
  local suffix folder from=$work/merged
  for suffix in json xml sarif; do
    [ ! -f "$from/$2.$suffix" ] || mv "$from/$2.$suffix" "$new/merged/$1.$suffix"
  done
  rm -rf "$from"/lanediff-fuzz* "$from/fuzz-corpus" "$from/exhaust"
  for folder in findings unconfirmed; do
    [ -d "$from/$folder" ] || continue
    mkdir -p "$new/merged/$folder"
    cp -r "$from/$folder/." "$new/merged/$folder/"
    rm -r "${from:?}/$folder"
  done
  if [ "$2" = audit ]; then from=$from/audit; fi
  [ -z "$(ls -A "$from")" ] || mv "$from" "$new/merged/$1"
}
# The exit statuses of a stage's shards, or its seconds, in their order.
of_shards() { # name, field
  local i
  for ((i = 0; i < shards; ++i)); do
    awk -v name="$1" -v field="$2" '$1 == "stage" && $2 == name { print $field }' "$i-of-$shards/whole.txt"
  done
}
merge_stage() { # stage
  local name=${names[$1]} verb=${verbs[$1]} i folders=() seconds=0 start=$SECONDS left='' to=merged
  make_work "$new/work"
  if [ "$shards" -eq 1 ]; then
    cp -r "0-of-1/$name" "$work/merged"
    cp "0-of-1/$name.txt" "$new/merged/$name.txt"
    status=$(of_shards "$name" 3)
  else
    for ((i = 0; i < shards; ++i)); do folders+=("$out/$i-of-$shards/$name"); done
    if [ "$verb" = audit ]; then mkdir "$work/merged"; to=merged/audit; fi
    run "$new/merged/$name.txt" "$lanediff" merge "${folders[@]}" --verb "$verb" --out "$to"
    [ -z "$interrupted" ] || later "interrupted in $name; nothing is merged"
    [ -z "$full" ] || later "$name could not write; nothing is merged"
    [ "$status" -ne 126 ] || wrong "$name: the folders of $shards shards are too long for one command;" \
      "a shorter --out, or fewer shards, is allowed; nothing is merged"
    [ "$status" -le 3 ] || later "$name ended with status $status; nothing is merged"
    [ -f "$work/merged/$(result_of "$verb")" ] || wrong "$name can't be merged; nothing is"
  fi
  if is_incomplete "$work/merged/$(result_of "$verb")"; then
    left=' unfinished'
    [ "$status" -ne 0 ] || status=2
  fi
  lay_out "$name" "$verb"
  for i in $(of_shards "$name" 4); do seconds=$((seconds + i)); done
  statuses+=("$status")
  echo "stage $name $status $((seconds + SECONDS - start))$left" >>"$new/merged/stages.txt"
}
# A pass that was interrupted goes on if inputs are the same, by name, size and time.
merge_inputs() {
  local i start=$SECONDS status
  for ((i = 0; i < shards; ++i)); do
    [ ! -d "$i-of-$shards/fuzz/fuzz-corpus" ] || cp -rp "$i-of-$shards/fuzz/fuzz-corpus/." "$new/fresh/"
  done
  "$here/../scripts/merge-corpus" --fuzzers "$fuzzers" $accept "$keep" "$new/fresh" >"$new/merged/inputs.txt" 2>&1 &
  child=$!
  wait_for_child
  [ -z "$interrupted" ] || later "interrupted in inputs; nothing is merged"
  [ "$status" -le 3 ] || later "inputs ended with status $status: $(tail -n 1 "$new/merged/inputs.txt"); nothing is merged"
  statuses+=("$status")
  echo "stage inputs $status $((SECONDS - start))" >>"$new/merged/stages.txt"
}

run_merge() {
  local i lock sums verdict at=$out
  until [ -e "$at" ]; do at=$(dirname "$at"); done
  [ -d "$at" ] && [ -w "$at" ] || wrong "$at: no folder in which user $(id -u), group $(id -g) may write"
  wait_for_shards
  [ -d "$out" ] || wrong "$out: no folder; --out names that of the shards"
  cd "$out"
  exec {lock}>.merged.lock
  flock -w 3 "$lock" || later "another merge is at work in $out"
  # Killed between the two renames below.
  [ -e merged ] || [ ! -e .merged.old ] || mv .merged.old merged
  check_shards
  sums=$(for ((i = 0; i < shards; ++i)); do sha256sum "$i-of-$shards/whole.txt"; done)
  if [ -f merged/shards.txt ] && [ "$(sed '$d' merged/shards.txt)" = "$sums" ]; then
    verdict=$(sed -n '$s/^verdict //p' merged/shards.txt)
    [ -n "$accept" ] && grep -q '^stage inputs 1 ' merged/stages.txt ||
      { log "$out/merged is of these shards already; verdict $verdict"; finish "$verdict"; }
    replace=1 # to keep the inputs that it refused
  fi
  [ ! -e merged ] || [ -n "$replace" ] || wrong "$out/merged: is there, of other shards; --replace puts these in its place"
  new=$out/.merged.new
  rm -rf "$new"
  mkdir -p "$new/merged" "$new/fresh"
  read_plan <(sed -n 's/^plan //p' "0-of-$shards/whole.txt") "$out/0-of-$shards/whole.txt"
  [[ " ${verbs[*]} " == *" fuzz "* ]] || keep=
  [ -z "$keep" ] || find_fuzzers
  {
    echo "date $(for ((i = 0; i < shards; ++i)); do sed -n 's/^date //p' "$i-of-$shards/whole.txt"; done | sort | head -n 1)"
    # Of 1.0.0+COMMIT, or 1.0.0+COMMIT.changed.SUM.
    if [[ "$version" == *+* ]]; then sed 's/.*+/commit /; s/\..*//' <<<"$version"; fi
  } >"$new/merged/stages.txt"
  statuses=()
  for i in "${!names[@]}"; do merge_stage "$i"; done
  [ -z "$keep" ] || merge_inputs
  rm -rf "$new/work"
  (cd "$new" && "$lanediff" index merged >/dev/null) || statuses+=("$?")
  [ -f "$new/merged/index.html" ] || later "no page could be made; nothing is merged"
  [ -z "$interrupted" ] || later "interrupted; nothing is merged"
  verdict=$(worst_of "${statuses[@]}")
  printf '%s\nverdict %s\n' "$sums" "$verdict" | put "$new/merged/shards.txt"
  rm -rf .merged.old
  [ ! -e merged ] || mv merged .merged.old
  mv "$new/merged" merged
  sync_folder .
  rm -rf .merged.old
  cat merged/stages.txt
  log "verdict $verdict; $out/merged/index.html leads to the rest"
  finish "$verdict"
}
