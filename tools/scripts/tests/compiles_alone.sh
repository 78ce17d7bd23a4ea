# A header that includes what it uses, and one that does not; and what is no file.
printf '#include <vector>\ninline std::vector<int> whole;\n' >"$folder/whole.h"
printf 'inline std::vector<int> lacking;\n' >"$folder/lacking.h"
expect 0 '1 files, 0 do not compile alone' tools/scripts/check-alone "$folder/whole.h"
expect 1 "$folder/lacking.h: does not compile alone: " tools/scripts/check-alone "$folder"/{whole,lacking}.h
expect 2 'found "none.h"; I/N or names of files' tools/scripts/check-alone none.h
expect 2 'found "1/0"' tools/scripts/check-alone 1/0
