# Gives tools/scripts/check-hardening programs that lack one thing each.
cat >"$folder/program.c" <<'END'
#include <string.h>
int main(int argc, char** argv) {
  char text[16];
  strcpy(text, argv[argc - 1]);
  return text[argc];
}
END
hard=(-O1 -fPIE -pie -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -Wl,-z,relro -Wl,-z,now
  -Wl,-z,noexecstack)
compiled() { # status, text, flags that come last
  cc "${hard[@]}" "${@:3}" "$folder/program.c" -o "$folder/program"
  expect "$1" "" tools/scripts/check-hardening "$folder/program"
  [ "$out" = "${2:+check-hardening: $folder/program: $2}" ] || fail "expected \"$2\""
}
compiled 0 ''
compiled 1 'has no position-independent code' -fno-pie -no-pie
compiled 1 'has no stack without execution' -Wl,-z,execstack
compiled 1 'has no BIND_NOW' -Wl,-z,lazy
compiled 1 'has no RELRO' -Wl,-z,norelro
compiled 1 'has no stack protector' -fno-stack-protector
compiled 1 'has no fortified function of libc' -U_FORTIFY_SOURCE
expect 2 "program.c: can't be read as an ELF file" tools/scripts/check-hardening "$folder/program" "$folder/program.c"
