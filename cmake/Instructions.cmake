# A word for each instruction, its kSlug in isa/: its fuzz program follows from it.
set(LANEDIFF_INSTRUCTIONS
  add
  data_copy
  max
  min
  mul
  repeat_reduce_sum
  sub
  trowprod
  vec_trans
  whole_reduce_sum)
