# The shards of a night together; tools/deploy/night sources it.

# Says what is wrong with shard I, if anything; fails if that can't be told.
fault_of() { # I
  local folder=$1-of-$shards said first=0-of-$shards
  if [ ! -d "$folder" ]; then
    echo "is missing: no $out/$folder"
  elif [ ! -f "$folder/whole.txt" ] && [ -f "$folder/no-use" ]; then
    echo "is not whole, and of no use to run again: $(head -n 1 "$folder/no-use")"
  elif [ ! -f "$folder/whole.txt" ]; then
    echo "is not whole: no $out/$folder/whole.txt; run it again"
  elif ! sure holds "$folder"; then
    echo "is damaged: $out/$folder is not what its whole.txt says; run it again, or copy it again"
  elif said=$(sed -n 's/^shard //p' "$folder/whole.txt") && [ "$said" != "$1/$shards" ]; then
    echo "is missing: $out/$folder holds shard $said, which is there twice"
  elif sure is_whole "$first" && ! said=$(differing <(night_of "$folder/whole.txt") <(night_of "$first/whole.txt")); then
    echo "is of another night: $said in $out/$first"
  fi
}
# Sees that all shards are there, once each, and of one night.
judge_shards() {
  local i fault count wrong=
  for i in *-of-*; do
    [[ "$i" =~ ^(0|[1-9][0-9]*)-of-([1-9][0-9]*)$ ]] && [ -d "$i" ] || continue
    [ "${BASH_REMATCH[2]}" = "$shards" ] && [ "${BASH_REMATCH[1]}" -lt "$shards" ] ||
      { say "$out/$i: is there, but $shards shards are to be merged"; wrong=1; }
  done
  for ((i = 0; i < shards; ++i)); do
    fault=$(fault_of "$i") || later "shard $i/$shards can't be judged; nothing is merged"
    [ -z "$fault" ] || { say "shard $i/$shards $fault"; wrong=1; }
  done
  [ -z "$wrong" ] || wrong "nothing is merged"
  [ "version $version" = "$(grep '^version ' "0-of-$shards/whole.txt")" ] ||
    wrong "the shards are of $(sed -n 's/^version //p' "0-of-$shards/whole.txt"), but $lanediff of $version; nothing is merged"
}

# Until all are whole, --wait is over, or one that is not says that it never will be;
# judge_shards says what is lacking then.
wait_for_shards() {
  local i folder whole start=$SECONDS
  while :; do
    [ -z "$interrupted" ] || later "interrupted while it waited for shards; nothing is merged"
    whole=0
    for ((i = 0; i < shards; ++i)); do
      folder=$out/$i-of-$shards
      if [ -f "$folder/whole.txt" ]; then
        whole=$((whole + 1))
      elif [ -f "$folder/no-use" ]; then
        return 0
      fi
    done
    [ "$whole" -lt "$shards" ] && [ $((SECONDS - start)) -lt "$patience" ] || return 0
    sleep 2 &
    child=$!
    wait "$child" || true
    child=
  done
}

