# The library of include/coopc/ as users link it, made of the rooms:
#
#   libcoopc.a (target coopc_bundle)    the rooms' archives, merged
#   libcoopc.so (target coopc_shared)   built by default with BUILD_SHARED_LIBS, else where it is asked for
#   coopc::coopc                        in this build: the rooms themselves, or the shared library with BUILD_SHARED_LIBS
#   coopc::compiler                     the program coopc, or with COOPC_HOST_TOOLS (a folder) the one there: builds for another
#                                       machine compile shaders with it
#
#   libcoopc-core.a, coopc::core        SPIRV-Tools' part: the rules of core SPIR-V and the assembler, where SPIRV-Tools was there
#
# The installed package has the same targets (Install.cmake, coopcConfig.cmake.in).

# The static libraries of this tree that TARGET links, itself first.
function(coopc_collect_archives target out)
  set(pending ${target})
  set(archives "")
  while(pending)
    list(POP_FRONT pending current)
    if(NOT TARGET ${current} OR current IN_LIST archives)
      continue()
    endif()
    get_target_property(type ${current} TYPE)
    get_target_property(imported ${current} IMPORTED)
    if(imported OR NOT type STREQUAL "STATIC_LIBRARY")
      continue()
    endif()
    list(APPEND archives ${current})
    get_target_property(links ${current} LINK_LIBRARIES)
    if(links)
      list(APPEND pending ${links})
    endif()
  endwhile()
  set(${out} "${archives}" PARENT_SCOPE)
endfunction()

# The rooms that are the library's surface: everything in them that is marked COOPC_API is exported.
set(COOPC_LIBRARY_PARTS coopc_api coopc_validator coopc_reflect coopc_lower_api coopc_profile)
set(archives "")
foreach(part IN LISTS COOPC_LIBRARY_PARTS)
  coopc_collect_archives(${part} more)
  list(APPEND archives ${more})
endforeach()
list(REMOVE_DUPLICATES archives)

# coopc_merge_archives(TARGET NAME OUT ARCHIVE...): TARGET makes libNAME.a, whose path goes to OUT, with all that is in the archives:
# users depend on none of the rooms.
function(coopc_merge_archives target name out)
  set(bundle "${PROJECT_BINARY_DIR}/bundle/lib${name}.a")
  set(merge "${PROJECT_BINARY_DIR}/bundle/${name}.mri")
  set(script "CREATE lib${name}.a\n")
  foreach(archive IN LISTS ARGN)
    string(APPEND script "ADDLIB $<TARGET_FILE:${archive}>\n")
  endforeach()
  string(APPEND script "SAVE\nEND\n")
  # The archives of one configuration; with multi-configuration generators, the first one.
  set(condition "")
  if(CMAKE_CONFIGURATION_TYPES)
    list(GET CMAKE_CONFIGURATION_TYPES 0 first)
    set(condition CONDITION $<CONFIG:${first}>)
  endif()
  file(GENERATE OUTPUT "${merge}" CONTENT "${script}" ${condition})
  set(command "${CMAKE_AR}" -M < "${merge}")
  if(APPLE)  # whose ar reads no scripts
    list(TRANSFORM ARGN REPLACE "^(.+)$" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE files)
    set(command libtool -static -o "${bundle}" ${files})
  endif()
  add_custom_command(OUTPUT "${bundle}" WORKING_DIRECTORY "${PROJECT_BINARY_DIR}/bundle" COMMAND ${command}
    DEPENDS ${ARGN} "${merge}" COMMENT "Merging the rooms into lib${name}.a" VERBATIM)
  set(all "")
  if(PROJECT_IS_TOP_LEVEL)
    set(all ALL)
  endif()
  add_custom_target(${target} ${all} DEPENDS "${bundle}")
  set(${out} "${bundle}" PARENT_SCOPE)
endfunction()
coopc_merge_archives(coopc_bundle coopc COOPC_BUNDLE ${archives})
if(TARGET coopc_validator_core)
  # Includes the rooms that it uses, because the shared library does not export them. A linker only takes from
  # an archive what is still undefined.
  coopc_collect_archives(coopc_validator_core _core)
  coopc_merge_archives(coopc_core_bundle coopc-core COOPC_CORE_BUNDLE ${_core} coopc::spirv_tools ${COOPC_NEWER_RUNTIME})
  add_library(coopc_core_library INTERFACE)
  target_link_libraries(coopc_core_library INTERFACE coopc_validator_core)
  add_library(coopc::core ALIAS coopc_core_library)
