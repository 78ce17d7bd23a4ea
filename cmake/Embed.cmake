# lanediff_embed(TARGET target NAMESPACE ns HEADER header OUT file ROOT folder FILES file...)
#
# Compiles the texts of FILES (below ROOT) into TARGET: the function
# `std::span<const EmbeddedText> EmbeddedTexts()` of NAMESPACE returns them in this
# order. Made again whenever one changes; needs nothing but CMake. The same file is
# the script that writes OUT.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  function(lanediff_embed)
    cmake_parse_arguments(EMBED "" "TARGET;NAMESPACE;HEADER;OUT;ROOT" "FILES" ${ARGN})
    list(TRANSFORM EMBED_FILES PREPEND ${EMBED_ROOT}/ OUTPUT_VARIABLE paths)
    string(REPLACE ";" "|" files "${EMBED_FILES}")
    add_custom_command(OUTPUT ${EMBED_OUT}
      COMMAND ${CMAKE_COMMAND} -DOUT=${EMBED_OUT} -DROOT=${EMBED_ROOT} -DHEADER=${EMBED_HEADER}
              -DNAMESPACE=${EMBED_NAMESPACE} "-DFILES=${files}"
              -P ${PROJECT_SOURCE_DIR}/cmake/Embed.cmake
      DEPENDS ${paths} ${PROJECT_SOURCE_DIR}/cmake/Embed.cmake
      COMMENT "Embedding ${EMBED_ROOT}"
      VERBATIM)
    target_sources(${EMBED_TARGET} PRIVATE ${EMBED_OUT})
  endfunction()
  return()
endif()

string(REPLACE "|" ";" files "${FILES}")
set(made "// Made by cmake/Embed.cmake.\n\n#include \"${HEADER}\"\n\nnamespace ${NAMESPACE} {\n
std::span<const EmbeddedText> EmbeddedTexts() {\n  static constexpr EmbeddedText kTexts[] = {\n")
foreach(file IN LISTS files)
  file(READ ${ROOT}/${file} text)
  string(FIND "${text}" ")embedded\"" ends)
  if(NOT ends EQUAL -1)
    message(FATAL_ERROR "${file}: holds the text )embedded\", which ends a text here")
  endif()
  string(FIND "${text}" "</script" closes)
  if(NOT closes EQUAL -1 AND file MATCHES "\\.js$")
    message(FATAL_ERROR "${file}: holds the text </script, which ends a script in a page")
  endif()
  string(APPEND made "      {\"${file}\", R\"embedded(${text})embedded\"},\n")
endforeach()
string(APPEND made "  };\n  return kTexts;\n}\n\n}  // namespace ${NAMESPACE}\n")
file(WRITE ${OUT} "${made}")
