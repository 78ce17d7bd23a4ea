# Functions of script/nightly, tools/scripts/merge-corpus, tools/scripts/test-fresh and
# tools/deploy/sharded-run.

# Whether one of these results is incomplete.
is_incomplete() { # files, some of which may not be there
  grep -qsE '"complete": *false|"notFinished": *[1-9]' "$@"
}

# Prints the status of all stages: 1 beats 3 beats 2 beats others beat 0.
worst_of() { # statuses...
  local worst status
  for worst in 1 3 2; do
    for status; do
      [ "$status" -ne "$worst" ] || { echo "$worst"; return; }
    done
  done
  for status; do
    [ "$status" -eq 0 ] || { echo "$status"; return; }
  done
  echo 0
}

# Ends a process and its descendants.
end() { # process
  local child
  for child in $(cat /proc/"$1"/task/*/children 2>/dev/null); do end "$child"; done
  kill -KILL "$1" 2>/dev/null || true
}

# Puts the inputs that are kept for fuzz programs beside those of this run; their
# names are their hashes. Where merge-corpus is between its two renames, the earlier ones.
copy_kept() { # folder of --keep, folder of the run's inputs
  local folder name to
  for folder in "$1"/*/inputs "$1"/.*.old/inputs; do
    [ -d "$folder" ] || continue
    name=$(basename "${folder%/inputs}")
    if [[ "$name" == .* ]]; then
      name=${name#.} name=${name%.old}
      [ ! -d "$1/$name/inputs" ] || continue
    fi
    to=$2/$name
    mkdir -p "$to" && cp -r "$folder/." "$to/" || return
  done
}
