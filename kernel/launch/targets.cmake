# lanediff::ascendc and lanediff::pto: headers of kernels, and the library that runs
# them; here, and in the package that is installed. PTO's include Ascend C's.
foreach(front ascendc pto)
  add_library(lanediff_${front} INTERFACE)
  add_library(lanediff::${front} ALIAS lanediff_${front})
  target_include_directories(lanediff_${front} SYSTEM INTERFACE
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/kernel/include/lanediff/ascendc>
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/kernel/include/lanediff/pto>
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/kernel/include/lanediff/acl_host>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/lanediff/ascendc>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/lanediff/pto>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/lanediff/acl_host>)
  target_link_libraries(lanediff_${front} INTERFACE lanediff_kernel_so)
  target_compile_features(lanediff_${front} INTERFACE cxx_std_17)
  set_target_properties(lanediff_${front} PROPERTIES EXPORT_NAME ${front})
endforeach()
add_executable(lanediff::prepare ALIAS lanediff_prepare)
include(LanediffKernel)
