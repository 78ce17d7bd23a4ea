# Plants defects in a copy of tools/deploy/: tools/scripts/test-slurm must be green without one and
# red with each.
cp -r tools/deploy "$folder/good"
cat >"$folder/plan" <<'END'
replay   check corpus/min
sweep    sweep --instruction vec_trans --target mutant:vt-repeat-zero-accepted
exhaust  exhaust sum-half-saturating --range 8100000..8200000 --target mutant:rrs-saturation-missing
END
LANEDIFF=$(realpath "${LANEDIFF:-build/release/bin/lanediff}")
LANEDIFF_CORPUS=$(realpath "${LANEDIFF_CORPUS:-corpus}")
export LANEDIFF LANEDIFF_CORPUS

try() { # status, output (an extended regular expression), options of test-slurm...
  local start=$SECONDS
  expect "$1" '' tools/scripts/test-slurm --plan "$folder/plan" "${@:3}"
  grep -qE -e "$2" <<<"$out" || fail "test-slurm ${*:3}: expected \"$2\""
  echo "$((SECONDS - start)) s: $(grep -E -m 1 -e "$2" <<<"$out")"
}
plant() { # file, expression of sed, output, disturbance
  rm -rf "$folder/deploy"
  cp -r "$folder/good" "$folder/deploy"
  change "$folder/good/$1" "$2" "$folder/deploy/$1"
  try 1 "$3" --deploy "$folder/deploy" --shards 3 --only "$4" --one "$folder/kept/one/merged"
}

try 0 'compare-runs: ' --deploy "$folder/good" --shards 3 --only term --only kill --logs "$folder/kept"
# A task that is not whole is not put back.
plant slurm/tries.sh 's/scontrol requeue "\$task"/false/' 'the merge did not submit shard none alone again' kill
# All tasks are put back, not the one.
plant slurm/tries.sh '/SLURM_ARRAY_JOB_ID:-/d' 'though nothing had ended it' kill
# SIGTERM of a task does not reach the shard: it runs to its end, or is killed.
plant slurm/tries.sh '/^  trap /d' 'term: shard . was not run again|did not submit shard none alone again' term
# The merge does not wait.
plant slurm/submit 's/^  after=\(.*/  after=()/' 'the merge does not wait for the shards' kill
# What was lost is not submitted again.
plant slurm/merge.sbatch 's/-lt "\$rounds"/-lt 0/' 'did not get whole' task
# The merge does not wait for these, but polls.
plant slurm/merge.sbatch '/^  scontrol update/d' 'does not wait for what it submitted again' task
# The merge ends when it has submitted that.
plant slurm/merge.sbatch 's/^(    .*)wait_for_array "\$last"/\1finish 0/' 'no merged results' task
# Part of a stage is taken for all of it.
plant parts/shard.sh '/^  \[ -z "\$interrupted" \] \|\| later "interrupted in \$name after/d; s/^  elif grep -qE .*complete.*/  elif false; then/' \
  "exhaust can't be merged; nothing is" term
# A merge of what is there.
plant parts/merge.sh 's/^  check_shards$/  true/' 'a merge before the shards are whole' early
# A done stage runs again; an unfinished stage restarts.
plant parts/shard.sh 's/if sure is_done "\$name"; then/if false; then/' 'was not run again' kill
plant parts/shard.sh 's/if \[\[ "\$verb" != @\(exhaust.*; then/if true; then/' 'did not go on where it was' kill
# A file of a stage is lost, or changed.
plant parts/merge.sh 's/for suffix in json xml sarif/for suffix in json xml/' 'sweep.sarif is in ' kill
plant parts/merge.sh 's/for folder in findings unconfirmed/for folder in unconfirmed/' 'findings/' kill
