# WebAssembly modules of this tree's libraries, by Debian's emscripten. The sources of a library, and of all
# that it links, are compiled again by em++, with the library's include paths. Generated tables come from the
# native build. Exceptions are off, as is em++'s default: a throw ends the module, and a catch is never
# reached. Only libraries with the property COOPC_WASM_CATCHES, and modules that contain such a library, have
# exceptions: WebAssembly's own (Chromium 95, Firefox 100, Safari 15.2, Node 17).

# coopc_wasm_sources(OUT TARGET...): the sources of the targets and of the coopc rooms that they link, each
# target only once.
function(coopc_wasm_sources out)
  set(pending ${ARGN})
  set(seen "")
  set(result "")
  while(pending)
    list(POP_FRONT pending target)
    get_target_property(alias ${target} ALIASED_TARGET)
    if(alias)
      set(target ${alias})
    endif()
    if(target IN_LIST seen)
      continue()
    endif()
    list(APPEND seen ${target})
    get_target_property(type ${target} TYPE)
    get_target_property(folder ${target} SOURCE_DIR)
    get_target_property(links ${target} INTERFACE_LINK_LIBRARIES)
    if(NOT type STREQUAL "INTERFACE_LIBRARY")
      get_target_property(sources ${target} SOURCES)
      get_target_property(links ${target} LINK_LIBRARIES)
      foreach(source IN LISTS sources)
        if(NOT source MATCHES "\\.cpp$")
          continue()
        endif()
        cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${folder}")
        list(APPEND result "${target}|${source}")
      endforeach()
    endif()
    foreach(link IN LISTS links)
      if(link MATCHES "^coopc" AND TARGET ${link} AND NOT link STREQUAL "coopc_options")
        list(APPEND pending ${link})
      endif()
    endforeach()
  endwhile()
  set(${out} "${result}" PARENT_SCOPE)
endfunction()

# Sources that some modules leave out (EXCEPT). They are compiled separately, so that modules share all other
# objects.
set(COOPC_WASM_APART "/(c_api|c_query|socket|stream_transport)\\.cpp$")

# coopc_wasm_joined(OUT TARGET|SOURCE...): the same list, but the sources that COOPC_UNITY joins in TARGET's
# native build are replaced by files that include twelve of them each. em++ takes a second to start, and would
# read the same headers each time.
function(coopc_wasm_joined out)
  set(result "")
  foreach(entry IN LISTS ARGN)
    string(REGEX MATCH "^([^|]+)\\|(.*)$" _ "${entry}")
    set(target "${CMAKE_MATCH_1}")
    set(source "${CMAKE_MATCH_2}")
    get_target_property(unity ${target} UNITY_BUILD)
    get_source_file_property(apart "${source}" TARGET_DIRECTORY ${target} SKIP_UNITY_BUILD_INCLUSION)
    if(NOT unity OR apart STREQUAL "ON" OR source MATCHES "${COOPC_WASM_APART}")
      list(APPEND result "${entry}")
      continue()
    endif()
    if(NOT DEFINED of_${target})
      list(APPEND targets ${target})
    endif()
    list(APPEND of_${target} "${source}")
  endforeach()
  foreach(target IN LISTS targets)
    list(LENGTH of_${target} count)
    set(number 0)
    foreach(at RANGE 0 ${count} 12)
      if(at EQUAL count)
        break()
      endif()
      list(SUBLIST of_${target} ${at} 12 some)
      list(TRANSFORM some REPLACE "(.+)" "#include \"\\1\"")
      list(JOIN some "\n" text)
      set(file "${PROJECT_BINARY_DIR}/wasm/${target}/joined_${number}.cpp")
      file(CONFIGURE OUTPUT "${file}" CONTENT "${text}\n" @ONLY)
      list(APPEND result "${target}|${file}")
      math(EXPR number "${number} + 1")
    endforeach()
  endforeach()
  set(${out} "${result}" PARENT_SCOPE)
endfunction()

