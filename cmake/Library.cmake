# The library of include/coopc/ as users link it, made of the rooms:
#
#   libcoopc.a (target coopc_bundle)    the rooms' archives, merged
#   libcoopc.so (target coopc_shared)   built by default with BUILD_SHARED_LIBS, else on request
#   coopc::coopc                        in this build: the rooms themselves, or the shared library with
#                                       BUILD_SHARED_LIBS
#   coopc::compiler                     the program coopc; or, with COOPC_HOST_TOOLS (a folder), the coopc
#                                       there, which compiles the shaders in builds for another machine
#
#   libcoopc-core.a, coopc::core        the part that needs SPIRV-Tools: the rules of core SPIR-V and the
#                                       assembler, if SPIRV-Tools was found
#
# The installed package has the same targets (Install.cmake, coopcConfig.cmake.in).

# coopc_collect_archives(TARGET OUT): the static libraries of this tree that TARGET links, itself first.
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

# The rooms whose COOPC_API declarations are the library's interface: all of these are exported.
set(COOPC_LIBRARY_PARTS coopc_api coopc_validator coopc_reflect coopc_lower_api coopc_profile)
set(archives "")
foreach(part IN LISTS COOPC_LIBRARY_PARTS)
  coopc_collect_archives(${part} more)
  list(APPEND archives ${more})
endforeach()
list(REMOVE_DUPLICATES archives)

# coopc_merge_archives(TARGET NAME OUT ARCHIVE...): TARGET makes libNAME.a from the contents of the archives,
# so that users need none of the rooms. OUT gets its path.
function(coopc_merge_archives target name out)
  set(bundle "${PROJECT_BINARY_DIR}/bundle/lib${name}.a")
  set(merge "${PROJECT_BINARY_DIR}/bundle/${name}.mri")
  set(script "CREATE lib${name}.a\n")
  foreach(archive IN LISTS ARGN)
    string(APPEND script "ADDLIB $<TARGET_FILE:${archive}>\n")
  endforeach()
  string(APPEND script "SAVE\nEND\n")
  # The archives of one configuration. With multi-configuration generators, it is the first one.
  set(condition "")
  if(CMAKE_CONFIGURATION_TYPES)
    list(GET CMAKE_CONFIGURATION_TYPES 0 first)
    set(condition CONDITION $<CONFIG:${first}>)
  endif()
  file(GENERATE OUTPUT "${merge}" CONTENT "${script}" ${condition})
  set(command "${CMAKE_AR}" -M < "${merge}")
  if(APPLE)  # its ar does not support scripts
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
  # Contains the rooms that it uses, because the shared library does not export them. If the program already
  # has them, the linker takes none from this archive.
  coopc_collect_archives(coopc_validator_core _core)
  coopc_merge_archives(coopc_core_bundle coopc-core COOPC_CORE_BUNDLE ${_core} coopc::spirv_tools ${COOPC_NEWER_RUNTIME})
  add_library(coopc_core_library INTERFACE)
  target_link_libraries(coopc_core_library INTERFACE coopc_validator_core)
  add_library(coopc::core ALIAS coopc_core_library)
endif()
# shaderc's interface. It contains assembling, so that the linker line does not depend on whether SPIRV-Tools
# was found.
set(_shaderc coopc_shaderc)
if(TARGET coopc_validator_core)
  list(APPEND _shaderc coopc_validator_core coopc::spirv_tools ${COOPC_NEWER_RUNTIME})
endif()
coopc_merge_archives(coopc_shaderc_bundle coopc_shaderc COOPC_SHADERC_BUNDLE ${_shaderc})
if(TARGET coopc_translate)
  coopc_collect_archives(coopc_translate _translate)
  list(PREPEND _translate coopc_translate_api)  # its references to the compiler are resolved by the user's libcoopc
  coopc_merge_archives(coopc_translate_bundle coopc-translate COOPC_TRANSLATE_BUNDLE ${_translate} ${COOPC_SPIRV_CROSS_LIBRARIES}
                       ${COOPC_NEWER_RUNTIME})
endif()

# Tables that coopc/vulkan_profile.hpp includes, under the names that they have when installed.
set(COOPC_TABLES "${PROJECT_BINARY_DIR}/tables")
configure_file("${PROJECT_SOURCE_DIR}/vulkan/device/feature_structures.def" "${COOPC_TABLES}/coopc/vulkan_structures.def" COPYONLY)
configure_file("${PROJECT_SOURCE_DIR}/spirv/vulkan/vulkan_names.def" "${COOPC_TABLES}/coopc/vulkan_names.def" COPYONLY)

# The shared library: the surface's rooms, compiled again with their interface exported, and the archives of
# the other rooms.
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
  list(FILTER sources EXCLUDE REGEX "\\.inc$")  # generated for ${part}, where they are included
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
# Follows the objects, because an archive only supplies what is still undefined.
target_link_libraries(coopc_shared PRIVATE ${archives} Threads::Threads ${CMAKE_DL_LIBS} coopc_options)
if(NOT APPLE AND NOT WIN32)  # elsewhere, only their visibility hides symbols
  target_link_options(coopc_shared PRIVATE "LINKER:--version-script=${map}" LINKER:--no-undefined LINKER:--gc-sections)
endif()
target_compile_features(coopc_shared INTERFACE cxx_std_20)  # the C++ interface
target_include_directories(coopc_shared INTERFACE "${PROJECT_SOURCE_DIR}/include" "${COOPC_TABLES}")
set_target_properties(coopc_shared PROPERTIES OUTPUT_NAME coopc LINKER_LANGUAGE CXX VERSION "${PROJECT_VERSION}"
  SOVERSION "${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}" LINK_DEPENDS "${map}" LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bundle"
  RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bundle" ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bundle")  # Windows: DLL, import library

# The same target as in installed packages.
add_library(coopc_library INTERFACE)
target_include_directories(coopc_library INTERFACE "${PROJECT_SOURCE_DIR}/include" "${COOPC_TABLES}")
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
