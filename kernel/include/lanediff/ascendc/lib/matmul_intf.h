// What is refused when it is included: the compiler says so.
#error "refused: lib/matmul_intf.h (matrix products)"
