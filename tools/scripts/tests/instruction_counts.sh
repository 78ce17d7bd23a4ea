# Counts that are 6 % off in either direction, and 4 %.
tools/scripts/count-instructions --record --counts "$folder/now" >/dev/null
while read -r part factor status; do
  awk -v part="$part" -v factor="$factor" '{ if ($1 == part) $2 = int($2 * factor); print }' "$folder/now" >"$folder/other"
  expect "$status" '' tools/scripts/count-instructions --counts "$folder/other"
done <<'END'
emulator 0.94 1
compare 1.06 1
oracle 1.04 0
END
