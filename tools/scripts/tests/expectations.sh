# Gives script/expectations cases whose expectations are wrong, tables and files
# that are, and itself with defects: it must object to each, by name.

work() { # status, text of the output, lines of it, arguments...
  lines=$3 expect "$1" "$2" timeout 1000 script/expectations "${@:4}"
}
plant() { # text, case, sed expression: a case whose expectation is another
  change "corpus/$2.json" "$3" "$folder/planted.json"
  work 1 "differs $folder/planted.json: $1" 2 --check "$folder/planted.json"
}
sum=repeat_reduce_sum/worked-saturates-at-65504-a2
work 0 '1 agree, 0 differ, 0 malformed' 1 --check "corpus/$sum.json"
plant 'UB byte 0: the case expects 59, worked out 58' $sum 's/35584\]/35604]/'
plant 'UB byte 0: the case expects a5, worked out 58' $sum 's/"memory": \{ "UB": \[.*35584.*/"memory": {}/'
plant 'UB byte 2: the case expects 00, worked out a5' $sum 's/35584\]/35584, 0]/'
plant "notes: the case expects []" $sum 's/"notes": .*/"notes": [],/'
plant 'the case expects rejected, worked out executed' $sum 's/"outcome": "executed"/"outcome": "rejected", "step": 0, "rules": ["RRS-ELEMS"]/'
plant 'the case expects executed, worked out rejected RRS-ELEMS' repeat_reduce_sum/elems-0-half-rejected \
  's/"expect": .*/"expect": { "outcome": "executed", "memory": {} },/'
plant "rules: the case expects ['RRS-REPEAT']" repeat_reduce_sum/elems-0-half-rejected 's/RRS-ELEMS"\] \}/RRS-REPEAT"] }/'
plant 'step: the case expects 1, worked out 2' repeat_reduce_sum/first-call-stays-second-rejected 's/"step": 2/"step": 1/'
plant 'UB byte 2048: the case expects 06, worked out 04' add/worked-count-512-half 's/"from": 514, "step"/"from": 515, "step"/'
plant 'UB byte 1024: the case expects 01, worked out ff' add/values-int16-extremes-saturating-a2 's/(1024.*)32767, -32768/\11, -32768/'
plant 'has no expectation' repeat_reduce_sum/elems-0-half-rejected '/"expect"/d'

# A NaN is as good as another where a float was written, and only there.
sed 's/"nan"/"0xfe01"/' corpus/min/values-special-half-ieee.json >"$folder/nan.json"
work 0 '1 agree' 1 --check "$folder/nan.json"
plant 'UB byte 2: the case expects 54, worked out 55' data_copy/bits-int16-patterns-of-nan-compared-exactly 's/65109/65108/'

# What TROWPROD leaves in tmp is unspecified, and what is computed from it; what is
# written there later counts.
tmp() { # what to do after a product with tmp at 0x3000: "from" it or "into" it, at which byte the case is wrong
  python3 - "$1" "$2" >"$folder/tmp.json" <<'END'
import json, sys
case = json.load(open("corpus/trowprod/worked-16x16-half.json"))
case["product"] = "atlas-a2"
window = lambda at: {"position": "UB", "at": at, "bytes": 512}
places = {"from": (0x4000, 0x3000), "into": (0x3000, 0x4000)}[sys.argv[1]]
step = {"op": "vec_trans", "dtype": "half", "dst": window(places[0]), "src": window(places[1])}
case["program"].append(step | {"repeat_times": 1, "dst_rep_stride": 1, "src_rep_stride": 1})
case["memory"]["UB"]["regions"].append({"at": 0x4000, "hex": "01020304" * 128})
if sys.argv[1] == "into":
    block = bytes.fromhex("01020304" * 128)
    turned = b"".join(block[32 * i + 2 * j:][:2] for j in range(16) for i in range(16))
    case["expect"]["memory"]["UB"].append({"at": 0x3000, "hex": turned.hex()})
case["expect"]["memory"]["UB"].append({"at": int(sys.argv[2]), "hex": "77"})
print(json.dumps(case))
END
}
for at in 12288 12799 16384 16895; do
  tmp from "$at"
  work 0 '1 agree' 1 --check "$folder/tmp.json"
