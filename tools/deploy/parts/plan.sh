# The inputs of a run: program, corpus, fuzz programs and plan. tools/deploy/sharded-run sources it.

is_program() { [ -x "$1" ]; } # path
has_fuzzers() { compgen -G "$1/lanediff-fuzz-*" >/dev/null; } # folder
# Prints the first path that is right; only that of the variable is tried, if it is set.
find_first() { # variable, check, paths...
  local path
  [ -z "${!1:-}" ] || set -- "$1" "$2" "${!1}"
  for path in "${@:3}"; do
    ! "$2" "$path" || { realpath -- "$path"; return; }
  done
  return 1
}
find_fuzzers() { # sets `fuzzers`
  fuzzers=$(find_first LANEDIFF_FUZZERS has_fuzzers "$root/build/fuzz/bin" "$(dirname "$lanediff")") ||
    wrong "no fuzz programs${LANEDIFF_FUZZERS:+ in $LANEDIFF_FUZZERS}; LANEDIFF_FUZZERS names their folder," \
      "--without fuzz goes without"
}
# Prints each word behind a blank, as a shell reads it.
quoted() { # words...
  local word
  for word; do
    [[ "$word" =~ ^[A-Za-z0-9_./:,=@%+-]+$ ]] || word=$(printf %q "$word")
    printf ' %s' "$word"
  done
}
names=() verbs=() arguments=() fuzzers=
declare -A verb_of=([replay]=check [sweep]=sweep [exhaust]=exhaust [mutants]=mutants [fuzz]=fuzz [audit]=audit)
read_plan() { # plan, its name
  local line words number=0
  while IFS= read -r line || [ -n "$line" ]; do
    number=$((number + 1))
    [[ ! "$line" =~ ^[[:blank:]]*(#|$) ]] || continue
    words=('')
    ! xargs true <<<"$line" 2>/dev/null || mapfile -d '' words < <(xargs printf '%s\0' <<<"$line")
    if [ "${verb_of[${words[0]:-none}]:-}" != "${words[1]:-}" ] || [[ " ${names[*]} " == *" ${words[0]} "* ]]; then
      wrong "$2: line $number: found \"$line\"; NAME VERB ARGUMENTS... is allowed, each of" \
        "\"replay check\", \"sweep sweep\", \"exhaust exhaust\", \"mutants mutants\", \"fuzz fuzz\" and \"audit audit\" once"
    fi
    for word in "${words[@]:2}"; do
      case ${word%%=*} in
        --shard | --out | --json | --junit | --sarif | --html | --baseline | --state | --seconds | --seed | --jobs | --fuzzers)
          wrong "$2: line $number: found $word, which sharded-run itself sets or omits" ;;
      esac
    done
    [[ " ${without[*]} " != *" ${words[0]} "* ]] || continue
    names+=("${words[0]}") verbs+=("${words[1]}")
    arguments+=("$(quoted "${words[@]:2}")")
  done <"$1"
  [ ${#names[@]} -gt 0 ] || wrong "$2: no stage; a line NAME VERB ARGUMENTS... is allowed"
}
# The files that targets name: a plugin, and of a command the programs (by mode or
# ending) and read-only files; no log.
target_files() {
  local words word code='\.(py[cz]?|[cm]?js|ts|lua|R|jl|pl|rb|sh|tcl|php|jar|class|wasm|so(\.[0-9]+)*)$'
  eval "words=(${arguments[*]})"
  for word in "${words[@]#--target=}"; do
    case $word in
      plugin:*) echo "${word#plugin:}" ;;
      exec:*)
        while IFS= read -r word; do
          if [ -x "$word" ] || [ ! -w "$word" ] || [[ "$word" =~ $code ]]; then echo "$word"; fi
        done < <(xargs -n 1 <<<"${word#exec:}" 2>/dev/null)
        ;;
    esac
  done | LC_ALL=C sort -u | while IFS= read -r word; do
    [[ "$word" != /* ]] || [ ! -f "$word" ] || echo "$word"
  done
}
# The lines that are equal in all shards of a run.
identity() {
  local i files sum
  echo "version $version"
  for i in "${!names[@]}"; do echo "plan ${names[i]} ${verbs[i]}${arguments[i]}"; done
  echo "options seconds $seconds share $share seed $seed"
  sum=$(cd "$corpus" && find -L . -type f -print0 | LC_ALL=C sort -z | xargs -0 -r sha256sum -- | sha256sum) || return
  echo "corpus ${sum%% *}"
  if [ -n "$fuzzers" ]; then
    sum=$(cd "$fuzzers" && {
      printf '%s\n' lanediff-fuzz-*
      # Most are names of one program.
      realpath -z -- lanediff-fuzz-* | LC_ALL=C sort -zu | xargs -0 cat --
    } | sha256sum) || return
    echo "fuzzers ${sum%% *}"
  fi
  files=$(target_files)
  [ -n "$files" ] || return 0
  while IFS= read -r i; do
    sum=$(sha256sum <"$i") || return
    echo "target $i ${sum%% *}"
  done <<<"$files"
}
identity_of() { # run.txt or whole.txt
  grep -E '^(version|plan|options|corpus|fuzzers|target) ' "$1"
}
# Prints the first difference; fails if there is one.
differing() { # two identities
  local difference
  difference=$(diff "$1" "$2" | sed -n 's/^\([<>]\) /\1/p') || true
  [ -n "$difference" ] || return 0
  echo "$(sed -n '/^</{s/^<\(.*\)/"\1"/p;q}' <<<"$difference" | grep . || echo nothing) here, but" \
    "$(sed -n '/^>/{s/^>\(.*\)/"\1"/p;q}' <<<"$difference" | grep . || echo nothing)"
  return 1
}
# Sets `command`: of a stage, without where its results go.
command_of() { # stage
  eval "command=(${verbs[$1]}${arguments[$1]} --jobs $jobs --shard $shard/$shards)"
  case ${verbs[$1]} in
    mutants) command+=(--seconds "$share") ;;
    fuzz) command+=(--seconds "$seconds" --seed "$seed" --fuzzers "$fuzzers") ;;
  esac
}
load_plan() {
  local name
  [ -f "$plan" ] && [ -r "$plan" ] || wrong "$plan: no plan that can be read; --plan names one"
  for name in "${without[@]}"; do
    [ -n "${verb_of[$name]:-}" ] || wrong "--without: found \"$name\"; one of ${!verb_of[*]} is allowed"
  done
  read_plan "$plan" "$plan"
  [[ " ${verbs[*]} " != *" fuzz "* ]] || find_fuzzers
  [ -d "$corpus" ] || wrong "$corpus: no corpus; LANEDIFF_CORPUS names its folder"
}
