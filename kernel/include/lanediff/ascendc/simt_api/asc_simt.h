// What is refused when it is included: the compiler says so.
#error "refused: simt_api/asc_simt.h (SIMT programming)"
