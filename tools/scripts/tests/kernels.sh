# Gives tools/scripts/test-kernels kernels that are not as expected.

plant() { # text of the output, kernel, expression of sed for the kernel, and for its .expect
  local kernel
  kernel=$folder/all/$(basename "$(dirname "$2")")/$(basename "$2")
  rm -rf "$folder/all" && mkdir -p "$(dirname "$kernel")"
  cp "$2."* "$(dirname "$kernel")"
  sed -i "$3" "$kernel.cpp"
  sed -i "${4:-}" "$kernel".*expect
  expect 1 "$1" tools/scripts/test-kernels "$folder/all"
}

bugs=corpus/kernels/bugs
plant 'missing: SYNC-RAW 04' $bugs/04-duplicate-then-copy-out '/Duplicate/a PipeBarrier<PIPE_ALL>();'
plant 'not expected: ' $bugs/04-duplicate-then-copy-out '' /finding/d
plant 'the run has status 1, expected is 0' $bugs/04-duplicate-then-copy-out '' 's/status 1/status 0/'
plant '--auto-sync off: missing: SYNC-RAW' $bugs/02-local-copy-without-barrier '/Muls/a PipeBarrier<PIPE_V>();'
plant 'missing: note KRN-FREED' $bugs/04-duplicate-then-copy-out '' 's/status/note KRN-FREED\n&/'
plant 'does not compile' $bugs/04-duplicate-then-copy-out 's/Duplicate(/Duplicates(/'
plant 'the run has status 3, expected is 0' corpus/kernels/pass/queue-bind 's/y\[i\] != /y[i] == /'
plant 'prints' corpus/kernels/samples/min-count 's/%g %g/%g  %g/'
plant 'the report has not "nothing"' $bugs/04-duplicate-then-copy-out '$a // shows: nothing' ''
LANEDIFF=/bin/true plant 'lanediff check of the case of SYNC-RAW' $bugs/04-duplicate-then-copy-out ''
plant 'conflicts across it, and nothing is reported' corpus/kernels/pass/register-mask-chain \
  '/  ResetMask/a PipeBarrier<PIPE_V>(); Muls<half, false>(b, b, half(1.0f), MASK_PLACEHOLDER, kRows, {1, 1, 8, 8});'
LANEDIFF=/bin/true plant 'lanediff weaken: status 0' corpus/kernels/pass/queue-bind ''
