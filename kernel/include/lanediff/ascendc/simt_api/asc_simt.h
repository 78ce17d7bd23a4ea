// Refused: the include is an error of the compiler.
#error "refused: simt_api/asc_simt.h (SIMT programming)"
