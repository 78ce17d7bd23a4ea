# Gives tools/scripts/check-manifests overlays that it must object to.

# An overlay by itself, with our claims or its own; and a folder without any.
for overlay in nightly example/volumes; do
  expect 0 '' tools/scripts/check-manifests "tools/deploy/kubernetes/$overlay"
done
mkdir "$folder/none"
expect 2 'no overlay in' tools/scripts/check-manifests "$folder/none"
expect 0 '' tools/scripts/check-manifests

# Each table is planted in one tree: text of the output ~ file ~ expression of sed on it; without
# one it follows from the row before.
planted() {
  local text file edit wanted=() tree=$folder/tree
  rm -rf "$tree"
  cp -r tools/deploy/kubernetes "$tree"
  while IFS='~' read -r text file edit; do
    [ -z "$edit" ] || change "$tree/$file" "$edit" "$tree/$file"
    wanted+=("$text")
  done
  expect 1 '' tools/scripts/check-manifests "$tree"
  for text in "${wanted[@]}"; do
    [[ "$out" == *"$text"* ]] || fail "expected \"$text\""
  done
}
# What no schema knows, at every depth.
planted <<'END'
/spec/jobTemplate/spec/backoffLimitPerIndexes: unknown~nightly/cronjob.yaml~s/backoffLimitPerIndex/&es/
/spec/containers/0/volumeMount: unknown~reader/pod.yaml~s/volumeMounts/volumeMount/
/spec/jobTemplate/spec/template/spec/volumes/2/emptyDir/size: unknown~nightly/cronjob.yaml~s/sizeLimit/size/
/spec/storageClass: unknown~example/volumes/claims.yaml~s/storageClassName/storageClass/
END
# Types, words, and what is missing: the first error of an object.
planted <<<'/spec/jobTemplate/spec/completions: a integer~nightly/cronjob.yaml~s/completions: 9/completions: eight/'
planted <<<'/spec/jobTemplate/spec/completionMode: one of Indexed~nightly/cronjob.yaml~s/completionMode: .*/completionMode: Index/'
planted <<<'"name" is missing~nightly/cronjob.yaml~s/- name: run$/- title: run/'
planted <<<'no batch/v2 CronJob~nightly/cronjob.yaml~s,batch/v1,batch/v2,'
planted <<<"can't be rendered~nightly/cronjob.yaml~s/^spec:/ spec:/"
planted <<<'image: found ""~nightly/cronjob.yaml~/^ *image:/d'
planted <<<'completions: found 17; 16 is wanted~example/run.yaml~s/value: "16"/value: "15"/'
planted <<<'--jobs: found 2; 4 is wanted~example/run.yaml~$a- {op: replace, path: /spec/jobTemplate/spec/template/spec/containers/0/args/16, value: "2"}'
planted <<<'drop ALL~reader/pod.yaml~s/drop: \[ALL\]/drop: [CHOWN]/'
# Other requirements of the API server and of a run.
planted <<'END'
image: found "lanediff-run:latest"~nightly/cronjob.yaml~s/(image: lanediff-run).*/\1:latest/
FailIndex needs backoffLimitPerIndex~nightly/cronjob.yaml~/backoffLimitPerIndex/d
rising values are wanted~nightly/cronjob.yaml~s/\[1, 2, 3\]/[1, 3, 2]/
no container "runs"~nightly/cronjob.yaml~s/containerName: run/&s/
restartPolicy: Never~nightly/cronjob.yaml~s/restartPolicy: .*/restartPolicy: OnFailure/
no volume "run"~nightly/cronjob.yaml~s/name: runs, mountPath/name: run, mountPath/
no claim lanediff-run~nightly/cronjob.yaml~s/claimName: lanediff-runs/claimName: lanediff-run/
no ConfigMap plan~example/run.yaml~s/name: lanediff-plan/name: plan/
$(SED) is no variable~nightly/cronjob.yaml~s/\(SEED\)/(SED)/
the pod has no label example.com~nightly/cronjob.yaml~s/labels\['batch.kubernetes.io/labels['example.com/
completions: found 8; 9 is wanted~nightly/cronjob.yaml~s/completions: 9/completions: 8/
maxFailedIndexes: found 10; at most 8 is wanted~nightly/cronjob.yaml~s/(maxFailedIndexes:) 9/\1 10/
parallelism: 2 or more~example/run.yaml~s/(parallelism, value:) 4/\1 1/
activeDeadlineSeconds: found 43200; more than 57600~~
WAIT_SECONDS 21600~nightly/cronjob.yaml~s/activeDeadlineSeconds: .*/activeDeadlineSeconds: 3600/
--jobs: found none; 1 is wanted~nightly/cronjob.yaml~s/--jobs, \$\(JOBS\)//
runAsNonRoot~nightly/cronjob.yaml~s/runAsUser: 10001/runAsUser: 0/
readOnlyRootFilesystem: true~nightly/cronjob.yaml~s/(readOnlyRootFilesystem:) true/\1 false/
drop ALL~nightly/cronjob.yaml~s/drop: \[ALL\]/drop: [NET_RAW]/
automountServiceAccountToken~nightly/cronjob.yaml~/automountServiceAccountToken/d
ReadWriteMany~volumes/claims.yaml~s/\[ReadWriteMany/[ReadWriteOnce/
concurrencyPolicy: Forbid~nightly/cronjob.yaml~s/Forbid/Replace/
END
