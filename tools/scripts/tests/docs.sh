# Gives tools/scripts/check-docs wrong pages.

wanted=()
plant() { # text of a line of the output, page, sentence at the end of it, what else sed does
  sed -i "${4:-}" "$folder/tree/$2"
  printf '\n%s\n' "$3" >>"$folder/tree/$2"
  wanted+=("check-docs: $2: line *$1*")
}
pages() { # a tree of pages to plant in
  rm -rf "$folder/tree"
  mkdir -p "$folder/tree"
  cp -r README.md CONTRIBUTING.md docs "$folder/tree/"
  wanted=()
}
judge() { # each is a line of the output, and no other line is there
  local one line
  lines=${#wanted[@]} expect 1 '' tools/scripts/check-docs "$folder/tree"
  for one in "${wanted[@]}"; do
    while read -r line && [[ "$line" != $one ]]; do :; done <<<"$out"
    [[ "$line" == $one ]] || fail "expected $one"
  done
}
# Nothing to object to in what is there; else no test below would be one.
expect 0 '' tools/scripts/check-docs
pages
plant 'found "7 rules"; there are ' docs/audit.md 'There are 7 rules,'
plant 'found "all 7,000 mutants"; there are ' docs/finding-power.md 'and all 7,000 mutants.'
plant 'found "710 cases"; there are ' docs/own-implementation.md 'The corpus: 710 cases'
plant 'found "lanediff chekc"; the verbs are test, ' README.md '`lanediff chekc corpus`'
plant 'found "--fast", which is no option of lanediff check' docs/reports.md '`lanediff check corpus --fast`'
plant 'found "--attic", which is no option of any' docs/clusters.md '`--attic`'
plant 'attic.md is not there' README.md '[attic](attic.md)'
plant 'audit.md has no heading #attic' docs/fuzzing.md '[audit](audit.md#attic)'
plant 'differential/attic.h is not there' docs/audit.md '`differential/attic.h`'
plant 'script/nap is not there' docs/audit.md '`script/nap`'
plant 'prints "agree corpus/min/align-dst-at-16-rejected.json"; found "disagree corpus' docs/audit.md '```console
$ lanediff check corpus/min/align-dst-at-16-rejected.json
No findings in 1 instruction; 1 rule enforced, 0 tolerated, 0 violated
disagree corpus/min/align-dst-at-16-rejected.json
```'
plant 'prints "agree first.json"; found "agreed first.json"' docs/tutorial.md 'An example.' 's/^agree first/agreed first/'
plant 'is not what docs/examples/kernels/add.cpp holds' docs/own-kernel.md 'A line less.' '/in_x_.EnQue(x);$/d'
plant 'found "--attic", which is no option of any' docs/migration.md '| `--loft` | `--attic` |'
plant 'has 81 terms; at most 80 are allowed' docs/glossary.md '| zz | a term too many | here |'
plant '"audit" is not named' docs/command-line.md 'A verb less.' 's/`audit\b/`audits/'
added=docs/add-an-instruction.md
plant 'no row has oracle/call_operations.cc, which names Sqrt and Select' $added 'A row less.' '/^| `oracle\/call_operations.cc`/d'
plant 'differential/compare/compare.h does not name Sqrt and Select' $added '' 's/^| `emulator\/lanewise.inc`/| `differential\/compare\/compare.h`, `emulator\/lanewise.inc`/'
plant 'corpora/sqrt is not there' $added '' 's/folder muls in `corpus/folder muls in `corpora/'
judge
pages
plant "has 121 lines; at most 120 are allowed" README.md "A line." "1s|\$|$(printf "\\\\n%.0s" $(seq $((119 - $(wc -l <README.md)))))|"
judge

# The same of check-words, in a tree of its own with one word allowed.
words() { # status, file, text
  rm -rf "$folder/words"
  mkdir -p "$folder/words/tools/scripts"
  cp tools/scripts/check-words "$folder/words/tools/scripts/"
  echo 1 >"$folder/words/tools/scripts/words.txt"
  printf '%s\n' "$3" >"$folder/words/$2"
  git -C "$folder/words" init -q
  git -C "$folder/words" add .
  expect "$1" '' "$folder/words/tools/scripts/check-words"
}
private=cr''ew
words 0 a.cc "// A $private."
words 1 a.cc "// A $private of a $private."
words 1 page.md "A $private."
words 0 page.md "A worker pool, \`$private\` before."