# coopc_wasm(NAME OUTPUT FILE TARGET TARGET... [STANDALONE] [SMALLEST] [EXCEPT REGEX] [EXPORTS FUNCTION...]
# [FLAGS FLAG...]): makes FILE, a script that defines the global function NAME, which returns a promise of the
# module. With STANDALONE, FILE is the module alone, for a script of our own. The TARGETs are the libraries
# with the exported functions. Sources that match EXCEPT (a subset of COOPC_WASM_APART) are left out. A source
# that several modules share is compiled once. SMALLEST: the module has objects of its own, compiled for size.
function(coopc_wasm name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "STANDALONE;SMALLEST" "OUTPUT;EXCEPT" "TARGET;EXPORTS;FLAGS")
  coopc_wasm_sources(sources ${arg_TARGET})
  if(arg_EXCEPT)
    list(FILTER sources EXCLUDE REGEX "${arg_EXCEPT}")
  endif()
  coopc_wasm_joined(sources ${sources})
  set(objects "")
  set(linked "")
  set(optimize -Os)
  set(suffix "")
  if(arg_SMALLEST)
    # The instructions of these options have been in engines since 2020.
    set(optimize -Oz -fno-rtti -mnontrapping-fptoint -msign-ext)
    set(suffix "-smallest")
  endif()
  foreach(entry IN LISTS sources)
    string(REGEX MATCH "^([^|]+)\\|(.*)$" _ "${entry}")
    set(target "${CMAKE_MATCH_1}")
    set(source "${CMAKE_MATCH_2}")
    set(exceptions "")
    get_target_property(catches ${target} COOPC_WASM_CATCHES)
    if(catches)
      set(exceptions -fwasm-exceptions)
      set(linked -fwasm-exceptions)
    endif()
    string(MD5 hash "${source}")
    cmake_path(GET source STEM stem)
    set(object "${PROJECT_BINARY_DIR}/wasm/${target}/${stem}-${hash}${suffix}.o")
    list(APPEND objects "${object}")
    get_property(known GLOBAL PROPERTY COOPC_WASM_OBJECTS)
    if(object IN_LIST known)
      continue()
    endif()
    set_property(GLOBAL APPEND PROPERTY COOPC_WASM_OBJECTS "${object}")
    set(includes "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
    set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
    get_target_property(generated ${target} SOURCES)
    list(FILTER generated INCLUDE REGEX "\\.inc$")
    add_custom_command(
      OUTPUT "${object}"
      COMMAND "${COOPC_EMXX}" -std=c++20 ${optimize} -DNDEBUG -ffunction-sections ${exceptions} "-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=" -include "${PROJECT_SOURCE_DIR}/page/missing_std.hpp"
              "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>" "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
              -MD -MT "${object}" -MF "${object}.d" -c "${source}" -o "${object}"
      DEPENDS "${source}" "${PROJECT_SOURCE_DIR}/page/missing_std.hpp" ${generated} DEPFILE "${object}.d" COMMAND_EXPAND_LISTS VERBATIM
      COMMENT "Compiling ${stem}.cpp to WebAssembly")
  endforeach()
  list(TRANSFORM arg_EXPORTS PREPEND "_")
  list(JOIN arg_EXPORTS "," exports)
  set(form -sSINGLE_FILE=1 -sMODULARIZE=1 "-sEXPORT_NAME=${name}" -sENVIRONMENT=web,worker)
  # Scripts for the page and editors contain the module as text and have a limit of size.
  set(level -Oz)
  if(arg_STANDALONE)
    set(level ${optimize})
    # The script must provide the module's imports.
    set(form -sSTANDALONE_WASM=1 -sERROR_ON_UNDEFINED_SYMBOLS=0 -sWARN_ON_UNDEFINED_SYMBOLS=0)
  endif()
  if(arg_SMALLEST)
    list(APPEND form -sMALLOC=emmalloc -sBINARYEN_EXTRA_PASSES=--converge)
  endif()
  cmake_path(GET arg_OUTPUT PARENT_PATH folder)
  file(MAKE_DIRECTORY "${folder}")
  add_custom_command(
    OUTPUT "${arg_OUTPUT}"
    COMMAND "${COOPC_EMXX}" ${level} ${linked} ${objects} --no-entry ${form} -sALLOW_MEMORY_GROWTH=1
            "-sEXPORTED_FUNCTIONS=_malloc,_free,${exports}" ${arg_FLAGS} -o "${arg_OUTPUT}"
    DEPENDS ${objects} VERBATIM COMMENT "Linking ${name}")
endfunction()
