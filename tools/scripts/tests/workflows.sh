# Gives tools/scripts/check-workflows trees that it must object to.

wanted=()
plant() { # text of the output, expression of sed, workflow (default: nightly) or another file
  local tree=$folder/trees/${#wanted[@]} file=.github/workflows/${3:-nightly}.yml
  [ ! -f "${3:-}" ] || file=$3
  mkdir -p "$tree/.github/workflows" "$tree/.clusterfuzzlite"
  cp -r script .ci "$tree/"
  ln -s "$PWD/tools" "$tree/"
  change "$file" "$2" "$tree/$file"
  wanted+=("$1")
}
# No YAML.
plant 'Nested mappings' 's/^name: nightly/name: a: b/'
# Not what GitHub takes.
plant 'unexpected key "run-on"' 's/^    runs-on/    run-on/'
plant 'job "merge" needs job "shards"' 's/needs: \[build, shard\]/needs: [build, shards]/'
plant 'property "shards" is not defined' 's/matrix\.shard /matrix.shards /'
plant 'security-event' 's/security-events: write/security-event: write/'
plant 'invalid CRON format' 's/17 1 \* \* \*/17 25 * * */'
# Not what this tree has.
plant "script/nap isn't there" 's,tools/scripts/test-fresh,script/nap,'
plant ".clusterfuzzlite/build.sh isn't there" 's/language: .*/language: c++ # /' cflite-pr
plant 'without a checkout' '/checkout@/d' cflite-pr
plant 'the hash of a commit' 's/checkout@[0-9a-f]+/checkout@main/'
plant 'a digest, @sha256:' 's/container: debian:12@.*/container: debian:12/'
plant 'debian:12 is moved by its tag' 's/^FROM debian:12@[^ ]*/FROM debian:12/' Containerfile
plant 'build-days is moved by its tag' 's/--from=build-run/--from=build-days/' Containerfile
plant 'base-builder:ubuntu-24-04 is moved by its tag' 's/@sha256.*//' .clusterfuzzlite/Dockerfile
plant 'no "permissions:"' '/^permissions:/d'
plant 'job "build" has no timeout-minutes' '/timeout-minutes/d'
plant 'tools/scripts/mutation-test is cut off' 's/--seconds 3600 \|/--seconds 360 |/'
plant 'tools/scripts/mutation-test is cut off' 's/--seconds 3600 \|/--seconds 3600 --cases 100 |/'
plant 'the status of what stands before tee is lost' '/^  patches:/,/^  generate:/ s/- shell: bash/- name: hunt/'
plant 'downloads "program", which no job before it uploads' '/download-artifact/,/name:/ s/name: programs/name: program/'
plant 'job "merge" downloads "shards-*"' 's/pattern: shard-/pattern: shards-/'
plant 'job "generate" downloads "programs"' '/^  generate:/,/runs-on/ { /needs: build/d }'
plant 'matrix.shard is 0, 1, 2, 3, 4, 5, 6; 0 to SHARDS - 1' 's/, 7\]$/]/'

# All of them at once: what takes long is to load the checkers.
expect 1 '' tools/scripts/check-workflows "$folder"/trees/*/
for i in "${!wanted[@]}"; do
  lines_of=$(grep -F "$folder/trees/$i/" <<<"$out" || true)
  [[ "$lines_of" == *"${wanted[i]}"* ]] || fail "expected \"${wanted[i]}\" of tree $i"
done
expect 0 '' tools/scripts/check-workflows
echo "${#wanted[@]} workflows are objected to"