done
tmp from 16896
work 1 'UB byte 16896: the case expects 77, worked out a5' 2 --check "$folder/tmp.json"
tmp into 12288
work 1 'UB byte 12288: the case expects 77, worked out 01' 2 --check "$folder/tmp.json"

# Flags, modes and elements: between two copies to the same bytes, or by themselves.
mkdir "$folder/order"
order() { # name, product, what is right: "executed", notes or broken rules, words of steps
  python3 - "$@" >"$folder/order/$1.json" <<'END'
import json, sys
name, product, right, *words = sys.argv[1:]
def window(bytes):
    return {"position": "VECIN", "at": 0, "bytes": bytes}
def step_of(word):
    event, _, number = word[1:].partition(":")
    if word[0] in "+-":
        return {"op": {"+": "SetFlag", "-": "WaitFlag"}[word[0]], "event": event, "id": int(number or 0)}
    if word[0] == "|":
        return {"op": "PipeBarrier", "pipe": word[1:]}
    if word == "IN":
        source = window(64) | {"position": "GM"}
        return {"op": "DataCopy", "dtype": "half", "dst": window(64), "src": source, "count": 32}
    if word == "GET":
        return {"op": "GetValue", "dtype": "half", "src": window(64), "index": 2}
    if word.startswith("SET"):
        return {"op": "SetValue", "dtype": "half", "dst": window(64), "index": int(word[3:]), "value": -1.5}
    return {"op": word}
expect = {"outcome": "executed", "notes": [], "memory": {}}
if "SET2" in words:
    expect["memory"] = {"UB": [{"at": 4, "hex": "00be"}]}
if right.startswith("SYNC"):
    expect["notes"] = [right]
elif right != "executed":
    expect |= {"outcome": "rejected", "step": len(words) - 1, "rules": [right]}
print(json.dumps({"format": "lanediff-case/1", "id": name, "product": product, "memory": {"GM": {"size": 64}},
                  "program": [step_of(word) for word in words], "expect": expect}))
END
  work 0 '1 agree' 1 --check "$folder/order/$1.json"
}
order there-and-back atlas-a2 executed IN +MTE2_V -MTE2_V +V_MTE2 -V_MTE2 IN
order there-only atlas-a2 DC-BARRIER IN +MTE2_V -MTE2_V IN
order back-before-there atlas-a2 DC-BARRIER IN +V_MTE2 +MTE2_V -MTE2_V -V_MTE2 IN
order by-way-of-s atlas-a3 executed IN +MTE2_S -MTE2_S IN
order set-twice atlas-a3 DC-BARRIER +MTE2_S IN +MTE2_S -MTE2_S IN
order waited-unset atlas-a3 DC-BARRIER -MTE2_S IN -MTE2_S IN
order id-4 atlas-a2 executed IN +MTE2_S:4 -MTE2_S:4 IN
order id-4-of-training atlas-training DC-BARRIER IN +MTE2_S:4 -MTE2_S:4 IN
order id-8 atlas-a2 DC-BARRIER IN +MTE2_S:8 -MTE2_S:8 IN
order id-7-is-reserved atlas-a2 SYNC-FLAG-RESERVED IN +MTE2_S:7 -MTE2_S:7 IN
order id-7-of-training atlas-training executed +MTE2_S:7
order no-events atlas-inference-vectorcore DC-BARRIER IN +MTE2_S -MTE2_S IN
order matrix atlas-200i-500-a2 executed IN +MTE2_M -MTE2_M +M_V -M_V +V_MTE2 -V_MTE2 IN
order matrix-of-a2 atlas-a2 DC-BARRIER IN +MTE2_M -MTE2_M +M_V -M_V +V_MTE2 -V_MTE2 IN
order barrier-of-s atlas-a2 DC-BARRIER IN '|S' IN
order barrier-of-a-product-without atlas-inference-vectorcore executed IN '|MTE2' IN
order element atlas-a2 executed SET2 GET
order element-32 atlas-a2 SCALAR-BOUNDS SET32
order element-nowhere atlas-200-300-500 SCALAR-PRODUCT GET
order modes atlas-200i-500-a2 executed SetMaskCount ResetMask SetMaskNorm
order modes-of-training atlas-training STATE-MASK-PRODUCT SetMaskCount
sed 's/"program": \[/&{ "op": "SetMaskCount" },/' corpus/min/mask-1-half-accepted.json >"$folder/counter.json"
work 1 'step 1 has a mask in counter mode: nothing is worked out' 2 --check "$folder/counter.json"
work 2 'counter.json: step 1 has a mask in counter mode' 1 "$folder/counter.json"
for edit in 's/MTE2_V/MTE2_W/' 's/"id": 0/"id": "0"/' 's/"SetFlag"/"SetFlags"/'; do
  sed "$edit" "$folder/order/there-only.json" >"$folder/no.json"
  work 2 'no.json: ' 2 --check "$folder/no.json"
