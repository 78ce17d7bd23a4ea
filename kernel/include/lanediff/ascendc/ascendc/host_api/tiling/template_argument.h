#ifndef LANEDIFF_ASCENDC_TEMPLATE_ARGUMENT_H
#define LANEDIFF_ASCENDC_TEMPLATE_ARGUMENT_H

/// Declares the template arguments that a kernel is built for: the build's
/// affair. A kernel here is a template that its caller instantiates, so the
/// declarations are nothing; the names of data types and formats are numbers
/// that a kernel compares its arguments with.
#define ASCENDC_TPL_ARGS_DECL(...)
#define ASCENDC_TPL_ARGS_SEL(...)
#define ASCENDC_TPL_SEL(...)

#define C_DT_FLOAT 0
#define C_DT_FLOAT16 1
#define C_DT_INT8 2
#define C_DT_INT32 3
#define C_DT_UINT8 4
#define C_DT_INT16 6
#define C_DT_UINT16 7
#define C_DT_UINT32 8
#define C_DT_INT64 9
#define C_DT_UINT64 10
#define C_DT_DOUBLE 11
#define C_DT_BOOL 12
#define C_DT_BF16 27
#define C_DT_INT4 29

#define C_FORMAT_NCHW 0
#define C_FORMAT_NHWC 1
#define C_FORMAT_ND 2
#define C_FORMAT_NC1HWC0 3
#define C_FORMAT_FRACTAL_Z 4
#define C_FORMAT_FRACTAL_NZ 29

#endif  // LANEDIFF_ASCENDC_TEMPLATE_ARGUMENT_H
