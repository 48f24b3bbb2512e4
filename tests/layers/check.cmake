# Asks the compiler which headers each room of FOLDER/rooms.txt (room|header|rooms that it may include) finds
# with its include directories (__has_include). It must find the header of each room that it may include,
# which shows that the check works, and no header of other rooms. The directions listed below must be
# forbidden, whatever the build says.

cmake_minimum_required(VERSION 3.25)
function(compile room source out)
  file(STRINGS "${FOLDER}/${room}.includes" folders)
  list(TRANSFORM folders PREPEND "-I")
  set(file "${FOLDER}/${room}.try.cpp")
  file(WRITE "${file}" "${source}")
  execute_process(COMMAND "${CXX}" -std=c++20 -fsyntax-only ${folders} "${file}"
                  RESULT_VARIABLE result ERROR_VARIABLE error OUTPUT_QUIET)
  set(${out} "${result}" PARENT_SCOPE)
  set(${out}_error "${error}" PARENT_SCOPE)
endfunction()

set(failures 0)
set(permitted 0)
set(forbidden 0)
set(directions "")
file(STRINGS "${FOLDER}/rooms.txt" lines)
set(rooms "")
foreach(line IN LISTS lines)
  string(REGEX MATCH "^([^|]*)\\|([^|]*)\\|(.*)$" _ "${line}")
  set(room "${CMAKE_MATCH_1}")
  list(APPEND rooms ${room})
  set(header_${room} "${CMAKE_MATCH_2}")
  string(REPLACE " " ";" visible_${room} "${CMAKE_MATCH_3}")
endforeach()

foreach(room IN LISTS rooms)
  set(checks "")
  foreach(other IN LISTS rooms)
    set(header "${header_${other}}")
    if(NOT header)
      continue()
    endif()
    if(other IN_LIST visible_${room})
      string(APPEND checks "#if !__has_include(\"${header}\")\n#error ${room} does not find ${header} of ${other}\n#endif\n")
      math(EXPR permitted "${permitted} + 1")
    else()
      string(APPEND checks "#if __has_include(\"${header}\")\n#error ${room} must not find ${header} of ${other}, and does\n#endif\n")
      math(EXPR forbidden "${forbidden} + 1")
      list(APPEND directions "${room} ${other}")
    endif()
  endforeach()
  compile(${room} "${checks}" result)
  if(NOT result EQUAL 0)
    message(SEND_ERROR "${result_error}")
    math(EXPR failures "${failures} + 1")
  endif()
endforeach()
message(STATUS "${permitted} permitted and ${forbidden} forbidden pairs of rooms")

# From a lower library to a higher one, and from libraries that do not depend on GLSL.
foreach(direction IN ITEMS
    "coopc_frontend_base coopc_frontend_language" "coopc_frontend_language coopc_frontend_lex"
    "coopc_frontend_language coopc_frontend_program" "coopc_frontend_lex coopc_frontend_preprocess"
    "coopc_frontend_preprocess coopc_frontend_program" "coopc_frontend_preprocess coopc_frontend_check"
    "coopc_frontend_program coopc_frontend_lex" "coopc_frontend_program coopc_frontend_check"
    "coopc_frontend_check coopc_frontend_preprocess" "coopc_frontend_check coopc_frontend_parse"
    "coopc_emit coopc_frontend_check" "coopc_emit coopc_frontend_parse" "coopc_spirv coopc_frontend_base"
    "coopc_spirv coopc_emit" "coopc_layout coopc_spirv" "coopc_frontend_check coopc_emit"
    "coopc_frontend_program coopc_spirv")
  list(APPEND wanted "${direction}")
endforeach()
# Devices do not depend on what uses them, the executor does not depend on cases, and the layer depends on
# neither.
if("coopc_layer" IN_LIST rooms)
  list(APPEND wanted "coopc_device coopc_executor" "coopc_device coopc_harness" "coopc_executor coopc_harness" "coopc_executor coopc_layer"
       "coopc_layer coopc_executor" "coopc_layer coopc_harness" "coopc_harness coopc_layer")
endif()
foreach(direction IN LISTS wanted)
  if(NOT direction IN_LIST directions)
    message(SEND_ERROR "this direction must be forbidden, and is not: ${direction}")
    math(EXPR failures "${failures} + 1")
  endif()
endforeach()
if(forbidden LESS 100 OR permitted LESS 25)
  message(SEND_ERROR "too few pairs: was the list of rooms read?")
  math(EXPR failures "${failures} + 1")
endif()

# A relative path through the parent folder would find any header in spite of the include directories.
file(GLOB_RECURSE files RELATIVE "${SOURCES}" "${SOURCES}/*/*.cpp" "${SOURCES}/*/*.hpp" "${SOURCES}/*/*.def")
list(FILTER files EXCLUDE REGEX "^build|^tests/shaders/|^tests/layers/")
list(LENGTH files count)
if(count LESS 200)
  message(SEND_ERROR "only ${count} files looked through")
  math(EXPR failures "${failures} + 1")
endif()
foreach(file IN LISTS files)
  file(STRINGS "${SOURCES}/${file}" found REGEX "^[ \t]*#[ \t]*include[ \t]*\"\\.\\.?/")
  if(found)
    message(SEND_ERROR "${file}: a relative include: ${found}")
    math(EXPR failures "${failures} + 1")
  endif()
endforeach()
if(failures)
  message(FATAL_ERROR "${failures} failures")
endif()