done

# A case that names a rule and doesn't notice that it is gone.
for rule in STATE-SATURATION ARITH-NAN ARITH-ROUND ARITH-ZERO-SIGN RRS-SATURATE WRS-SATURATE TRP-SATURATE MIN-VALUE \
  MAX-VALUE ADD-VALUE SUB-VALUE MUL-VALUE ADD-INTEGER-OVERFLOW SUB-INTEGER-OVERFLOW MUL-INTEGER-OVERFLOW; do
  sed "s/\"RRS-ELEMS\"\]$/\"$rule\"]/" corpus/repeat_reduce_sum/elems-128-half-accepted.json >"$folder/tag.json"
  work 1 "names $rule, and doesn't object" 2 --evidence "$folder/tag.json"
done
sed 's/"RRS-ELEMS"\]$/"RRS-TREE"]/' corpus/repeat_reduce_sum/elems-1-half-accepted.json >"$folder/tag.json"
work 1 "names RRS-TREE, and doesn't object" 2 --evidence "$folder/tag.json"

# The vendor's tables.
cp -r corpus/published "$folder/published"
work 0 '304 agree, 0 differ' 1 --published corpus/published
row=sum-infinity-half-saturating.json
table() { # text, sed expression
  sed "$2" "corpus/published/$row" >"$folder/published/$row"
  work 1 "$1" 2 --published "$folder/published"
}
table 'its expectation is not what the table prints' 's/-65376/-65504/'
table 'its program is not the table' 's/"enabled": true/"enabled": false/'
table 'its memory is not the table' 's/"count": 127/"count": 126/'
table "its origin is {'tool': 'hand'}" 's/"published" }/"hand" }/'
table 'its requirement is ' 's/"RRS-TREE", //'
cp "corpus/published/$row" "$folder/published"
cp "corpus/published/$row" "$folder/published/more.json"
rm "$folder/published/$row"
work 1 "more.json: is not in the vendor's tables" 3 --published "$folder/published"
rm "$folder/published/more.json"
work 2 "$row: can't be read" 2 --published "$folder/published"

# What is no case: one line each.
work 2 'no case is named' 2
work 2 '0 agree' 1 --check corpus/schema
work 2 'none.json: ' 2 --check "$folder/none.json"
head -c 300 "corpus/$sum.json" >"$folder/cut.json"
work 2 'cut.json: line 4 column 11' 2 --check "$folder/cut.json"
for text in '' '[]' '{}' 'null' '{"format": "lanediff-case/1"}' "$(printf '[%.0s' {1..20000})" $'\xff' \
  '{"format": "lanediff-case/1", "product": 1, "memory": 0, "program": 5}'; do
  printf '%s' "$text" >"$folder/no.json"
  work 2 'no.json: ' 2 --check "$folder/no.json"