# Puts what a stage left in $work/night where script/nightly leaves it.
lay_out() { # name, verb
  local suffix folder from=$work/night
  for suffix in json xml sarif; do
    [ ! -f "$from/$2.$suffix" ] || mv "$from/$2.$suffix" "$new/night/$1.$suffix"
  done
  rm -rf "$from"/lanediff-fuzz* "$from/fuzz-corpus" "$from/exhaust"
  for folder in findings unconfirmed; do
    [ -d "$from/$folder" ] || continue
    mkdir -p "$new/night/$folder"
    cp -r "$from/$folder/." "$new/night/$folder/"
    rm -r "${from:?}/$folder"
  done
  if [ "$2" = audit ]; then from=$from/audit; fi
  [ -z "$(ls -A "$from")" ] || mv "$from" "$new/night/$1"
}
# The exit statuses of a stage's shards, or its seconds, in their order.
of_shards() { # name, field
  local i
  for ((i = 0; i < shards; ++i)); do
    awk -v name="$1" -v field="$2" '$1 == "stage" && $2 == name { print $field }' "$i-of-$shards/whole.txt"
  done
}
merge_stage() { # stage
  local name=${names[$1]} verb=${verbs[$1]} i folders=() seconds=0 start=$SECONDS left='' to=night
  make_work "$new/work"
  if [ "$shards" -eq 1 ]; then
    cp -r "0-of-1/$name" "$work/night"
    cp "0-of-1/$name.txt" "$new/night/$name.txt"
    status=$(of_shards "$name" 3)
  else
    for ((i = 0; i < shards; ++i)); do folders+=("$out/$i-of-$shards/$name"); done
    if [ "$verb" = audit ]; then mkdir "$work/night"; to=night/audit; fi
    run "$new/night/$name.txt" "$lanediff" merge "${folders[@]}" --verb "$verb" --out "$to"
    [ -z "$interrupted" ] || later "interrupted in $name; nothing is merged"
    [ -z "$full" ] || later "$name could not write; nothing is merged"
    [ "$status" -ne 126 ] || wrong "$name: the folders of $shards shards are too long for one command;" \
      "a shorter --out, or fewer shards, is allowed; nothing is merged"
    [ "$status" -le 3 ] || later "$name ended with status $status; nothing is merged"
    [ -f "$work/night/$(result_of "$verb")" ] || wrong "$name can't be merged; nothing is"
  fi
  if left_out "$work/night/$(result_of "$verb")"; then
    left=' unfinished'
    [ "$status" -ne 0 ] || status=2
  fi
  lay_out "$name" "$verb"
  for i in $(of_shards "$name" 4); do seconds=$((seconds + i)); done
  statuses+=("$status")
  echo "stage $name $status $((seconds + SECONDS - start))$left" >>"$new/night/stages.txt"
}
# A pass that was interrupted goes on if inputs are the same, by name, size and time.
merge_inputs() {
  local i start=$SECONDS status
  for ((i = 0; i < shards; ++i)); do
    [ ! -d "$i-of-$shards/fuzz/fuzz-corpus" ] || cp -rp "$i-of-$shards/fuzz/fuzz-corpus/." "$new/fresh/"
  done
  "$here/../tools/scripts/merge-corpus" --fuzzers "$fuzzers" $accept "$keep" "$new/fresh" >"$new/night/inputs.txt" 2>&1 &
  child=$!
  wait_for_child
  [ -z "$interrupted" ] || later "interrupted in inputs; nothing is merged"
  [ "$status" -le 3 ] || later "inputs ended with status $status: $(tail -n 1 "$new/night/inputs.txt"); nothing is merged"
  statuses+=("$status")
  echo "stage inputs $status $((SECONDS - start))" >>"$new/night/stages.txt"
}

run_merge() {
  local i lock sums verdict at=$out
  until [ -e "$at" ]; do at=$(dirname "$at"); done
  [ -d "$at" ] && [ -w "$at" ] || wrong "$at: no folder in which user $(id -u), group $(id -g) may write"
  wait_for_shards
  [ -d "$out" ] || wrong "$out: no folder; --out names that of the shards"
  cd "$out"
  exec {lock}>.night.lock
  flock -w 3 "$lock" || later "another merge is at work in $out"
  # Killed between the two renames below.
  [ -e night ] || [ ! -e .night.old ] || mv .night.old night
  judge_shards
  sums=$(for ((i = 0; i < shards; ++i)); do sha256sum "$i-of-$shards/whole.txt"; done)
  if [ -f night/shards.txt ] && [ "$(sed '$d' night/shards.txt)" = "$sums" ]; then
    verdict=$(sed -n '$s/^verdict //p' night/shards.txt)
    [ -n "$accept" ] && grep -q '^stage inputs 1 ' night/stages.txt ||
      { say "$out/night is of these shards already; verdict $verdict"; leave "$verdict"; }
    replace=1 # the inputs that it did not keep are asked for
  fi
  [ ! -e night ] || [ -n "$replace" ] || wrong "$out/night: is there, of other shards; --replace puts these in its place"
  new=$out/.night.new
  rm -rf "$new"
  mkdir -p "$new/night" "$new/fresh"
  read_plan <(sed -n 's/^plan //p' "0-of-$shards/whole.txt") "$out/0-of-$shards/whole.txt"
  [[ " ${verbs[*]} " == *" fuzz "* ]] || keep=
  [ -z "$keep" ] || find_fuzzers
  {
    echo "date $(for ((i = 0; i < shards; ++i)); do sed -n 's/^date //p' "$i-of-$shards/whole.txt"; done | sort | head -n 1)"
    # Of 1.0.0+COMMIT, or 1.0.0+COMMIT.changed.SUM.
    if [[ "$version" == *+* ]]; then sed 's/.*+/commit /; s/\..*//' <<<"$version"; fi
  } >"$new/night/stages.txt"
  statuses=()
  for i in "${!names[@]}"; do merge_stage "$i"; done
  [ -z "$keep" ] || merge_inputs
  rm -rf "$new/work"
  (cd "$new" && "$lanediff" index night >/dev/null) || statuses+=("$?")
  [ -f "$new/night/index.html" ] || later "no page could be made; nothing is merged"
  [ -z "$interrupted" ] || later "interrupted; nothing is merged"
  verdict=$(worst_of "${statuses[@]}")
  printf '%s\nverdict %s\n' "$sums" "$verdict" | put "$new/night/shards.txt"
  rm -rf .night.old
  [ ! -e night ] || mv night .night.old
  mv "$new/night" night
  sync_folder .
  rm -rf .night.old
  cat night/stages.txt
  say "verdict $verdict; $out/night/index.html leads to the rest"
  leave "$verdict"
}
