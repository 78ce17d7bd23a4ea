# lanediff_add_kernel(NAME SOURCES file... [PRODUCT P] [DTYPES X=half ...]
#                     [TILING HEADER TYPE])
#
# A program made of sources of kernels and of their host, checked when it runs. In
# each source f<T><<<blocks, ub, stream>>>(args) is made a launch, lines stay where
# they are. PRODUCT is what --product takes, else atlas-a2. DTYPES define the macros
# DTYPE_X, TILING names the struct of GET_TILING_DATA and the header that has it:
# what a build of the vendor generates.
function(lanediff_add_kernel name)
  cmake_parse_arguments(PARSE_ARGV 1 KERNEL "" "PRODUCT" "SOURCES;DTYPES;TILING")
  if(NOT KERNEL_SOURCES)
    message(FATAL_ERROR "  lanediff_add_kernel(${name}): SOURCES file... is missing")
  endif()
  if(KERNEL_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR
      "  lanediff_add_kernel(${name}): \"${KERNEL_UNPARSED_ARGUMENTS}\"; allowed: SOURCES, PRODUCT, DTYPES, TILING")
  endif()
  set(products atlas-training atlas-inference-aicore atlas-inference-vectorcore atlas-a2
    atlas-a3 atlas-200i-500-a2)
  if(NOT KERNEL_PRODUCT)
    set(KERNEL_PRODUCT atlas-a2)
  elseif(NOT KERNEL_PRODUCT IN_LIST products)
    message(FATAL_ERROR
      "  lanediff_add_kernel(${name}): PRODUCT ${KERNEL_PRODUCT}; allowed: ${products}")
  endif()
  set(prepared)
  set(folders)
  foreach(source IN LISTS KERNEL_SOURCES)
    get_filename_component(path ${source} ABSOLUTE)
    get_filename_component(folder ${path} DIRECTORY)
    list(LENGTH prepared number)
    set(out ${CMAKE_CURRENT_BINARY_DIR}/${name}.prepared/${number}.cpp)
    file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${name}.prepared)
    add_custom_command(OUTPUT ${out} COMMAND lanediff::prepare ${path} ${out}
      DEPENDS ${path} lanediff::prepare COMMENT "" VERBATIM)
    list(APPEND prepared ${out})
    list(APPEND folders "SHELL:-iquote \"${folder}\"")
  endforeach()
  add_executable(${name} ${prepared})
  target_link_libraries(${name} PRIVATE lanediff::ascendc lanediff::pto)
  target_compile_options(${name} PRIVATE ${folders})
  string(TOUPPER ${KERNEL_PRODUCT} product)
  string(REPLACE "-" "_" product ${product})
  target_compile_definitions(${name} PRIVATE LANEDIFF_PRODUCT_${product})
  foreach(dtype IN LISTS KERNEL_DTYPES)
    target_compile_definitions(${name} PRIVATE DTYPE_${dtype})
  endforeach()
  if(KERNEL_TILING)
    list(LENGTH KERNEL_TILING count)
    if(NOT count EQUAL 2)
      message(FATAL_ERROR "  lanediff_add_kernel(${name}): TILING HEADER TYPE are two")
    endif()
    list(GET KERNEL_TILING 0 header)
    list(GET KERNEL_TILING 1 type)
    target_compile_definitions(${name} PRIVATE "LANEDIFF_TILING_HEADER=\"${header}\""
      "LANEDIFF_TILING_TYPE=${type}")
  endif()
endfunction()