endif()
# shaderc's interface, including assembling, so that the linker line is the same in both cases.
set(_shaderc coopc_shaderc)
if(TARGET coopc_validator_core)
  list(APPEND _shaderc coopc_validator_core coopc::spirv_tools ${COOPC_NEWER_RUNTIME})
endif()
coopc_merge_archives(coopc_shaderc_bundle coopc_shaderc COOPC_SHADERC_BUNDLE ${_shaderc})
if(TARGET coopc_translate)
  coopc_collect_archives(coopc_translate _translate)
  list(PREPEND _translate coopc_translate_api)  # what it needs of the compiler is the users' libcoopc
  coopc_merge_archives(coopc_translate_bundle coopc-translate COOPC_TRANSLATE_BUNDLE ${_translate} ${COOPC_SPIRV_CROSS_LIBRARIES}
                       ${COOPC_NEWER_RUNTIME})
endif()

# The shared library: the rooms of the surface compiled once more, with their interface exported, over the archives of the others.
set(map "${PROJECT_SOURCE_DIR}/cmake/coopc.map")
set(excluded EXCLUDE_FROM_ALL)
if(BUILD_SHARED_LIBS)
  set(excluded "")
endif()
add_library(coopc_shared SHARED ${excluded})
foreach(part IN LISTS COOPC_LIBRARY_PARTS)
  get_target_property(sources ${part} SOURCES)
  get_target_property(folder ${part} SOURCE_DIR)
  list(TRANSFORM sources PREPEND "${folder}/" REGEX "^[^/$]")
  list(FILTER sources EXCLUDE REGEX "\\.inc$")  # generated for ${part}
  add_library(${part}_exported OBJECT EXCLUDE_FROM_ALL ${sources})
  add_dependencies(${part}_exported ${part})
  get_target_property(definitions ${part} COMPILE_DEFINITIONS)
  if(definitions)
    target_compile_definitions(${part}_exported PRIVATE ${definitions})
  endif()
  get_target_property(includes ${part} INCLUDE_DIRECTORIES)
  target_include_directories(${part}_exported PRIVATE ${includes})
  get_target_property(options ${part} COMPILE_OPTIONS)
  target_compile_options(${part}_exported PRIVATE ${options})
  get_target_property(links ${part} LINK_LIBRARIES)
  target_link_libraries(${part}_exported PRIVATE ${links})
  target_compile_definitions(${part}_exported PRIVATE COOPC_BUILDS_SHARED_LIBRARY)
  set_target_properties(${part}_exported PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
                                                    VISIBILITY_INLINES_HIDDEN ON)
  target_sources(coopc_shared PRIVATE $<TARGET_OBJECTS:${part}_exported>)
endforeach()
# After the objects, because an archive only supplies what is still undefined.
target_link_libraries(coopc_shared PRIVATE ${archives} Threads::Threads ${CMAKE_DL_LIBS} coopc_options)
if(NOT APPLE AND NOT WIN32)  # hidden symbols are all that keeps others in elsewhere
  target_link_options(coopc_shared PRIVATE "LINKER:--version-script=${map}" LINKER:--no-undefined LINKER:--gc-sections)
endif()
target_compile_features(coopc_shared INTERFACE cxx_std_20)  # the C++ interface
target_include_directories(coopc_shared INTERFACE "${PROJECT_SOURCE_DIR}/include")
set_target_properties(coopc_shared PROPERTIES OUTPUT_NAME coopc LINKER_LANGUAGE CXX VERSION "${PROJECT_VERSION}"
  SOVERSION "${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}" LINK_DEPENDS "${map}" LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bundle"
  RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bundle" ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bundle")  # Windows: DLL, import library

# As in installed packages.
add_library(coopc_library INTERFACE)
target_include_directories(coopc_library INTERFACE "${PROJECT_SOURCE_DIR}/include")
target_compile_features(coopc_library INTERFACE cxx_std_20)
if(BUILD_SHARED_LIBS)
  target_link_libraries(coopc_library INTERFACE coopc_shared)
else()
  target_link_libraries(coopc_library INTERFACE ${COOPC_LIBRARY_PARTS})
endif()
add_library(coopc::coopc ALIAS coopc_library)

set(COOPC_HOST_TOOLS "" CACHE PATH "A folder with a program coopc of this machine, for builds for another one")
if(COOPC_HOST_TOOLS)
  add_executable(coopc_host_compiler IMPORTED GLOBAL)
  set_target_properties(coopc_host_compiler PROPERTIES IMPORTED_LOCATION "${COOPC_HOST_TOOLS}/coopc")
  add_executable(coopc::compiler ALIAS coopc_host_compiler)
else()
  add_executable(coopc::compiler ALIAS coopc)
endif()
include(CoopcShaders)
