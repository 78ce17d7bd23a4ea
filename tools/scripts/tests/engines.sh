# Plants defects in a copy of tools/deploy/, as the schemas of Kubernetes allow them: each engine
# of tools/scripts/test-engine, or that of ENGINE, must be green without one and red with each.
cp -r tools/deploy "$folder/good"
try() { # engine, status, text of the output as a regular expression, options...
  expect "$2" '' tools/scripts/test-engine "$1" --shards 3 "${@:4}"
  grep -qE -e "$3" <<<"$out" || fail "$*: expected \"$3\""
}
declare -A stages=([matrix]=replay,sweep,exhaust [slurm]=replay,sweep,exhaust [kubernetes]=replay,exhaust,fuzz)
while IFS='~' read -r engine file edit text strike; do
  [ "$engine" = "${ENGINE:-$engine}" ] || continue
  options=(--stages "${stages[$engine]}" ${strike:+--only "$strike"})
  [ -d "$folder/$engine" ] || try "$engine" 0 'all is right' --logs "$folder/$engine" --stages "${stages[$engine]}" --only term --only kill
  rm -rf "$folder/deploy"
  cp -r "$folder/good" "$folder/deploy"
  change "$folder/good/$file" "$edit" "$folder/deploy/$file"
  try "$engine" 1 "$text" --deploy "$folder/deploy" --one "$folder/$engine/one" "${options[@]}"
done <<'END'
matrix~parts/shard.py~s/^        if self.is_done\(name\):/        if False:/~was not run again~kill
matrix~parts/shard.py~s/^        if verb not in \("exhaust", "fuzz"\) or .*/        if True:/~did not go on where it was~kill
matrix~parts/shard.py~s/differ := .*/differ := "":/~another plan: status 0~kill
matrix~parts/merge.py~s/if theirs != self.inputs.version:/if False:/~another build: status~kill
matrix~parts/merge.py~s/^        self.check_shards\(\)/        self.wholes = [read_whole(one) or [] for one in self.folders]/~a merge before the shards are whole|damaged: status~kill
matrix~parts/merge.py~s/if not holds\(folder\):/if False:/~damaged: status~kill
matrix~parts/merge.py~s/if found != f".*/if False:/~twice: status~kill
matrix~parts/merge.py~s/\("json", "xml", "sarif"\)/("json", "xml")/~sweep.sarif is in ~kill
matrix~parts/merge.py~s/\("findings", "unconfirmed"\)/("unconfirmed",)/~findings/~kill
slurm~slurm/submit~s/scontrol requeue "/false "/~the merge ran~kill
slurm~slurm/submit~s/\$\{SLURM_ARRAY_TASK_ID:\+_.*_ID\}//~though nothing had ended it~kill
slurm~slurm/submit~/^  trap /d~not run again|the merge ran~term
slurm~slurm/submit~s/^  after=\(.*/  after=()/~the merge does not wait for the shards~kill
slurm~parts/merge.py~s/^    if options.rerun:/    if False:/~did not get whole~task
kubernetes~kubernetes/nightly/cronjob.yaml~s,deploy/sharded-run\],deploy/absent],~No such file~
kubernetes~kubernetes/nightly/cronjob.yaml~s/\[job, --out/[job, --into/~usage: tools/deploy/sharded-run~
kubernetes~kubernetes/nightly/cronjob.yaml~s/name: SHARDS/name: SHARD/~which shard~
kubernetes~kubernetes/nightly/cronjob.yaml~s/completions: 9/completions: 10/~5 indexes for 3 shards~
kubernetes~kubernetes/nightly/cronjob.yaml~s/labels\['batch.kubernetes.io/labels['batch.kubernetes.com/~no label~
kubernetes~kubernetes/nightly/cronjob.yaml~s/(mountPath: \/runs)/\1, readOnly: true/~Read-only file system~
kubernetes~kubernetes/nightly/cronjob.yaml~s,/runs/\$\(RUN\),/results/$(RUN),~Read-only file system~
kubernetes~kubernetes/nightly/cronjob.yaml~s/(mountPath: \/inputs)/\1, readOnly: true/~is not as one run|kept no inputs~
kubernetes~kubernetes/nightly/cronjob.yaml~/fsGroup/d~Permission denied~
kubernetes~kubernetes/nightly/cronjob.yaml~/runAsUser/d~it would run as root~
kubernetes~kubernetes/nightly/cronjob.yaml~s/values: \[1, 2, 3\]/values: [1, 2, 3, 75]/~statuses \[75\]~
kubernetes~kubernetes/nightly/cronjob.yaml~s/backoffLimitPerIndex: .*/backoffLimitPerIndex: 0/~statuses \[75\]~
END
