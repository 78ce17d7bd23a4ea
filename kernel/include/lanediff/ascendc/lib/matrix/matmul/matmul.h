// What is refused when it is included: the compiler says so.
#error "refused: lib/matrix/matmul/matmul.h (matrix products)"
