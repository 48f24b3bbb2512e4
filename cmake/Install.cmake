# What `cmake --install` puts where, and the package for find_package(coopc):
#
#   coopc::coopc      the library of include/coopc: one archive with all rooms in it, or with BUILD_SHARED_LIBS a shared
#                     library (the rules of core SPIR-V need SPIRV-Tools and stay with coopval)
#   coopc::layout     the library of layout/ by itself: an archive that needs nothing else, headers in include/coopc/layout
#   coopc::translate  translation to other shading languages: an archive with SPIRV-Cross in it, where that was there
#   coopc::compiler   the program coopc
#   coopc_add_shaders (CoopcShaders.cmake)
#
# coopc-glslang, which both run for what is not theirs, goes to libexec/coopc; with COOPC_INSTALL_GLSLC there is a link
# `glslc` beside coopc, for builds that look for a program of that name.
#
# The rooms are separate archives in the build; users get them merged, so that a room is nothing that they depend on.
include(CMakePackageConfigHelpers)

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

# coopc_bundle(NAME LIBRARY...): installs libNAME.a, with all that is in these archives.
function(coopc_bundle name)
  set(bundle "${PROJECT_BINARY_DIR}/bundle/lib${name}.a")
  set(merge "${PROJECT_BINARY_DIR}/bundle/${name}.mri")
  set(script "CREATE ${bundle}\n")
  foreach(archive IN LISTS ARGN)
    string(APPEND script "ADDLIB $<TARGET_FILE:${archive}>\n")
  endforeach()
  string(APPEND script "SAVE\nEND\n")
  file(GENERATE OUTPUT "${merge}" CONTENT "${script}")
  add_custom_command(OUTPUT "${bundle}" COMMAND "${CMAKE_AR}" -M < "${merge}" DEPENDS ${ARGN} "${merge}"
    COMMENT "Merging the rooms into lib${name}.a" VERBATIM)
  add_custom_target(${name}_bundle ALL DEPENDS "${bundle}")
  install(FILES "${bundle}" DESTINATION "${CMAKE_INSTALL_LIBDIR}")
endfunction()

# The rooms that are the library's surface: what is marked COOPC_API in them is exported.
set(COOPC_LIBRARY_PARTS coopc_api)
foreach(part IN ITEMS coopc_validator coopc_reflect coopc_lower_api coopc_profile)
  if(TARGET ${part})
    list(APPEND COOPC_LIBRARY_PARTS ${part})
  endif()
endforeach()

if(BUILD_SHARED_LIBS)
  # Only the rooms of the surface are compiled otherwise than for the static library.
  foreach(part IN LISTS COOPC_LIBRARY_PARTS)
    target_compile_definitions(${part} PRIVATE COOPC_BUILDS_SHARED_LIBRARY)
  endforeach()
  list(JOIN COOPC_LIBRARY_PARTS "," parts)
  set(map "${PROJECT_SOURCE_DIR}/cmake/coopc.map")
  file(WRITE "${PROJECT_BINARY_DIR}/bundle/shared.cpp" "")
  add_library(coopc_shared SHARED "${PROJECT_BINARY_DIR}/bundle/shared.cpp")
  target_link_libraries(coopc_shared PRIVATE "$<LINK_LIBRARY:WHOLE_ARCHIVE,${parts}>" Threads::Threads)
  target_link_options(coopc_shared PRIVATE "LINKER:--version-script=${map}" LINKER:--no-undefined LINKER:--gc-sections)
  # Also where one of them is what another one links.
  set_property(TARGET coopc_shared PROPERTY LINK_LIBRARY_OVERRIDE "WHOLE_ARCHIVE,${parts}")
  set_target_properties(coopc_shared PROPERTIES OUTPUT_NAME coopc VERSION "${PROJECT_VERSION}" LINK_DEPENDS "${map}"
    SOVERSION "${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}")
  install(TARGETS coopc_shared LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
else()
  set(archives "")
  foreach(part IN LISTS COOPC_LIBRARY_PARTS)
    coopc_collect_archives(${part} more)
    list(APPEND archives ${more})
  endforeach()
  list(REMOVE_DUPLICATES archives)
  coopc_bundle(coopc ${archives})
endif()
if(TARGET coopc_translate)
  coopc_collect_archives(coopc_translate archives)
  coopc_bundle(coopc-translate ${archives} ${COOPC_SPIRV_CROSS_LIBRARIES})
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/coopc" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")

