# What `cmake --install` leaves: the program, its page of the manual, completions and
# the corpus; and for other projects the package lanediff with the targets
# lanediff::lanediff, lanediff::oracle and lanediff::emulator. cpack makes a .deb of it.

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

install(TARGETS lanediff RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

# The command line as data, for who reads manuals and for shells.
set(words ${PROJECT_BINARY_DIR}/completion)
file(MAKE_DIRECTORY ${words})
set(made)
foreach(shell man bash zsh fish)
  add_custom_command(OUTPUT ${words}/${shell}
    COMMAND lanediff completion ${shell} > ${words}/${shell}
    DEPENDS lanediff COMMENT "" VERBATIM)
  list(APPEND made ${words}/${shell})
endforeach()
add_custom_target(completion ALL DEPENDS ${made})
install(FILES ${words}/man DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 RENAME lanediff.1)
install(FILES ${words}/bash RENAME lanediff
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${words}/zsh RENAME _lanediff
  DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${words}/fish RENAME lanediff.fish
  DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

install(DIRECTORY corpus DESTINATION ${CMAKE_INSTALL_DATADIR}/lanediff)
install(DIRECTORY tools/deploy DESTINATION ${CMAKE_INSTALL_DATADIR}/lanediff USE_SOURCE_PERMISSIONS)
install(PROGRAMS tools/scripts/merge-corpus DESTINATION ${CMAKE_INSTALL_DATADIR}/lanediff/scripts)
install(DIRECTORY kernel/tik/ DESTINATION ${CMAKE_INSTALL_DATADIR}/lanediff/tik
  FILES_MATCHING PATTERN *.py PATTERN tests EXCLUDE PATTERN __pycache__ EXCLUDE)
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
# Notices of what the programs are built from: headers, and libraries that they link.
foreach(package libboost-dev libcli11-dev libfmt-dev libhwy-dev libmpfr-dev libpugixml-dev libsqlite3-dev nlohmann-json3-dev)
  # Boost's own is in the package of a version.
  string(REPLACE libboost- "libboost1*-" files ${package})
  file(GLOB notice /usr/share/doc/${files}/copyright)
  if(notice)
    install(FILES ${notice} DESTINATION ${CMAKE_INSTALL_DOCDIR}/third-party RENAME ${package})
  else()
    message(WARNING "${package} has no copyright in /usr/share/doc: packages that are made here lack its notice")
  endif()
endforeach()
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY reports/schema DESTINATION ${CMAKE_INSTALL_DOCDIR}/reports)  # docs link them

# Headers: those of lanediff/ and what they include, below lanediff/ all of them.
set(headers ${PROJECT_BINARY_DIR}/headers)
add_custom_target(public_headers ALL
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DOUT=${headers}
    -P ${PROJECT_SOURCE_DIR}/cmake/PublicHeaders.cmake
  COMMENT "" VERBATIM)
install(DIRECTORY ${headers}/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})

# Who links it compiles the same arithmetic.
target_include_directories(lanediff_isa INTERFACE
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_options(lanediff_isa INTERFACE $<INSTALL_INTERFACE:-ffp-contract=off>)
target_compile_features(lanediff_isa INTERFACE cxx_std_23)
set_target_properties(lanediff_oracle PROPERTIES EXPORT_NAME oracle)
set_target_properties(lanediff_emulator PROPERTIES EXPORT_NAME emulator)
add_library(lanediff_package INTERFACE)
target_link_libraries(lanediff_package INTERFACE lanediff_verbs)
set_target_properties(lanediff_package PROPERTIES EXPORT_NAME lanediff)

# lanediff_install_libraries(target): it, and those of ours that it links.
function(lanediff_install_libraries target)
  get_property(installed GLOBAL PROPERTY LANEDIFF_INSTALLED)
  if(target IN_LIST installed)
    return()
  endif()
  set_property(GLOBAL APPEND PROPERTY LANEDIFF_INSTALLED ${target})
  install(TARGETS ${target} EXPORT lanediff
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}/lanediff)
  foreach(property LINK_LIBRARIES INTERFACE_LINK_LIBRARIES)
    get_target_property(linked ${target} ${property})
    foreach(library IN LISTS linked)
      string(REGEX REPLACE "^\\$<LINK_ONLY:(.*)>$" "\\1" library "${library}")
      if(library MATCHES "^lanediff_" AND TARGET ${library})
        lanediff_install_libraries(${library})
      endif()
    endforeach()
  endforeach()
endfunction()
lanediff_install_libraries(lanediff_package)

# The C ABI of plugins: headers only.
add_library(lanediff_plugin INTERFACE)
target_include_directories(lanediff_plugin INTERFACE
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
set_target_properties(lanediff_plugin PROPERTIES EXPORT_NAME plugin)
lanediff_install_libraries(lanediff_plugin)

# Kernels: headers, the library that programs are linked with, and what prepares them.
install(DIRECTORY kernel/include/lanediff/ascendc kernel/include/lanediff/pto kernel/include/lanediff/acl_host
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/lanediff
)
install(DIRECTORY kernel/tik/ DESTINATION ${CMAKE_INSTALL_DATADIR}/lanediff/tik
  PATTERN tests EXCLUDE PATTERN CMakeLists.txt EXCLUDE PATTERN __pycache__ EXCLUDE)
set_target_properties(lanediff_kernel_so PROPERTIES EXPORT_NAME kernel)
set_target_properties(lanediff_prepare PROPERTIES EXPORT_NAME prepare)
install(TARGETS lanediff_kernel_so lanediff_ascendc lanediff_pto lanediff_prepare EXPORT lanediff
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/lanediff)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/lanediff)
install(EXPORT lanediff NAMESPACE lanediff:: FILE lanediffTargets.cmake
  DESTINATION ${package})
configure_package_config_file(cmake/lanediffConfig.cmake.in
  ${PROJECT_BINARY_DIR}/lanediffConfig.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/lanediffConfigVersion.cmake
  COMPATIBILITY SameMajorVersion)
install(FILES cmake/LanediffKernel.cmake ${PROJECT_BINARY_DIR}/lanediffConfig.cmake
  ${PROJECT_BINARY_DIR}/lanediffConfigVersion.cmake DESTINATION ${package})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME lanediff)
set(CPACK_PACKAGE_VENDOR lanediff)
set(CPACK_PACKAGE_CONTACT "lanediff <lanediff@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY
  "compares implementations of Ascend's vector intrinsics with their documents")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Programs that link the libraries need these as well; lanediff itself doesn't.
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3, libfmt-dev, libmpfr-dev, libpugixml-dev, libsqlite3-dev")
include(CPack)
