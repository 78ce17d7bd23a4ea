// Refused: the include is an error of the compiler.
#error "refused: lib/matrix/matmul/matmul.h (matrix products)"
