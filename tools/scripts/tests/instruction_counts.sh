# Counts once, and holds that against the recorded counts, and against others that are 6 %
# off in either direction, and 4 %.
tools/scripts/count-instructions --record --counts "$folder/now" >/dev/null
expect 0 '' tools/scripts/count-instructions --counted "$folder/now"
echo "$out"
awk '{ $2 = int($2 * ($1 == "emulator" ? 0.94 : $1 == "compare" ? 1.06 : $1 == "oracle" ? 1.04 : 1)) } 1' "$folder/now" >"$folder/other"
expect 1 '' tools/scripts/count-instructions --counted "$folder/now" --counts "$folder/other"
[[ "$out" =~ emulator[^$'\n']*'% above' && "$out" =~ compare[^$'\n']*'% below' && ! "$out" =~ (oracle|scan|changes)[^$'\n']*% ]] ||
  fail 'other parts are beyond'
