# lanediff_may_include(folder...): what is built here includes files of these top-level
# folders and of no other; one that the list lacks does not compile. Tests include all.
macro(lanediff_may_include)
  if(LANEDIFF_COVERAGE)
    include_directories(${PROJECT_SOURCE_DIR})  # tables of coverage name files by their path
  else()
    foreach(folder ${ARGN})
      set(root ${PROJECT_BINARY_DIR}/layers/${folder})
      file(MAKE_DIRECTORY ${root})
      file(CREATE_LINK ${PROJECT_SOURCE_DIR}/${folder} ${root}/${folder} SYMBOLIC)
      include_directories(${root})
    endforeach()
  endif()
endmacro()
