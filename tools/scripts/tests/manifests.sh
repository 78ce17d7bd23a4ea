# Gives tools/scripts/check-manifests overlays that it must object to.

# An overlay by itself, with our claims or its own; and a folder without any.
for overlay in nightly example example/{reader,volumes}; do
  expect 0 '' tools/scripts/check-manifests "tools/deploy/kubernetes/$overlay"
done
mkdir "$folder/none"
expect 2 'no overlay in' tools/scripts/check-manifests "$folder/none"

wanted=()
plant() { # text of the output, file, expression of sed on it
  local tree=$folder/trees/${#wanted[@]}
  mkdir -p "$folder/trees"
  cp -r tools/deploy/kubernetes "$tree"
  change "tools/deploy/kubernetes/$2" "$3" "$tree/$2"
  wanted+=("$1")
}
# What no schema knows, at every depth.
plant '/spec/jobTemplate/spec/backoffLimitPerIndexes: unknown' nightly/cronjob.yaml 's/backoffLimitPerIndex/&es/'
plant '/spec/containers/0/volumeMount: unknown' reader/pod.yaml 's/volumeMounts/volumeMount/'
plant '/spec/jobTemplate/spec/template/spec/volumes/2/emptyDir/size: unknown' nightly/cronjob.yaml 's/sizeLimit/size/'
plant '/spec/jobTemplate/spec/template/spec/containers/0/securityContext/readOnlyRootFileSystem: unknown' \
  nightly/cronjob.yaml 's/readOnlyRootFilesystem/readOnlyRootFileSystem/'
plant '/spec/storageClass: unknown' example/volumes/claims.yaml 's/storageClassName/storageClass/'
# Types, words, and what is missing.
plant '/spec/jobTemplate/spec/completions: a integer' nightly/cronjob.yaml 's/completions: 9/completions: eight/'
plant '/spec/jobTemplate/spec/template/spec/containers/0/env/0/value: a string' nightly/cronjob.yaml 's/value: "8"/value: 8/'
plant '/spec/jobTemplate/spec/completionMode: one of Indexed' nightly/cronjob.yaml 's/completionMode: .*/completionMode: Index/'
plant '/spec/concurrencyPolicy: one of' nightly/cronjob.yaml 's/Forbid/Never/'
plant '"name" is missing' nightly/cronjob.yaml 's/- name: run$/- title: run/'
plant 'no batch/v2 CronJob' nightly/cronjob.yaml 's,batch/v1,batch/v2,'
plant "can't be rendered" nightly/cronjob.yaml 's/^spec:/ spec:/'
# Other requirements of the API server and of a run.
plant 'image: found ""' nightly/cronjob.yaml '/^ *image:/d'
plant 'image: found "lanediff-run:latest"' nightly/cronjob.yaml 's/(image: lanediff-run).*/\1:latest/'
plant 'FailIndex needs backoffLimitPerIndex' nightly/cronjob.yaml '/backoffLimitPerIndex/d'
plant 'rising values are wanted' nightly/cronjob.yaml 's/\[1, 2, 3\]/[1, 3, 2]/'
plant 'no container "runs"' nightly/cronjob.yaml 's/containerName: run/&s/'
plant 'restartPolicy: Never' nightly/cronjob.yaml 's/restartPolicy: .*/restartPolicy: OnFailure/'
plant 'no volume "run"' nightly/cronjob.yaml 's/name: runs, mountPath/name: run, mountPath/'
plant 'no claim lanediff-run' nightly/cronjob.yaml 's/claimName: lanediff-runs/claimName: lanediff-run/'
plant 'no ConfigMap plan' example/run.yaml 's/name: lanediff-plan/name: plan/'
plant '$(SED) is no variable' nightly/cronjob.yaml 's/\(SEED\)/(SED)/'
plant 'the pod has no label example.com' nightly/cronjob.yaml "s/labels\\['batch.kubernetes.io/labels['example.com/"
plant 'completions: found 8; 9 is wanted' nightly/cronjob.yaml 's/completions: 9/completions: 8/'
plant 'completions: found 17; 16 is wanted' example/run.yaml 's/value: "16"/value: "15"/'
plant 'maxFailedIndexes: found 10; at most 9 is wanted' nightly/cronjob.yaml 's/(maxFailedIndexes:) 9/\1 10/'
plant 'parallelism: 2 or more' example/run.yaml 's/(parallelism, value:) 4/\1 1/'
plant 'WAIT_SECONDS 21600' nightly/cronjob.yaml 's/activeDeadlineSeconds: .*/activeDeadlineSeconds: 3600/'
plant 'activeDeadlineSeconds: found 43200; more than 57600' example/run.yaml 's/(parallelism, value:) 4/\1 1/'
plant 'activeDeadlineSeconds: found 25200; more than 36000' nightly/cronjob.yaml '/name: FUZZ_SECONDS/{n;s/3600/36000/}'
plant '--jobs: found none; 1 is wanted' nightly/cronjob.yaml 's/--jobs, \$\(JOBS\)//'
plant '--jobs: found 2; 4 is wanted' example/run.yaml '$a- {op: replace, path: /spec/jobTemplate/spec/template/spec/containers/0/args/16, value: "2"}'
plant 'runAsNonRoot' nightly/cronjob.yaml 's/runAsUser: 10001/runAsUser: 0/'
plant 'readOnlyRootFilesystem: true' nightly/cronjob.yaml 's/(readOnlyRootFilesystem:) true/\1 false/'
plant 'drop ALL' nightly/cronjob.yaml 's/drop: \[ALL\]/drop: [NET_RAW]/'
plant 'automountServiceAccountToken' nightly/cronjob.yaml '/automountServiceAccountToken/d'
plant 'drop ALL' reader/pod.yaml 's/drop: \[ALL\]/drop: [CHOWN]/'
plant 'ReadWriteMany' volumes/claims.yaml 's/\[ReadWriteMany/[ReadWriteOnce/'
plant 'concurrencyPolicy: Forbid' nightly/cronjob.yaml 's/Forbid/Replace/'
# Several at once, each in a folder of its own.
judge() { # tree
  local out
  out=$(tools/scripts/check-manifests "$folder/trees/$1") || true
  [[ "$out" == *"${wanted[$1]}"* ]] || printf '%s\n' "expected \"${wanted[$1]}\" of tree $1:" "$out"
}
for i in "${!wanted[@]}"; do
  [ "$i" -lt "$(nproc)" ] || wait -n
  judge "$i" >"$folder/$i.failures" &
done
wait
out=$(cat "$folder"/*.failures)
[ -z "$out" ] || fail 'not all manifests are objected to'
expect 0 '' tools/scripts/check-manifests
echo "${#wanted[@]} manifests are objected to"