done
for edit in 's/"at": 1024/"at": -8/' 's/"at": 1024/"at": 196604/' 's/100\]/1e99999999]/' 's/100\]/1e9]/' \
  's/100\]/{ "value": 1, "count": 1000000000000 }]/' 's/"UB"/"UC"/' 's/"dtype": "half",/"dtype": "haf",/' \
  's/"VECIN"/"VECTOR"/' 's/"repeat": 1/"repeat": "1"/' 's/"repeat": 1,//' 's/"fill": "a5"/"size": 1e9/'; do
  sed "$edit" "corpus/$sum.json" >"$folder/no.json"
  work 2 'no.json: ' 2 --check "$folder/no.json"
done
work 2 '/dev/zero: is no regular file' 2 --check /dev/zero

# Defects of the script itself: a case of the corpus, or one above, objects.
defect() { # file, sed expression, case below corpus, or a folder
  rm -rf "$folder/script" "$folder/tools"
  mkdir -p "$folder/script" "$folder/tools/scripts"
  cp script/expectations "$folder/script"
  cp -r tools/scripts/reference_model "$folder/tools/scripts"
  basic= change "tools/scripts/reference_model/$1" "$2" "$folder/tools/scripts/reference_model/$1"
  expect 1 $'\ndiffers' env -C corpus bash -c 'echo; exec "$@"' - "$folder/script/expectations" --check "$3"
}
defect arithmetic.py 's/ or (rest == half and kept & 1)/ or rest == half/' repeat_reduce_sum/elems-65-half-accepted.json
defect arithmetic.py 's/return -size - 1 if/return -size if/' min/values-special-float.json
defect sums.py 's/zip(nodes\[::2\], nodes\[1::2\])/zip(nodes, nodes[len(nodes) \/\/ 2:])/' repeat_reduce_sum/tree-64-random-floats.json
defect machine.py 's/192 \* 1024/256 * 1024/' vec_trans/bounds-past-ub-a2-rejected.json
defect elementwise.py 's/src1RepStride"\], /src0RepStride"], /' min/exception-sources-overlap-rejected.json
defect elementwise.py 's/return a \* b/return a + b/' mul/product-a2-accepted.json
defect arithmetic.py 's/add(form, a, b ^ form.sign)/add(form, a, b)/' sub/rounding-float.json
defect arithmetic.py 's/    if mode:/    if not mode:/' add/values-int16-edges-wrapping.json
defect arithmetic.py 's/a if order(form, a) >= order(form, b)/a if order(form, a) > 0/' max/mask-1-half-accepted.json
defect mask.py 's/mask\[1\] << 64 | mask\[0\]/mask[0] << 64 | mask[1]/' whole_reduce_sum/bits-lone-nan-ieee.json
defect data_copy.py 's/("UB", "L1"): "MTE3"/("UB", "L1"): "MTE2"/' data_copy/barrier-l1-from-ub-with-mte2-rejected.json
defect order.py 's/ | {source: self.now}//' "$folder/order"
defect order.py 's/ and flag not in self.flags//' "$folder/order"
defect order.py 's/if destination == "S"/if False/' "$folder/order"
defect order.py 's/"atlas-training": (EVENTS_N | EVENTS_J, 4)/"atlas-training": (EVENTS_N, 8)/' "$folder/order"
defect scalar.py 's/ or not self.operand.holds(self.at, self.at + self.size)//' "$folder/order"
defect trowprod.py 's/if whole % 2:/if False:/' trowprod/c-448-float-no-pair-is-dropped.json
defect vec_trans.py 's/16 \* i + j\]/16 * j + i]/' vec_trans/worked-one-block.json
