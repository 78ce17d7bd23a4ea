# Runs tools/scripts/test-fresh where mmdebstrap, unshare, chroot and id are made up: what it
# prints where no root can be made, and that it leaves nothing behind.
mkdir "$folder/tmp"
touch "$folder/tmp/lanediff-fresh-of-another-user"

try() { # status, text of the output, arguments...
  expect "$1" "$2" env TMPDIR="$folder/tmp" PATH="$folder/bin:$PATH" tools/scripts/test-fresh --logs "$folder/logs" "${@:3}"
  [ "$(find "$folder/tmp" -mindepth 1)" = "$folder/tmp/lanediff-fresh-of-another-user" ] || fail 'something is left, or gone'
}

fake bin/id 'echo ${FAKE_ID:-0}'
fake bin/unshare 'while [[ "$1" = --* ]]; do shift; done; exec "$@"'
fake bin/chroot 'true'
FAKE_ID=1000 lines=1 try 2 'can only be made as root'
fake bin/mmdebstrap 'echo noise; echo "E: Could not connect" >&2; exit 25'
try 2 'a mirror of Debian 12 within reach (--mirror URL)? E: Could not connect; see '

fake bin/mmdebstrap 'echo "$@" >"'"$folder/called"'"
  mkdir -p "$TMPDIR/root/etc"
  for word; do case $word in --customize-hook=*) sh -c "${word#*=}" exec "$TMPDIR/root" || exit 25;; esac; done'
try 0 'nightly    status 0'
[[ "$out" == *'test       status 0'* ]] || fail 'script/test is not reported'
grep -qE -- '--variant=minbase --include=git(,ca-certificates)? ' "$folder/called" || fail 'more than git is there'
try 0 'status 0' --mirror https://example.org/debian
grep -q -- '--include=git,ca-certificates .*bookworm /dev/null https://example.org/debian$' "$folder/called" || fail 'the mirror is not used'

fake bin/chroot 'case "${*: -1}" in *script/nightly*) echo "$*"; exit 3;; esac'
try 1 'nightly    status 3'
[[ "$out" == *'test       status 0'* ]] || fail 'one command that fails hides the other'
try 1 'seconds 7' --seconds 7 --only nightly
! grep -q test "$folder/logs/report.txt" || fail '--only nightly runs script/test'
fake bin/chroot 'case "${*: -1}" in *clone*) exit 128;; esac'
try 2 'clone      status 128'

# Ended from outside: what it runs ends, though it ignores the signal; what it made goes.
fake bin/unshare 'trap "" INT TERM; echo $$ >"'"$folder/pid"'"; sleep 60; touch "'"$folder/waited"'"'
TMPDIR=$folder/tmp PATH=$folder/bin:$PATH tools/scripts/test-fresh --logs "$folder/logs" >"$folder/out" 2>&1 &
while [ ! -s "$folder/pid" ]; do sleep 0.1; done
kill -TERM $!
status=0
wait $! || status=$?
[ "$status" -eq 2 ] || fail "interrupted: status $status, expected 2"
[ ! -e "$folder/waited" ] || fail 'interrupted: it waits for what ignores the signal'
! kill -0 "$(<"$folder/pid")" 2>/dev/null || fail 'what it ran still runs'
[ "$(find "$folder/tmp" -mindepth 1)" = "$folder/tmp/lanediff-fresh-of-another-user" ] || fail 'something is left, or gone'
