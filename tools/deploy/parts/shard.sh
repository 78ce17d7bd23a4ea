# A shard of a night; tools/deploy/night sources it.

# What a try of fuzzing that was ended had confirmed or put aside goes back to where
# the next one looks for what it has to confirm, so that its results tell of it, too.
untell() { # folder of fuzz
  local own file name to suffix n
  for own in "$1"/lanediff-fuzz*; do
    for file in "$1"/{findings,unconfirmed}/*; do
      [ -e "$file" ] || continue
      name=${file##*/} to=$own/artifacts/ suffix='' n=''
      case $name in
        *.input) # of the program that its case names, which is made anew; beside none, of the reader
          to+=$(sed -n 's/.*"tool": *"lanediff-fuzz-\([^"]*\)".*/\1/p' "${file%.input}.json" 2>/dev/null) || to+=case_json
          to+=@
          ;;
        *@*) ;;
        *) to=$own/raw/ name=${name%.json} suffix=.json ;;
      esac
      while [ -e "$to$name$n$suffix" ]; do n=-$((${n#-} + 1)); done
      mv "$file" "$to$name$n$suffix" || return
      [[ "$name" != *.input ]] || rm -f "${file%.input}.json" || return
    done
  done
}
run_stage() { # stage
  local name=${names[$1]} verb=${verbs[$1]} start=$SECONDS took document prefix=() left='' sums
  document=$name/$verb.$shard-of-$shards.json
  [ -z "$interrupted" ] || later "interrupted; shard $part is not whole"
  if sure is_done "$name"; then
    say "$name is done already"
    return
  fi
  # Only `exhaust` and `fuzz` have a use for what an earlier try left, unless it was done:
  # then something of it is damaged, and what it has found it does not write again.
  if [[ "$verb" != @(exhaust|fuzz) ]] || [ -f "$name.done" ]; then rm -rf "$name"; fi
  rm -f "$name.done"
  mkdir -p "$name"
  [ "$verb" != fuzz ] || untell "$name" || later "$folder/$name: can't be made ready; shard $part is not whole"
  make_work "$folder/work"
  command_of "$1"
  if [ "$shards" -eq 1 ]; then
    document=$name/$(result_of "$verb")
    ln -s "$folder/$name" work/night
    report_options "$verb"
    command+=("${reports[@]}")
  else
    command+=(--out "$folder/$name")
  fi
  [ "$verb" != fuzz ] || [ -z "$keep" ] || take_kept "$keep" "$folder/$name/fuzz-corpus" ||
    later "$keep: can't be copied; shard $part is not whole"
  case $verb in
    mutants | fuzz) ;; # end by themselves
    *) prefix=(timeout --foreground --preserve-status -k 60 "$share") ;;
  esac
  rm -f "$document"
  say "$name of shard $part"
  run "$folder/$name.txt" "${prefix[@]}" "$lanediff" "${command[@]}"
  took=$((SECONDS - start))
  [ -z "$interrupted" ] || later "interrupted in $name after $took s; shard $part is not whole"
  [ -z "$full" ] || later "$name could not write; shard $part is not whole"
  [ "$status" -le 3 ] || later "$name ended with status $status after $took s; shard $part is not whole"
  if [ ! -f "$document" ]; then
    [ "$status" -ne 2 ] || wrong "$name can't be run as $plan says: lanediff ${command[*]}"
    later "$name left no result; shard $part is not whole"
  fi
  if [ "$verb" = mutants ]; then
    # What its cap left out is told in its result.
    ! left_out "$document" || left=' unfinished'
  elif grep -qE '^  "complete": *false' "$document"; then
    later "$name is not complete after $took s (a stage has --share $share s in each try); shard $part is not whole"
  fi
  # The corpus once more, and it is the same in every shard.
  rm -rf "$name"/lanediff-fuzz*/seeds
  sums=$(sums_of "$name") || later "$name can't be read; shard $part is not whole"
  printf '%s\n' "stage $name $status $took$left" "$sums" | put "$name.done"
}

# What another try can't do either ends with 2: the claim or share is another user's.
make_folder() {
  local said
  if said=$(LC_ALL=C mkdir -p -- "$folder" 2>&1); then
    [ ! -w "$folder" ] || return 0
    said='Permission denied'
  fi
  case $said in
    *'Permission denied'* | *'Read-only'* | *'Not a directory'* | *'File exists'* | *'not permitted'*)
      wrong "$folder: $said; user $(id -u), group $(id -g) must be able to write there"
      ;;
  esac
  later "$folder: can't be made: ${said:-mkdir was ended}"
}
run_shard() {
  local i lock differ night
  take_plan
  night=$(what_runs) && [ -z "$interrupted" ] ||
    later "${interrupted:+interrupted: }$corpus, or a file that $plan names, can't be read"
  make_folder
  cd "$folder"
  exec {lock}>lock
  # What a try that was killed has begun may end a moment later.
  flock -w 3 "$lock" || later "another try of shard $part is at work in $folder"
  rm -f no-use
  if [ ! -f run.txt ]; then
    printf '%s\n' "$night" "date $(date -u +%Y-%m-%dT%H:%M:%SZ)" | put run.txt
  elif ! differ=$(differing <(night_of run.txt) <(echo "$night")); then
    wrong "$folder: of another night: $differ; another --out, or none of what is there, is allowed"
  fi
  if [ -f whole.txt ]; then
    if sure holds .; then
      say "shard $part is whole already"
      leave 0
    fi
    say "$folder: what shard $part left is damaged; it is made good"
    rm -f whole.txt
  fi
  for i in "${!names[@]}"; do run_stage "$i"; done
  rm -rf work
  {
    echo "lanediff-night/1"
    echo "shard $part"
    cat run.txt
    echo "run $(sha256sum <<<"$night" | cut -d' ' -f1)"
    for i in "${names[@]}"; do cat "$i.done"; done
  } >whole.new
  echo "whole $(sha256sum <whole.new | cut -d' ' -f1)" >>whole.new
  sync whole.new
  mv whole.new whole.txt
  sync_folder .
  say "shard $part is whole: $folder"
  leave 0
}
