# Rooms: the libraries and programs of this tree. Rooms may use one another in one direction only. A room sees
# the headers of its folders and of the rooms that it links, and no others: an include of anything else does
# not compile, because the header is not found.
#
# Each room has an include root in the build folder, include_roots/TARGET. It contains only symbolic links to
# the room's folders, at the places that the includes name (frontend/lex/lexer.hpp). target_link_libraries
# passes it on. If symbolic links cannot be made, every room gets the root of the repository instead, with a
# message: everything builds, and nothing is enforced.

set(COOPC_INCLUDE_ROOTS "${PROJECT_BINARY_DIR}/include_roots")
file(REMOVE_RECURSE "${COOPC_INCLUDE_ROOTS}")
file(MAKE_DIRECTORY "${COOPC_INCLUDE_ROOTS}")
file(CREATE_LINK "${PROJECT_SOURCE_DIR}/cmake" "${COOPC_INCLUDE_ROOTS}/probe" RESULT _coopc_links SYMBOLIC)
if(_coopc_links STREQUAL "0")
  set(COOPC_LAYERS_ENFORCED ON)
else()
  set(COOPC_LAYERS_ENFORCED OFF)
  message(STATUS "includes between rooms are not checked: no symbolic links here (${_coopc_links})")
endif()
file(REMOVE "${COOPC_INCLUDE_ROOTS}/probe")

# coopc_include_root(TARGET PUBLIC|PRIVATE|INTERFACE FOLDERS FOLDER... [EXCEPT ENTRY...]): lets TARGET, and
# with PUBLIC or INTERFACE also what links it, find the headers of these folders of the repository. EXCEPT
# names entries of the folders that belong to another room.
function(coopc_include_root target scope)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "FOLDERS;EXCEPT")
  if(NOT COOPC_LAYERS_ENFORCED)
    target_include_directories(${target} ${scope} "${PROJECT_SOURCE_DIR}")
    return()
  endif()
  set(root "${COOPC_INCLUDE_ROOTS}/${target}")
  foreach(folder IN LISTS arg_FOLDERS)
    set(source "${PROJECT_SOURCE_DIR}/${folder}")
    cmake_path(GET folder PARENT_PATH parent)
    file(MAKE_DIRECTORY "${root}/${parent}")
    if(NOT arg_EXCEPT)
      file(CREATE_LINK "${source}" "${root}/${folder}" SYMBOLIC)
      continue()
    endif()
    file(MAKE_DIRECTORY "${root}/${folder}")
    file(GLOB entries CONFIGURE_DEPENDS LIST_DIRECTORIES true RELATIVE "${source}" "${source}/*")
    list(REMOVE_ITEM entries ${arg_EXCEPT})
    foreach(entry IN LISTS entries)
      file(CREATE_LINK "${source}/${entry}" "${root}/${folder}/${entry}" SYMBOLIC)
    endforeach()
  endforeach()
  target_include_directories(${target} ${scope} "${root}")
  # In objects (__FILE__), names of headers have the same form as names of sources: see CoopcOptions.cmake.
  target_compile_options(${target} ${scope} "$<$<COMPILE_LANGUAGE:CXX>:-ffile-prefix-map=${root}/=>")
endfunction()

# COOPC_SMALL: compiles for size in release builds. For code that does not run in a plain compile of a shader
# (docs/building.md).
set(COOPC_SMALL "")
if(CMAKE_CXX_COMPILER_ID MATCHES "GNU|Clang" AND NOT MSVC)
  set(COOPC_SMALL "$<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:-Os>")
endif()

