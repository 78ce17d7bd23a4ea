# cmake -DSOURCE=tree -DOUT=folder -P PublicHeaders.cmake
#
# Writes the headers of lanediff/ and all that they include to OUT/lanediff, where
# they include each other by "lanediff/…": OUT alone is what a compiler must know.
# What has not changed is not touched.
cmake_minimum_required(VERSION 3.25)

file(GLOB open RELATIVE ${SOURCE} ${SOURCE}/lanediff/*.h)
set(seen)
while(open)
  list(POP_FRONT open header)
  if(header IN_LIST seen)
    continue()
  endif()
  list(APPEND seen ${header})
  file(READ ${SOURCE}/${header} text)
  string(REGEX MATCHALL "#include \"[^\"]+\"" includes "${text}")
  foreach(include IN LISTS includes)
    string(REGEX REPLACE "#include \"(.+)\"" "\\1" included "${include}")
    list(APPEND open ${included})
    if(NOT included MATCHES "^lanediff/")
      string(REPLACE "${include}" "#include \"lanediff/${included}\"" text "${text}")
    endif()
  endforeach()
  set(to ${header})
  if(NOT header MATCHES "^lanediff/")
    set(to lanediff/${header})
  endif()
  file(CONFIGURE OUTPUT ${OUT}/${to} CONTENT "${text}" @ONLY)
endwhile()
