# Takes packages out of script/bootstrap's list and expects tools/scripts/check-packages to
# name each, and what is used of it.
with() { # name of a list, expression of sed on it
  fake "$1" "script/bootstrap \"\$@\" | sed '$2'"
}
with all ''
with fewer 's/^libhwy-dev$//; s/^valgrind$//; s/^shfmt$//; s/^ninja-build$//; s/^libxml2-utils$//; s/^chromium$//'
with no-compiler 's/^g++$//; s/^libgtest-dev$//'
expect 1 '' tools/scripts/check-packages "$folder"/{all,fewer,no-compiler}
all=$out
of() { # a list: what is printed of it
  out=$(sed -n "s,^$folder/$1: ,,p" <<<"$all")
}
line() { # regular expression of a line
  grep -qE "^check-packages: $1\$" <<<"$out" || fail "expected a line $1"
  count=$((count + 1))
}
of all
line '[0-9]+ headers and [0-9]+ programs and libraries, all brought'
of fewer
line '/usr/include/hwy/.* and [0-9]+ more, used by build/.*\.o: libhwy-dev; script/bootstrap run .*'
line 'ninja, used by tools/scripts/mutation-test: ninja-build; script/bootstrap run .*'
line 'valgrind and 1 more, used by tools/scripts/count-instructions: valgrind; script/bootstrap test .*'
line 'shfmt, used by tools/scripts/check-packages: shfmt; script/bootstrap test .*'
line 'xmllint, used by reports/schema_testing\.cc: libxml2-utils; script/bootstrap test .*'
line '(/usr/bin/)?chromium( and 1 more)?, used by reports/html/browser/.*: chromium; script/bootstrap test .*'
! grep -E 'run does not' <<<"$out" | grep -E 'valgrind|shfmt|xmllint|chromium' || fail 'the nightly run needs what tests need'
of no-compiler
line '/usr/bin/g\+\+, used by a command of build/release: g\+\+ .*; script/bootstrap run .*'
line '/usr/.*gtest.* and [0-9]+ more, used by .*: libgtest-dev; script/bootstrap run .*'
fake failing 'exit 3'
expect 2 'failing run --list: no output' tools/scripts/check-packages "$folder/failing"
