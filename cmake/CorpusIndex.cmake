# lanediff_corpus_index(TARGET target OUT file FOLDER corpus)
#
# Compiles into TARGET what reports/corpus_index.h declares, of the cases below
# FOLDER. Made again whenever one changes; needs nothing but CMake. The same file is
# the script that writes OUT.
if(NOT CMAKE_SCRIPT_MODE_FILE)
  function(lanediff_corpus_index)
    cmake_parse_arguments(INDEX "" "TARGET;OUT;FOLDER" "" ${ARGN})
    file(GLOB cases CONFIGURE_DEPENDS ${INDEX_FOLDER}/*/*.json)
    add_custom_command(OUTPUT ${INDEX_OUT}
      COMMAND ${CMAKE_COMMAND} -DOUT=${INDEX_OUT} -DFOLDER=${INDEX_FOLDER}
              -P ${PROJECT_SOURCE_DIR}/cmake/CorpusIndex.cmake
      DEPENDS ${cases} ${PROJECT_SOURCE_DIR}/cmake/CorpusIndex.cmake
      COMMENT "Indexing ${INDEX_FOLDER}"
      VERBATIM)
    target_sources(${INDEX_TARGET} PRIVATE ${INDEX_OUT})
  endfunction()
  return()
endif()

cmake_minimum_required(VERSION 3.25)
set(made "// Made by cmake/CorpusIndex.cmake.\n\n#include \"reports/corpus_index.h\"\n
namespace lanediff::reports {\n
std::span<const CorpusEntry> CorpusEntries() {\n  static constexpr CorpusEntry kEntries[] = {\n")
file(GLOB cases ${FOLDER}/*/*.json)
foreach(case IN LISTS cases)
  file(READ ${case} text)
  # A file without these is a schema, or no evidence of a rule.
  string(JSON id ERROR_VARIABLE none GET "${text}" id)
  string(JSON tool ERROR_VARIABLE no_tool GET "${text}" origin tool)
  string(JSON count ERROR_VARIABLE no_count LENGTH "${text}" requirement)
  if(none OR no_tool OR no_count)
    continue()
  endif()
  string(JSON outcome ERROR_VARIABLE none GET "${text}" expect outcome)
  if(none)
    message(FATAL_ERROR "${case}: /expect/outcome: ${none}; script/expectations works it out")
  endif()
  string(JSON notes ERROR_VARIABLE none GET "${text}" expect notes)
  string(JSON rules ERROR_VARIABLE none LENGTH "${text}" expect rules)
  if(outcome STREQUAL "rejected" AND rules EQUAL 1)
    string(JSON rejected GET "${text}" expect rules 0)
  else()
    set(rejected)
  endif()
  math(EXPR last "${count} - 1")
  foreach(i RANGE ${last})
    string(JSON rule GET "${text}" requirement ${i})
    set(shows kExecuted)
    if(rejected STREQUAL rule)
      set(shows kRejected)
    elseif(notes MATCHES "\"${rule}\"")
      set(shows kNoted)
    elseif(NOT outcome STREQUAL "executed")
      continue()
    endif()
    string(APPEND made "      {\"${rule}\", \"${tool}\", \"${id}\", CorpusEntry::${shows}},\n")
  endforeach()
endforeach()
string(APPEND made "  };\n  return kEntries;\n}\n\n}  // namespace lanediff::reports\n")
file(WRITE ${OUT} "${made}")
