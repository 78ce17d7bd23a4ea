# Gives script/expectations cases whose expectations are wrong, tables and files
# that are, and itself with defects: it must object to each, by name. What one run
# can judge lies in one folder.

declare -A wanted=()
# Holds a run on $folder/FOLDER against $wanted: a line for each file with its text, and more lines.
work() { # status, folder, more lines, options...
  local file
  lines=$((${#wanted[@]} + $3)) expect "$1" '' script/expectations "${@:4}" "$folder/$2"
  for file in "${!wanted[@]}"; do
    grep -qF -e "$folder/$2/$file: ${wanted[$file]}" <<<"$out" || fail "$file: expected \"${wanted[$file]}\""
  done
  wanted=()
}
plant() { # text, case, sed expression: a case whose expectation is another
  local name=${#wanted[@]}.json
  change "corpus/$2.json" "$3" "$folder/planted/$name"
  wanted[$name]=$1
}
mkdir "$folder"/{planted,agree,tags,no,order}
sum=repeat_reduce_sum/worked-saturates-at-65504-a2
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
plant 'has no expectation' repeat_reduce_sum/elems-0-half-rejected '/"expect"/d'
# A NaN is as good as another where a float was written, and only there.
plant 'UB byte 2: the case expects 54, worked out 55' data_copy/bits-int16-patterns-of-nan-compared-exactly 's/65109/65108/'
sed 's/"nan"/"0xfe01"/' corpus/min/values-special-half-ieee.json >"$folder/agree/nan.json"

# What DataCopyPad pads with no value is unspecified; a gap is not.
pad=data_copy_pad/worked-blocks-of-47-bytes-with-unspecified-padding-into-ub
change "corpus/$pad.json" 's/"UB": \[/&{ "at": 64, "hex": "777777" }, { "at": 114, "hex": "77" },/' "$folder/agree/pad.json"
plant 'UB byte 128: the case expects 77, worked out a5' $pad 's/"UB": \[/&{ "at": 128, "hex": "77" },/'

# What TROWPROD leaves in tmp is unspecified, and what is computed from it; what is
# written there later counts.
wanted[from-16896.json]='UB byte 16896: the case expects 77, worked out a5'
wanted[into-12288.json]='UB byte 12288: the case expects 77, worked out 01'
# Flags, modes and elements: between two copies to the same bytes, or by themselves.
python3 - "$folder" <<'END'
import copy, json, sys
product = json.load(open("corpus/trowprod/worked-16x16-half.json")) | {"product": "atlas-a2"}
window = lambda at: {"position": "UB", "at": at, "bytes": 512}
def tmp(folder, way, wrong):
    """Copies "from" or "into" tmp at 0x3000 after a product; the case expects another byte `wrong`."""
    case = copy.deepcopy(product)
    places = {"from": (0x4000, 0x3000), "into": (0x3000, 0x4000)}[way]
    step = {"op": "vec_trans", "dtype": "half", "dst": window(places[0]), "src": window(places[1])}
    case["program"].append(step | {"repeat_times": 1, "dst_rep_stride": 1, "src_rep_stride": 1})
    case["memory"]["UB"]["regions"].append({"at": 0x4000, "hex": "01020304" * 128})
    if way == "into":
        block = bytes.fromhex("01020304" * 128)
        turned = b"".join(block[32 * i + 2 * j:][:2] for j in range(16) for i in range(16))
        case["expect"]["memory"]["UB"].append({"at": 0x3000, "hex": turned.hex()})
    case["expect"]["memory"]["UB"].append({"at": wrong, "hex": "77"})
    with open(f"{sys.argv[1]}/{folder}/{way}-{wrong}.json", "w") as file:
        json.dump(case, file)
for wrong in (12288, 12799, 16384, 16895):
    tmp("agree", "from", wrong)
tmp("planted", "from", 16896)
tmp("planted", "into", 12288)

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
# Name, product, what is right ("executed", notes or broken rules), steps.
for row in """\
there-and-back atlas-a2 executed IN +MTE2_V -MTE2_V +V_MTE2 -V_MTE2 IN
there-only atlas-a2 DC-BARRIER IN +MTE2_V -MTE2_V IN
back-before-there atlas-a2 DC-BARRIER IN +V_MTE2 +MTE2_V -MTE2_V -V_MTE2 IN
by-way-of-s atlas-a3 executed IN +MTE2_S -MTE2_S IN
set-twice atlas-a3 DC-BARRIER +MTE2_S IN +MTE2_S -MTE2_S IN
waited-unset atlas-a3 DC-BARRIER -MTE2_S IN -MTE2_S IN
id-4 atlas-a2 executed IN +MTE2_S:4 -MTE2_S:4 IN
id-4-of-training atlas-training DC-BARRIER IN +MTE2_S:4 -MTE2_S:4 IN
id-8 atlas-a2 DC-BARRIER IN +MTE2_S:8 -MTE2_S:8 IN
id-7-is-reserved atlas-a2 SYNC-FLAG-RESERVED IN +MTE2_S:7 -MTE2_S:7 IN
id-7-of-training atlas-training executed +MTE2_S:7
no-events atlas-inference-vectorcore DC-BARRIER IN +MTE2_S -MTE2_S IN
matrix atlas-200i-500-a2 executed IN +MTE2_M -MTE2_M +M_V -M_V +V_MTE2 -V_MTE2 IN
matrix-of-a2 atlas-a2 DC-BARRIER IN +MTE2_M -MTE2_M +M_V -M_V +V_MTE2 -V_MTE2 IN
barrier-of-s atlas-a2 DC-BARRIER IN |S IN
barrier-of-a-product-without atlas-inference-vectorcore executed IN |MTE2 IN
element atlas-a2 executed SET2 GET
element-32 atlas-a2 SCALAR-BOUNDS SET32
element-nowhere atlas-200-300-500 SCALAR-PRODUCT GET
modes atlas-200i-500-a2 executed SetMaskCount ResetMask SetMaskNorm
modes-of-training atlas-training STATE-MASK-PRODUCT SetMaskCount
""".splitlines():
    name, product, right, *words = row.split()
    expect = {"outcome": "executed", "notes": [], "memory": {}}
    if "SET2" in words:
        expect["memory"] = {"UB": [{"at": 4, "hex": "00be"}]}
    if right.startswith("SYNC"):
        expect["notes"] = [right]
    elif right != "executed":
        expect |= {"outcome": "rejected", "step": len(words) - 1, "rules": [right]}
    with open(f"{sys.argv[1]}/order/{name}.json", "w") as file:
        json.dump({"format": "lanediff-case/1", "id": name, "product": product, "memory": {"GM": {"size": 64}},
                   "program": [step_of(word) for word in words], "expect": expect}, file)
END
sed 's/"program": \[/&{ "op": "SetMaskCount" },/' corpus/min/mask-1-half-accepted.json >"$folder/planted/counter.json"
wanted[counter.json]='step 1 has a mask in counter mode: nothing is worked out'
expect 2 'counter.json: step 1 has a mask in counter mode' script/expectations "$folder/planted/counter.json"
work 1 planted 1 --check
expect 0 '27 agree, 0 differ' script/expectations --check "$folder"/{agree,order}

# A case that names a rule and doesn't notice that it is gone.
for rule in STATE-SATURATION ARITH-NAN ARITH-ROUND ARITH-ZERO-SIGN RRS-SATURATE WRS-SATURATE TRP-SATURATE MIN-VALUE \
  MAX-VALUE ADD-VALUE SUB-VALUE MUL-VALUE ADD-INTEGER-OVERFLOW SUB-INTEGER-OVERFLOW MUL-INTEGER-OVERFLOW; do
  sed "s/\"RRS-ELEMS\"\]$/\"$rule\"]/" corpus/repeat_reduce_sum/elems-128-half-accepted.json >"$folder/tags/$rule.json"
  wanted[$rule.json]="names $rule, and doesn't object"
done
sed 's/"RRS-ELEMS"\]$/"RRS-TREE"]/' corpus/repeat_reduce_sum/elems-1-half-accepted.json >"$folder/tags/tree.json"
wanted[tree.json]="names RRS-TREE, and doesn't object"
work 1 tags 1 --evidence

# The vendor's tables.
cp -r corpus/published "$folder/published"
table() { # text, file, sed expression
  change "corpus/published/$2" "$3" "$folder/published/$2"
  wanted[$2]=$1
}
table 'its expectation is not what the table prints' sum-infinity-half-saturating.json 's/-65376/-65504/'
table 'its program is not the table' sum-nan-half-saturating.json 's/"enabled": true/"enabled": false/'
table 'its memory is not the table' sum-zero-half-saturating.json 's/"fill": "a5"/"fill": "a6"/'
table "its origin is {'tool': 'hand'}" sum-finite-half-saturating.json 's/"published" }/"hand" }/'
table 'its requirement is ' add-zero-half-saturating.json 's/"requirement": \["/&X-/'
cp corpus/published/add-nan-half-ieee.json "$folder/published/more.json"
wanted[more.json]="is not in the vendor's tables"
rm "$folder/published/add-nan-half-ieee.json"
wanted[add-nan-half-ieee.json]="can't be read"
work 1 published 1 --published

# What is no case: one line each.
expect 2 'no case is named' script/expectations
expect 2 '/dev/zero: is no regular file' script/expectations --check /dev/zero
head -c 300 "corpus/$sum.json" >"$folder/no/cut.json"
wanted[cut.json]='line 4 column 11'
no() { # its text comes from the input
  cat >"$folder/no/${#wanted[@]}.json"
  wanted[${#wanted[@]}.json]=
}
for text in '' '[]' 'null' '{"format": "lanediff-case/1"}' "$(printf '[%.0s' {1..20000})" $'\xff' \
  '{"format": "lanediff-case/1", "product": 1, "memory": 0, "program": 5}'; do
  no <<<"$text"
done
for edit in 's/"at": 1024/"at": -8/' 's/"at": 1024/"at": 196604/' 's/100\]/1e99999999]/' 's/100\]/1e9]/' \
  's/100\]/{ "value": 1, "count": 1000000000000 }]/' 's/"UB"/"UC"/' 's/"dtype": "half",/"dtype": "haf",/' \
  's/"VECIN"/"VECTOR"/' 's/"repeat": 1/"repeat": "1"/' 's/"repeat": 1,//' 's/"fill": "a5"/"size": 1e9/'; do
  no < <(sed "$edit" "corpus/$sum.json")
done
for edit in 's/"isPad": false, //' 's/"paddingValue": 200/"paddingValue": 256/' 's/"dataCopyParams"/"params"/'; do
  no < <(sed "$edit" "corpus/$pad.json")
done
for edit in 's/MTE2_V/MTE2_W/' 's/"id": 0/"id": "0"/' 's/"SetFlag"/"SetFlags"/'; do
  no < <(sed "$edit" "$folder/order/there-only.json")
done
work 2 no 1 --check

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
defect sums.py 's/zip(nodes\[::2\], nodes\[1::2\])/zip(nodes, nodes[len(nodes) \/\/ 2:])/' repeat_reduce_sum/tree-64-random-floats.json
defect sums.py 's/return 32 \/\/ self.size/return 64 \/\/ self.size/' block_reduce_sum/worked-bitwise.json
defect machine.py 's/192 \* 1024/256 * 1024/' vec_trans/bounds-past-ub-a2-rejected.json
defect lanewise.py 's/src1RepStride"\], /src0RepStride"], /' min/exception-sources-overlap-rejected.json
defect arithmetic.py 's/    if mode:/    if not mode:/' add/values-int16-edges-wrapping.json
defect mask.py 's/mask\[1\] << 64 | mask\[0\]/mask[0] << 64 | mask[1]/' whole_reduce_sum/bits-lone-nan-ieee.json
defect data_copy.py 's/("UB", "L1"): "MTE3"/("UB", "L1"): "MTE2"/' data_copy/barrier-l1-from-ub-with-mte2-rejected.json
defect data_copy_pad.py 's/ + self.right)/)/' data_copy_pad/barrier-padding-is-written-rejected.json
defect data_copy_pad.py 's/unspecified\[:self.size\]/bytes(self.size)/' data_copy_pad/fill-first-element-may-be-unspecified.json
defect order.py 's/ | {source: self.now}//' "$folder/order"
defect order.py 's/"atlas-training": (EVENTS_N | EVENTS_J, 4)/"atlas-training": (EVENTS_N, 8)/' "$folder/order"
defect scalar.py 's/ or not self.operand.holds(self.at, self.at + self.size)//' "$folder/order"
defect trowprod.py 's/if whole % 2:/if False:/' trowprod/c-448-float-no-pair-is-dropped.json
defect vec_trans.py 's/16 \* i + j\]/16 * j + i]/' vec_trans/worked-one-block.json
