// Refused: the include is an error of the compiler.
#error "refused: lib/matmul_intf.h (matrix products)"
