# Runs tools/scripts/test-fresh where mmdebstrap, unshare and id are made up: what it prints
# where no root can be made, and that it leaves nothing behind.
mkdir "$folder"/{tmp,bare}
touch "$folder/tmp/lanediff-fresh-of-another-user"

try() { # status, text of the output, arguments...
  expect "$1" "$2" env TMPDIR="$folder/tmp" PATH="${path:-$folder/bin:$PATH}" tools/scripts/test-fresh --logs "$folder/logs" "${@:3}"
}
left() { # how many folders of its own
  local there
  there=$(find "$folder/tmp" -mindepth 1 -maxdepth 1 -type d | wc -l)
  [ "$there" -eq "$1" ] || fail "$there folders are left, expected $1"
}
line() { # status, text of the only line, arguments...
  lines=1 try "$@"
  left 0
}

fake bin/id 'echo ${FAKE_ID:-0}'
fake bin/mmdebstrap 'for word; do case $word in */root) mkdir -p "$word"/{etc,root};; esac; done'
fake bin/unshare 'true'
line 2 '--seconds: found "long"' --seconds long
line 2 '--mirror: found "here"; an address' --mirror here
line 2 '--only: found "fuzz"' --only fuzz
FAKE_ID=1000 line 2 'can only be made as root'
for program in bash dirname realpath; do ln -s "$(command -v $program)" "$folder/bare/"; done
path=$folder/bare line 2 'install the Debian package mmdebstrap'
fake bin/unshare 'exit 1'
line 2 'nothing can be mounted here'
fake bin/unshare 'true'
fake bin/mmdebstrap 'echo noise; echo "E: Could not connect"; exit 25'
line 2 'a mirror of Debian 12 within reach (--mirror URL)? E: Could not connect; see '
[[ "$out" != *noise* ]] || fail 'prints more than the error'

fake bin/mmdebstrap 'echo "$@" >"'"$folder/called"'"
  for word; do case $word in */root) mkdir -p "$word"/{etc,root};; esac; done'
try 0 'nightly    status 0'
left 0
[[ "$out" == *'test       status 0'* ]] || fail 'script/test is not reported'
grep -qE -- '--variant=minbase --include=git(,ca-certificates)? ' "$folder/called" || fail 'more than git is there'
try 0 'status 0' --mirror https://example.org/debian
grep -q -- 'bookworm .*/root https://example.org/debian$' "$folder/called" || fail 'the mirror is not used'

fake bin/unshare 'case "${*: -1}" in *script/nightly*) echo "$*"; exit 3;; esac'
try 1 'nightly    status 3'
left 0
[[ "$out" == *'test       status 0'* ]] || fail 'one command that fails hides the other'
try 1 'seconds 7' --seconds 7 --only nightly
! grep -q test "$folder/logs/report.txt" || fail '--only nightly runs script/test'

try 1 'the root stays in ' --keep
left 1
rm -r "$folder"/tmp/lanediff-fresh-??????

# Ended from outside: what it runs ends, though unshare ignores the signal; what it made goes.
fake bin/unshare '[ "$*" = "--mount --pid --fork true" ] || { trap "" INT TERM; echo $$ >"'"$folder/pid"'"; sleep 60; touch "'"$folder/waited"'"; }'
TMPDIR=$folder/tmp PATH=$folder/bin:$PATH tools/scripts/test-fresh --logs "$folder/logs" >"$folder/out" 2>&1 &
while [ ! -s "$folder/pid" ]; do sleep 0.1; done
left 1
kill -TERM $!
status=0
wait $! || status=$?
[ "$status" -eq 2 ] || fail "interrupted: status $status, expected 2"
[ ! -e "$folder/waited" ] || fail 'interrupted: it waits for what ignores the signal'
left 0
! kill -0 "$(<"$folder/pid")" 2>/dev/null || fail 'what it ran still runs'
[ -f "$folder/tmp/lanediff-fresh-of-another-user" ] || fail 'removed what it did not make'
