# Runs lanediff, and checks its results later; tools/deploy/sharded-run sources it.

# Passes lines on; status 1 if one reports a failed write.
relay() {
  local line full=0
  trap '' TERM INT HUP
  while IFS= read -r line || [ -n "$line" ]; do
    printf '%s\n' "$line"
    [[ "$line" != *"can't be "@(written|made)* ]] || full=1
  done
  exit "$full"
}
# Waits for `child`, which on_signal interrupts; `status` is its. Engines wait for a
# minute: after 15 s fuzzing, which confirms its findings first, gets a second signal;
# after 40 s all processes are killed.
wait_for_child() {
  local halves=0
  [ -z "$interrupted" ] || on_signal
  while :; do
    status=0
    wait "$child" || status=$?
    while kill -0 "$child" 2>/dev/null; do
      [ -n "$interrupted" ] || continue 2
      sleep 0.5 || true
      halves=$((halves + 1))
      [ "$halves" -ne 30 ] || kill -TERM "$child" 2>/dev/null || true
      [ "$halves" -ne 80 ] || end "$child"
    done
    [ "$halves" -eq 0 ] || wait "$child" || status=$?
    break
  done
  child=
}
# Runs lanediff in $work; `status` is its own, or 128 and its signal. `full` is set
# after a failed write, for which lanediff has no status of its own.
run() { # file for its text, prefix of its command..., lanediff, arguments...
  local text=$1 relay to
  shift
  full=
  # Output is passed on at once, and a signal for the group does not end the relay.
  exec {to}> >(relay >&2)
  relay=$!
  (cd "$work" && exec "$@" >"$text" 2>&"$to" {to}>&-) &
  child=$!
  exec {to}>&-
  wait_for_child
  while kill -0 "$relay" 2>/dev/null; do wait "$relay" || true; done
  wait "$relay" || [ $? -ne 1 ] || full=1
}
# The folder in which lanediff runs: the corpus is `corpus` there.
make_work() { # path
  work=$1
  rm -rf "$work"
  mkdir -p "$work"
  ln -s "$corpus" "$work/corpus"
}
report_options() { # verb: of a run of one shard
  reports=()
  case $1 in
    audit) reports=(--out merged/audit) ;;
    exhaust) reports=(--out merged --json merged/exhaust.json) ;;
    *)
      reports=(--json "merged/$1.json" --junit "merged/$1.xml" --html merged)
      [ "$1" = check ] || [ "$1" = mutants ] || reports+=(--out merged)
      [ "$1" = mutants ] || reports+=(--sarif "merged/$1.sarif")
      ;;
  esac
}
result_of() { # verb: the main file in a folder of results
  [ "$1" = audit ] && echo audit/audit.json || echo "$1.json"
}
# Replaces a file atomically, on disk.
put() { # file; text is read
  cat >"$1.new" && sync "$1.new" && mv -f "$1.new" "$1" && sync_folder "$(dirname "$1")"
}
sync_folder() {
  local error
  # Some file systems sync files only.
  error=$(LC_ALL=C sync "$1" 2>&1) || [[ "$error" == *': Invalid argument' ]] || { log "$error"; return 1; }
}

# The files of a stage that merge reads, with their sums.
sums_of() { # name
  find "$1" "$1.txt" -type f ! -path "$1/lanediff-fuzz*" ! -path "$1/exhaust/*" -print0 | LC_ALL=C sort -z |
    xargs -0 -r sha256sum --
}
# Of the next four: status 1 if the answer is no, 2 or more if the check failed.
sums_hold() { # file with lines of sums among others
  local errors status=0
  errors=$(export LC_ALL=C
    { grep -E '^\\?[0-9a-f]{64}  ' "$1" | sha256sum --check --strict --quiet; } 2>&1 >/dev/null) || status=$?
  [ "$status" -ne 1 ] || ! grep -E '^(sha256sum|grep): ' <<<"$errors" | grep -qvE \
    ': WARNING: |: (No such file or directory|(Is|Not) a directory|no properly formatted .*)$' || status=2
  return "$status"
}
is_done() { # name
  [ -f "$1.done" ] && grep -qx "stage $1 [0-9]* [0-9]*\( unfinished\)\?" "$1.done" && sums_hold "$1.done"
}
# Whether a shard's whole.txt is there to its last line.
is_whole() { # folder
  local written sum
  [ -f "$1/whole.txt" ] || return 1
  written=$(sed -n '$s/^whole //p' "$1/whole.txt") && sum=$(sed '$d' "$1/whole.txt" | sha256sum) || return 2
  [ "$written" = "${sum%% *}" ]
}
# Whether a shard is whole, and all files that merge reads are unchanged.
holds() { # folder
  is_whole "$1" && (cd "$1" || exit 2; sums_hold whole.txt)
}
