# Plants defects into manifests, as the schemas allow them, and shows that
# tools/scripts/test-engine goes red for each. Needs what that needs.
cp -r tools/deploy "$folder/good"
try() { # status, text of the output, options...
  expect "$1" "$2" tools/scripts/test-engine kubernetes --shards 2 --stages replay,sweep,fuzz "${@:3}"
}
try 0 'all is right' --logs "$folder/kept"
manifest=kubernetes/nightly/cronjob.yaml
while IFS='|' read -r text edit; do
  rm -rf "$folder/deploy"
  cp -r "$folder/good" "$folder/deploy"
  change "$folder/good/$manifest" "$edit" "$folder/deploy/$manifest"
  try 1 "$text" --deploy "$folder/deploy" --one "$folder/kept/one"
done <<'END'
No such file|s,deploy/sharded-run\],deploy/absent],
usage: tools/deploy/sharded-run|s/\[job, --out/[job, --into/
JOB_COMPLETION_INDEX and SHARDS: found|s/name: SHARDS/name: SHARD/
4 indexes for 2 shards|s/completions: 9/completions: 10/
no label|s/labels\['batch.kubernetes.io/labels['batch.kubernetes.com/
mktemp: failed|/mountPath: \/tmp/d
Read-only file system|s/(mountPath: \/runs)/\1, readOnly: true/
Read-only file system|s,/runs/\$\(RUN\),/results/$(RUN),
is not as one run|s/(mountPath: \/inputs)/\1, readOnly: true/
Permission denied|/fsGroup/d
it would run as root|/runAsUser/d
statuses [75]|s/values: \[1, 2, 3\]/values: [1, 2, 3, 75]/
statuses [75]|s/backoffLimitPerIndex: .*/backoffLimitPerIndex: 0/
END
