# Runs script/bootstrap where apt-get, dpkg-query, id and sudo are made up, and
# configures builds that do not find a library.

boot() { # status, text of the one line, arguments...
  : >"$folder/calls"
  PATH=$folder/bin:$PATH expect "$1" '' script/bootstrap "${@:3}"
  out=$(grep -v '^bootstrap: installing ' <<<"$out" || true)
  [[ "$out" == *"$2"* && "$(wc -l <<<"$out")" -eq 1 ]] || fail "bootstrap ${*:3}: expected the one line \"$2\""
}
called() { # text of what apt-get was called with
  grep -q -- "$1" "$folder/calls" || fail "apt-get: expected \"$1\" in: $(cat "$folder/calls")"
}

# A machine of its own: what is installed stands in a file.
fake bin/id 'echo ${FAKE_ID:-0}'
fake bin/dpkg-query 'while read -r name; do echo "$name installed"; done <"'"$folder/installed"'"'
fake bin/sudo 'exit 1'
fake bin/apt-get 'echo "$@" >>"'"$folder/calls"'"'

script/bootstrap test --list >"$folder/installed"
boot 0 '' test
[ ! -s "$folder/calls" ] || fail 'apt-get was called where nothing is missing'
boot 2 'found "walk"; usage' walk

grep -vx -e libhwy-dev -e valgrind "$folder/installed" >"$folder/fewer"
mv "$folder/fewer" "$folder/installed"
boot 2 'apt-get succeeded, but libhwy-dev is not installed' run
called '^update'
called '^install .* libhwy-dev'
! grep -q valgrind "$folder/calls" || fail 'run brings what only tests need'
FAKE_ID=1000 boot 2 'as root: apt-get install libhwy-dev valgrind' test

fake bin/apt-get 'if [ $1 = install ]; then for name; do echo $name; done >>"'"$folder/installed"'"; fi'
cp "$folder/installed" "$folder/before"
boot 0 '' test
cp "$folder/before" "$folder/installed"

fake bin/apt-get 'echo "E: Could not resolve host"; echo "E: Could not resolve host"; exit 100'
boot 2 "can't read the package lists; see /etc/apt/sources.list and sources.list.d/: E: Could not resolve host" run
fake bin/apt-get '[ $1 != install ] || { echo noise; echo "E: Unable to locate package libhwy-dev"; exit 100; }'
boot 2 "can't install libhwy-dev, packages of Debian 12: E: Unable to locate package libhwy-dev" run
[[ "$out" != *noise* ]] || fail 'prints more than the error'

# A library of the program, and one that only tests need, is missing.
configure() { # library that is not found
  cmake --preset release -B "$folder/build" -DCMAKE_DISABLE_FIND_PACKAGE_"$1"=ON 2>&1
}
needs() { # targets...
  ninja -C "$folder/build" -t inputs "$@"
}
while read -r kind name package target; do
  rm -rf "$folder/build"
  if [ "$kind" = lanediff_package ]; then
    ! out=$(configure "$name") || fail "builds without $name"
  else
    out=$(configure "$name") || fail "does not configure without $name"
    ! out=$(ninja -C "$folder/build" "$package-is-missing") || fail "$target is made without $name"
    [[ "$(needs case_tests cli_tests lanediff-bench)" == *"$package-is-missing"* ]] ||
      fail "nothing of the tests needs $package"
    [[ "$(needs lanediff properties_tests)" != *"$package-is-missing"* ]] ||
      fail "script/nightly needs $package"
  fi
  [[ "$out" == *"$name is missing, the Debian package $package; script/bootstrap"* ]] ||
    fail "$name is missing: expected a line that names $package"
  count=$((count + 1))
done < <(sed -nE 's/^ *(lanediff_(test_)?package)\((hwy|valijson)( [^)]*)\)$/\1 \3\4/p' cmake/Packages.cmake)
