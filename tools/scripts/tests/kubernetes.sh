# Plants defects into manifests, as the schemas allow them, and shows that
# tools/scripts/test-engine goes red for each. Needs what that needs.
cp -r tools/deploy "$folder/good"
try() { # status, text of the output, overlay, options...
  expect "$1" "$2" tools/scripts/test-engine kubernetes --shards 2 --stages replay,sweep,fuzz --only "$3" "${@:4}"
}
try 0 'all is right' once --logs "$folder/kept"
while IFS='|' read -r overlay text file edit; do
  rm -rf "$folder/deploy"
  cp -r "$folder/good" "$folder/deploy"
  change "$folder/good/kubernetes/$file" "$edit" "$folder/deploy/kubernetes/$file"
  try 1 "$text" "$overlay" --deploy "$folder/deploy" --one "$folder/kept/one"
done <<'END'
once|No such file|base/job.yaml|s,deploy/sharded-run\],deploy/absent],
once|usage: tools/deploy/sharded-run|base/job.yaml|s/\[job, --out/[job, --into/
once|JOB_COMPLETION_INDEX and SHARDS: found|base/job.yaml|s/name: SHARDS/name: SHARD/
once|4 indexes for 2 shards|base/job.yaml|s/completions: 9/completions: 10/
once|no label|base/job.yaml|s/labels\['lanediff-run/labels['lanediff-other/
once|mktemp: failed|base/job.yaml|/mountPath: \/tmp/d
once|Read-only file system|base/job.yaml|s/(mountPath: \/runs)/\1, readOnly: true/
once|Read-only file system|base/job.yaml|s,/runs/\$\(RUN\),/results/$(RUN),
once|is not as one run|base/job.yaml|s/(mountPath: \/inputs)/\1, readOnly: true/
once|Permission denied|base/job.yaml|/fsGroup/d
once|it would run as root|base/job.yaml|/runAsUser/d
once|statuses [75]|base/job.yaml|s/values: \[1, 2, 3\]/values: [1, 2, 3, 75]/
nightly|statuses [75]|nightly/cronjob.yaml|s/backoffLimitPerIndex: .*/backoffLimitPerIndex: 0/
END