# layout/ stands by itself. Its headers name one another by their place beside each other, here as there.
set_target_properties(coopc_layout PROPERTIES OUTPUT_NAME coopc-layout)
install(TARGETS coopc_layout ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/layout/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/coopc/layout"
        FILES_MATCHING PATTERN "*.hpp" PATTERN "rules.def" PATTERN "devices" EXCLUDE)

# What a program links that has no C++ compiler to add it: the C++ run-time library, of this build's compiler.
set(COOPC_RUNTIME_LIBRARIES ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES})
list(REMOVE_ITEM COOPC_RUNTIME_LIBRARIES gcc gcc_s c)
list(REMOVE_DUPLICATES COOPC_RUNTIME_LIBRARIES)
list(TRANSFORM COOPC_RUNTIME_LIBRARIES PREPEND "-l" OUTPUT_VARIABLE runtime)
list(JOIN runtime " " COOPC_PC_RUNTIME)
if(BUILD_SHARED_LIBS)
  set(COOPC_PC_LIBS "-lcoopc")
  set(COOPC_PC_PRIVATE "")
else()
  set(COOPC_PC_LIBS "-lcoopc ${COOPC_PC_RUNTIME} -pthread")
  set(COOPC_PC_PRIVATE "")
endif()
# Where the package is, pkg-config knows: it may be moved.
file(RELATIVE_PATH COOPC_PC_PREFIX "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
configure_file("${PROJECT_SOURCE_DIR}/cmake/coopc.pc.in" "${PROJECT_BINARY_DIR}/coopc.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/coopc.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

# Components of the package, and why one is not there.
set(COOPC_COMPONENT_MISSING_validator "it was built without nlohmann-json (./setup nlohmann_json)")
set(COOPC_COMPONENT_MISSING_reflect "it was built without nlohmann-json (./setup nlohmann_json)")
set(COOPC_COMPONENT_MISSING_lower "it was built without nlohmann-json (./setup nlohmann_json)")
set(COOPC_COMPONENT_MISSING_translate "it was built without SPIRV-Cross (./setup spirv_cross)")
set(COOPC_COMPONENTS compiler layout)
foreach(pair IN ITEMS "validator coopc_validator" "reflect coopc_reflect" "lower coopc_lower_api" "translate coopc_translate")
  separate_arguments(pair)
  list(GET pair 0 component)
  list(GET pair 1 target)
  if(TARGET ${target})
    list(APPEND COOPC_COMPONENTS ${component})
  endif()
endforeach()

set(package "${CMAKE_INSTALL_LIBDIR}/cmake/coopc")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/coopcConfig.cmake.in" "${PROJECT_BINARY_DIR}/coopcConfig.cmake"
  INSTALL_DESTINATION "${package}" PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_BINDIR CMAKE_INSTALL_LIBEXECDIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/coopcConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/coopcConfig.cmake" "${PROJECT_BINARY_DIR}/coopcConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/CoopcShaders.cmake" DESTINATION "${package}")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/README.md" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
# What the README points to; the samples run with the installed cooprun.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" "${PROJECT_SOURCE_DIR}/shaders" DESTINATION "${CMAKE_INSTALL_DOCDIR}")

option(COOPC_INSTALL_GLSLC "Install a link glslc to coopc beside it" OFF)
if(COOPC_INSTALL_GLSLC AND TARGET coopc)
  install(CODE "file(CREATE_LINK coopc \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/glslc\" SYMBOLIC)")
endif()
