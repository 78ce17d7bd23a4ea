# Builds that are within their budget, 15 % above it, and none.
mkdir -p "$folder/tools/scripts" "$folder/release" "$folder/empty"
cp tools/scripts/slowest-units "$folder/tools/scripts/"
units=("$folder/tools/scripts/slowest-units")
printf '# ninja log v5\n0\t1500\t0\ta.o\t1\n0\t2500\t0\tb.o\t1\n0\t9000\t0\tremoved.o\t1\n' >"$folder/release/.ninja_log"
fake bin/ninja 'for object in a.o b.o; do
  [ "$4" = deps ] && printf "%s: #deps 1, deps mtime 0 (VALID)\n    ../header\n" "$object" || echo "$object: CXX"
done'
export PATH=$folder/bin:$PATH
budget() { echo "release $1" >"$folder/tools/scripts/compile-budget.txt"; } # units and megabytes
truncate -s 3M "$folder/header"
expect 0 '2 units, 4 s in all, 6 MB read' "${units[@]}" --record "$folder/release"
expect 0 'b.o' "${units[@]}" "$folder/release"
[ "$(sed 1d "$folder/tools/scripts/compile-budget.txt")" = 'release 2 6' ] || fail 'the budget is not recorded'
truncate -s 4M "$folder/header"
expect 1 '8 MB of source; expected at most 6' "${units[@]}" "$folder/release"
budget '1 8'
expect 1 '2 units; expected at most 1' "${units[@]}" "$folder/release"
expect 0 '2 units of 2 + 15 %' "${units[@]}" --record "$folder/release"
mkdir "$folder/other"
cp "$folder/release/.ninja_log" "$folder/other/"
expect 2 'other: no budget in compile-budget.txt' "${units[@]}" "$folder/other"
truncate -s 0 "$folder/header"
expect 2 'nothing can be compared' "${units[@]}" "$folder/release"
expect 2 'empty: No such file or directory; expected a build by ninja' "${units[@]}" "$folder/empty"
