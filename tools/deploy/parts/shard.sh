# A shard of a run; tools/deploy/sharded-run sources it.

# Moves the findings of an ended try of fuzzing back to its artifacts. The next try
# confirms and reports them again.
reset_findings() { # folder of fuzz
  local own file name to suffix n
  for own in "$1"/lanediff-fuzz*; do
    for file in "$1"/{findings,unconfirmed}/*; do
      [ -e "$file" ] || continue
      name=${file##*/} to=$own/artifacts/ suffix='' n=''
      case $name in
        *.input) # of the program that its case names, made again; without a case, of the reader
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
    log "$name is done already"
    return
  fi
  # Only `exhaust` and `fuzz` continue an earlier try. A stage that was done is damaged
  # here, and a continued one would not write its findings again.
  if [[ "$verb" != @(exhaust|fuzz) ]] || [ -f "$name.done" ]; then rm -rf "$name"; fi
  rm -f "$name.done"
  mkdir -p "$name"
  [ "$verb" != fuzz ] || reset_findings "$name" || later "$folder/$name: can't be prepared; shard $part is not whole"
  make_work "$folder/work"
  command_of "$1"
  if [ "$shards" -eq 1 ]; then
    document=$name/$(result_of "$verb")
    ln -s "$folder/$name" work/merged
    report_options "$verb"
    command+=("${reports[@]}")
  else
    command+=(--out "$folder/$name")
  fi
  [ "$verb" != fuzz ] || [ -z "$keep" ] || copy_kept "$keep" "$folder/$name/fuzz-corpus" ||
    later "$keep: can't be copied; shard $part is not whole"
  case $verb in
    mutants | fuzz) ;; # end by themselves
    *) prefix=(timeout --foreground --preserve-status -k 60 "$share") ;;
  esac
  rm -f "$document"
  log "$name of shard $part"
  run "$folder/$name.txt" "${prefix[@]}" "$lanediff" "${command[@]}"
  took=$((SECONDS - start))
  [ -z "$interrupted" ] || later "interrupted in $name after $took s; shard $part is not whole"
  [ -z "$full" ] || later "$name could not write; shard $part is not whole"
  [ "$status" -le 3 ] || later "$name ended with status $status after $took s; shard $part is not whole"
  if [ ! -f "$document" ]; then
    [ "$status" -ne 2 ] || wrong "$name can't be run as $plan specifies: lanediff ${command[*]}"
    later "$name left no result; shard $part is not whole"
  fi
  if [ "$verb" = mutants ]; then
    # The result counts the mutants that the cap skipped.
    ! is_incomplete "$document" || left=' unfinished'
  elif grep -qE '^  "complete": *false' "$document"; then
    later "$name is not complete after $took s (a stage has --share $share s in each try); shard $part is not whole"
  fi
  # The corpus once more, and it is the same in every shard.
  rm -rf "$name"/lanediff-fuzz*/seeds
  sums=$(sums_of "$name") || later "$name can't be read; shard $part is not whole"
  printf '%s\n' "stage $name $status $took$left" "$sums" | put "$name.done"
}

# Ends with 2 where another try would fail, too: the claim or share is another user's.
make_folder() {
  local error
  if error=$(LC_ALL=C mkdir -p -- "$folder" 2>&1); then
    [ ! -w "$folder" ] || return 0
    error='Permission denied'
  fi
  case $error in
    *'Permission denied'* | *'Read-only'* | *'Not a directory'* | *'File exists'* | *'not permitted'*)
      wrong "$folder: $error; user $(id -u), group $(id -g) must be able to write there"
      ;;
  esac
  later "$folder: can't be made: ${error:-mkdir was ended}"
}
run_shard() {
  local i lock differ ours
  load_plan
  ours=$(identity) && [ -z "$interrupted" ] ||
    later "${interrupted:+interrupted: }$corpus, or a file that $plan names, can't be read"
  make_folder
  cd "$folder"
  exec {lock}>lock
  # Processes of a killed try may end a moment later.
  flock -w 3 "$lock" || later "another try of shard $part is at work in $folder"
  rm -f no-use
  if [ ! -f run.txt ]; then
    printf '%s\n' "$ours" "date $(date -u +%Y-%m-%dT%H:%M:%SZ)" | put run.txt
  elif ! differ=$(differing <(identity_of run.txt) <(echo "$ours")); then
    wrong "$folder: of another run: $differ; another --out, or an empty folder, is allowed"
  fi
  if [ -f whole.txt ]; then
    if sure holds .; then
      log "shard $part is whole already"
      finish 0
    fi
    log "$folder: shard $part is damaged; its damaged stages are run again"
    rm -f whole.txt
  fi
  for i in "${!names[@]}"; do run_stage "$i"; done
  rm -rf work
  {
    echo "lanediff-sharded-run/1"
    echo "shard $part"
    cat run.txt
    echo "run $(sha256sum <<<"$ours" | cut -d' ' -f1)"
    for i in "${names[@]}"; do cat "$i.done"; done
  } >whole.new
  echo "whole $(sha256sum <whole.new | cut -d' ' -f1)" >>whole.new
  sync whole.new
  mv whole.new whole.txt
  sync_folder .
  log "shard $part is whole: $folder"
  finish 0
}
