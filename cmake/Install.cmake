# What `cmake --install` puts where, and the package for find_package(coopc):
#
#   coopc::coopc      the library of include/coopc: one archive with all rooms in it (the rules of core SPIR-V need
#                     SPIRV-Tools and stay with coopval)
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

if(TARGET coopc_api)
  coopc_collect_archives(coopc_api archives)
  foreach(part IN ITEMS coopc_validator coopc_reflect coopc_lower_api)
    if(TARGET ${part})
      coopc_collect_archives(${part} more)
      list(APPEND archives ${more})
    endif()
  endforeach()
  list(REMOVE_DUPLICATES archives)
  set(bundle "${PROJECT_BINARY_DIR}/bundle/libcoopc.a")
  set(script "CREATE ${bundle}\n")
  foreach(archive IN LISTS archives)
    string(APPEND script "ADDLIB $<TARGET_FILE:${archive}>\n")
  endforeach()
  string(APPEND script "SAVE\nEND\n")
  file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/bundle/merge.mri" CONTENT "${script}")
  add_custom_command(OUTPUT "${bundle}" COMMAND "${CMAKE_AR}" -M < "${PROJECT_BINARY_DIR}/bundle/merge.mri"
    DEPENDS ${archives} "${PROJECT_BINARY_DIR}/bundle/merge.mri" COMMENT "Merging the rooms into libcoopc.a" VERBATIM)
  add_custom_target(coopc_bundle ALL DEPENDS "${bundle}")
  install(FILES "${bundle}" DESTINATION "${CMAKE_INSTALL_LIBDIR}")
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/coopc" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
endif()

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