# coopc_small_sources(FILE...): compiles these sources of this folder's targets for size.
function(coopc_small_sources)
  set(sources ${ARGN})
  list(TRANSFORM sources PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/")
  set_property(SOURCE ${sources} APPEND PROPERTY COMPILE_OPTIONS "${COOPC_SMALL}")
endfunction()

# coopc_room(TARGET [PROGRAM] [INTERNAL] [RECURSIVE] [SMALL] FOLDERS FOLDER... [EXCEPT ENTRY...]
#            [SOURCES FILE...] [APART FILE...] [USES LIBRARY...] [PRIVATE_USES LIBRARY...]):
# makes a room of these folders of the repository: a static library, with PROGRAM an executable, without any
# source a library of headers. SOURCES default to all .cpp files of the folders. The room's headers may
# include headers of USES, which are visible to users of the room as well. Its sources may also include
# headers of PRIVATE_USES. INTERNAL: only the room includes its headers (its interface is in include/coopc).
# APART: sources that COOPC_UNITY does not join with others, because their names with internal linkage, macros
# or using-directives are meant for one file. RECURSIVE: COOPC_UNITY joins no sources of the room. Its
# functions recurse over nested texts, and GCC inlines more into them in joined sources, which would make
# their stack frames larger than api/stack.cpp expects. SMALL: the room's code does not run in a plain
# compile, so it is compiled for size (docs/building.md). Lower rooms are declared first. A room that is not
# declared yet cannot be used, so there are no cycles.
function(coopc_room target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "PROGRAM;INTERNAL;RECURSIVE;SMALL" "" "FOLDERS;EXCEPT;SOURCES;APART;USES;PRIVATE_USES")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_FOLDERS)
    message(FATAL_ERROR "coopc_room(${target}): no FOLDERS, or unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  foreach(library IN LISTS arg_USES arg_PRIVATE_USES)
    if(library MATCHES "^coopc" AND NOT TARGET ${library})
      message(FATAL_ERROR "coopc_room(${target}): ${library} is not declared yet; rooms use lower ones only")
    endif()
  endforeach()
  if(NOT arg_SOURCES)
    foreach(folder IN LISTS arg_FOLDERS)
      file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${folder}/*.cpp")
      foreach(entry IN LISTS arg_EXCEPT)
        list(FILTER sources EXCLUDE REGEX "/${folder}/${entry}/")
      endforeach()
      list(APPEND arg_SOURCES ${sources})
    endforeach()
  endif()
  set(except "")
  if(arg_EXCEPT)
    set(except EXCEPT ${arg_EXCEPT})
  endif()
  set(scope PUBLIC)
  if(arg_PROGRAM OR arg_INTERNAL)
    set(scope PRIVATE)
  endif()
  if(arg_PROGRAM)
    add_executable(${target} ${arg_SOURCES})
    coopc_include_root(${target} ${scope} FOLDERS ${arg_FOLDERS} ${except})
    target_link_libraries(${target} PRIVATE ${arg_USES} ${arg_PRIVATE_USES} coopc_options)
  elseif(arg_SOURCES)
    add_library(${target} STATIC ${arg_SOURCES})
    coopc_include_root(${target} ${scope} FOLDERS ${arg_FOLDERS} ${except})
    target_link_libraries(${target} PUBLIC ${arg_USES} PRIVATE ${arg_PRIVATE_USES} coopc_options)
  else()
    add_library(${target} INTERFACE)
    coopc_include_root(${target} INTERFACE FOLDERS ${arg_FOLDERS} ${except})
    target_link_libraries(${target} INTERFACE ${arg_USES})
  endif()
  if(arg_SMALL)
    target_compile_options(${target} PRIVATE ${COOPC_SMALL})
  endif()
  if(COOPC_UNITY AND arg_SOURCES AND NOT arg_RECURSIVE)
    # Batches small enough that two or more processors have work until the end.
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 12)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # A joined source is an included file, so GCC treats its private classes like classes in a header.
      target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>)
    endif()
    foreach(file IN LISTS arg_APART)
      set_source_files_properties("${CMAKE_CURRENT_SOURCE_DIR}/${file}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endforeach()
  endif()
  # Rooms are also linked into plugins and shared libraries, where only declarations with COOPC_API
  # (coopc/export.h) may be visible. Position-independent code costs nothing with hidden symbols: calls and
  # data need no table.
  if(NOT arg_PROGRAM AND arg_SOURCES)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
                                               C_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  endif()
  # For the test of the layering (tests/layers).
  set_property(GLOBAL APPEND PROPERTY COOPC_ROOM_TARGETS ${target})
  if(scope STREQUAL "PUBLIC")
    set_property(GLOBAL APPEND PROPERTY COOPC_ROOM_OPEN ${target})
  endif()
  set_property(GLOBAL PROPERTY COOPC_ROOM_FOLDERS_${target} "${arg_FOLDERS}")
  set_property(GLOBAL PROPERTY COOPC_ROOM_EXCEPT_${target} "${arg_EXCEPT}")
  set_property(GLOBAL PROPERTY COOPC_ROOM_USES_${target} "${arg_USES}")
  set_property(GLOBAL PROPERTY COOPC_ROOM_PRIVATE_USES_${target} "${arg_PRIVATE_USES}")
endfunction()
