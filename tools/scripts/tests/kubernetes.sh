# Plants defects into manifests, as the schemas allow them, and shows that
# tools/scripts/test-kubernetes goes red for each. Needs what that needs.
[ "$(id -u)" -eq 0 ] || fail 'only root can; sudo tools/scripts/script_tests kubernetes'

plant() { # overlay, text of the output, file, expression of sed on it
  rm -rf "$folder/kubernetes"
  cp -r tools/deploy/kubernetes "$folder/"
  change "tools/deploy/kubernetes/$3" "$4" "$folder/kubernetes/$3"
  expect 1 "$2" tools/scripts/test-kubernetes --quick --image "$folder/image" --overlay "$1" --manifests "$folder/kubernetes"
  echo "objected: $3: $4"
}
# Commands and arguments.
plant once 'No such file' base/shards.yaml 's,deploy/sharded-run\],deploy/absent],'
plant once 'usage: tools/deploy/sharded-run' base/shards.yaml 's/\[shard, --out/[shard, --into/'
plant once 'usage: tools/deploy/sharded-run' base/merge.yaml 's/\[merge, \$\(SHARDS\)/[join, $(SHARDS)/'
# Variables.
plant once 'which shard?' base/shards.yaml 's/name: JOB_COMPLETIONS/name: COMPLETIONS/'
plant once 'statuses' base/merge.yaml 's/value: "8"/value: "9"/'
plant once 'no label' base/shards.yaml "s/labels\\['lanediff-run/labels['lanediff-other/"
plant nightly 'SHARDS: found' nightly/cronjob.yaml 's/name: SHARDS/name: SHARD/'
# Places that are written and not declared, or not for this user.
plant once 'statuses' base/merge.yaml '/mountPath: \/tmp/d'
plant once 'Read-only file system' base/shards.yaml 's/(mountPath: \/runs)/\1, readOnly: true/'
plant once 'Read-only file system' base/shards.yaml 's,/runs/\$\(RUN\),/results/$(RUN),'
plant once 'statuses' base/merge.yaml 's/(mountPath: \/inputs)/\1, readOnly: true/'
plant nightly 'Permission denied' nightly/cronjob.yaml '/fsGroup/d'
plant nightly 'it would run as root' nightly/cronjob.yaml '/runAsUser/d'
# What repeats and what ends.
plant once 'statuses [75]' base/shards.yaml 's/values: \[2\]/values: [2, 75]/'
plant nightly 'statuses [137]' nightly/cronjob.yaml 's/backoffLimitPerIndex: .*/backoffLimitPerIndex: 0/'
