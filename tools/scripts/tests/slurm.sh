# Plants defects in a copy of tools/deploy/: tools/scripts/test-engine must be green without one and
# red with each.
cp -r tools/deploy "$folder/good"
try() { # status, options...
  expect "$1" '' tools/scripts/test-engine slurm --shards 3 --stages replay,sweep,exhaust "${@:2}"
}
try 0 --only term --only kill --logs "$folder/kept"
while IFS='~' read -r file edit text disturbance; do
  rm -rf "$folder/deploy"
  cp -r "$folder/good" "$folder/deploy"
  change "$folder/good/$file" "$edit" "$folder/deploy/$file"
  try 1 --deploy "$folder/deploy" --only "$disturbance" --one "$folder/kept/one"
  grep -qE -e "$text" <<<"$out" || fail "$edit: expected \"$text\""
done <<'END'
slurm/submit~s/scontrol requeue "\$task"/false/~the merge ran~kill
slurm/submit~/SLURM_ARRAY_JOB_ID:-/d~though nothing had ended it~kill
slurm/submit~/^  trap /d~term: shard . was not run again|the merge ran~term
slurm/submit~s/^    after=\(.*/    after=()/~the merge does not wait for the shards~kill
slurm/submit~s/^    run_shard "\$i"/    status=0/~did not get whole~task
parts/shard.sh~/^  \[ -z "\$interrupted" \] \|\| later "interrupted in \$name after/d; s/^  elif grep -qE .*complete.*/  elif false; then/~was not run again~term
parts/merge.sh~s/^  check_shards$/  true/~a merge before the shards are whole~early
parts/shard.sh~s/if sure is_done "\$name"; then/if false; then/~was not run again~kill
parts/shard.sh~s/if \[\[ "\$verb" != @\(exhaust.*; then/if true; then/~did not go on where it was~kill
parts/merge.sh~s/for suffix in json xml sarif/for suffix in json xml/~sweep.sarif is in ~kill
parts/merge.sh~s/for folder in findings unconfirmed/for folder in unconfirmed/~findings/~kill
END
