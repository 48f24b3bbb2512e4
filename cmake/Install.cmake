# What `cmake --install` installs, and the package for find_package(coopc): the targets of Library.cmake that
# were built, and coopc_add_shaders (CoopcShaders.cmake). Components: tools, library (the shared one),
# development.
#
#   coopc::layout     the library of layout/ by itself: an archive that needs nothing else, with headers in
#                     include/coopc/layout
#   coopc::core       core validation and assembling: an archive with SPIRV-Tools, if that was found
#   coopc::translate  translation to other shading languages: an archive with SPIRV-Cross, if that was found
#
# coopc-glslang, which the program and the library start for texts that they do not compile themselves, goes
# to libexec/coopc. With COOPC_INSTALL_GLSLC there is a link `glslc` next to coopc, for builds that look for a
# program of that name.
include(CMakePackageConfigHelpers)

foreach(tool IN ITEMS coopc coopval cooplower cooprun cooplayout coopls)
  if(TARGET ${tool})
    install(TARGETS ${tool} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT tools)
  endif()
endforeach()
if(TARGET coopc-glslang)
  install(TARGETS coopc-glslang RUNTIME DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/coopc" COMPONENT tools)
endif()
install(FILES "${COOPC_BUNDLE}" DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development)
if(TARGET coopc_core_bundle)
  install(FILES "${COOPC_CORE_BUNDLE}" DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development)
endif()
if(TARGET coopc_translate_bundle)
  install(FILES "${COOPC_TRANSLATE_BUNDLE}" DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development)
endif()
# Installed if it was built, which is the default with BUILD_SHARED_LIBS.
install(TARGETS coopc_shared LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT library NAMELINK_COMPONENT development OPTIONAL
                             RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT library OPTIONAL
                             ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development OPTIONAL)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/coopc" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT development)
# Tables for vulkan_profile.hpp: the Vulkan structure of each feature, and the names of enumerants.
install(FILES "${PROJECT_SOURCE_DIR}/vulkan/device/feature_structures.def" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/coopc" RENAME vulkan_structures.def
        COMPONENT development)
install(FILES "${PROJECT_SOURCE_DIR}/spirv/vulkan/vulkan_names.def" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/coopc" COMPONENT development)

# shaderc's C interface, for programs that link it in front of the library.
install(FILES "${COOPC_SHADERC_BUNDLE}" DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development)

# layout/ is a separate library. Its headers include one another relative to their own folder, so the includes
# work both here and when installed.
set_target_properties(coopc_layout PROPERTIES OUTPUT_NAME coopc-layout)
install(TARGETS coopc_layout ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/layout/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/coopc/layout"
        COMPONENT development FILES_MATCHING PATTERN "*.hpp" PATTERN "rules.def" PATTERN "devices" EXCLUDE)

# Programs that no C++ compiler links need the C++ run-time library of this build's compiler.
set(COOPC_RUNTIME_LIBRARIES ${CMAKE_CXX_IMPLICIT_LINK_LIBRARIES})
list(REMOVE_ITEM COOPC_RUNTIME_LIBRARIES gcc gcc_s c)
list(REMOVE_DUPLICATES COOPC_RUNTIME_LIBRARIES)
list(TRANSFORM COOPC_RUNTIME_LIBRARIES PREPEND "-l" OUTPUT_VARIABLE runtime)
list(JOIN runtime " " COOPC_PC_RUNTIME)
# coopc_kept_inside(OUT ARCHIVE): the linker option that _coopc_keep_inside in coopcConfig.cmake.in sets.
function(coopc_kept_inside out archive)
  set(${out} "" PARENT_SCOPE)
  if(CMAKE_SYSTEM_NAME MATCHES "Linux|BSD")
    set(${out} "-Wl,--exclude-libs,${archive}" PARENT_SCOPE)
  endif()
endfunction()
coopc_kept_inside(inside libcoopc.a)
# The libraries that the archive needs. With BUILD_SHARED_LIBS, `pkg-config --static` adds them.
set(COOPC_PC_LIBS "-lcoopc ${COOPC_PC_RUNTIME} -pthread ${inside}")
set(COOPC_PC_PRIVATE "")
if(BUILD_SHARED_LIBS)
  set(COOPC_PC_LIBS "-lcoopc")
  set(COOPC_PC_PRIVATE "${COOPC_PC_RUNTIME} -pthread")
endif()
# pkg-config finds the prefix relative to its file, so the package may be moved.
file(RELATIVE_PATH COOPC_PC_PREFIX "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig" "${CMAKE_INSTALL_PREFIX}")
configure_file("${PROJECT_SOURCE_DIR}/cmake/coopc.pc.in" "${PROJECT_BINARY_DIR}/coopc.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/coopc.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT development)
# coopc_part_pc(NAME DESCRIPTION [REQUIRES PACKAGE]): writes the pkg-config file of the archive libNAME.a. The
# file names the C++ runtime, because the shared libcoopc, which it links, does not.
function(coopc_part_pc COOPC_PART COOPC_PART_DESCRIPTION)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "REQUIRES" "")
  set(COOPC_PART_REQUIRES "${arg_REQUIRES}")
  coopc_kept_inside(COOPC_PART_INSIDE "lib${COOPC_PART}.a")
  configure_file("${PROJECT_SOURCE_DIR}/cmake/part.pc.in" "${PROJECT_BINARY_DIR}/${COOPC_PART}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${COOPC_PART}.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig" COMPONENT development)
endfunction()
coopc_part_pc(coopc-layout "Layouts of cooperative matrices and tensors")
coopc_part_pc(coopc_shaderc "shaderc's C interface over libcoopc" REQUIRES "coopc = ${PROJECT_VERSION}")
if(TARGET coopc_core_bundle)
  coopc_part_pc(coopc-core "Validation of core SPIR-V, and an assembler" REQUIRES "coopc = ${PROJECT_VERSION}")
endif()
if(TARGET coopc_translate_bundle)
  coopc_part_pc(coopc-translate "SPIR-V modules as GLSL, HLSL and MSL" REQUIRES "coopc = ${PROJECT_VERSION}")
endif()

set(package "${CMAKE_INSTALL_LIBDIR}/cmake/coopc")
# Its paths are those of an installation. Therefore it is in a folder that find_package() does not search even
# if the build folder's programs are in PATH.
set(_config "${PROJECT_BINARY_DIR}/to_install")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/coopcConfig.cmake.in" "${_config}/coopcConfig.cmake"
  INSTALL_DESTINATION "${package}" PATH_VARS CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_BINDIR CMAKE_INSTALL_LIBEXECDIR)
write_basic_package_version_file("${_config}/coopcConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
file(REMOVE "${PROJECT_BINARY_DIR}/coopcConfig.cmake" "${PROJECT_BINARY_DIR}/coopcConfigVersion.cmake")  # left in older build folders
install(FILES "${_config}/coopcConfig.cmake" "${_config}/coopcConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/CoopcShaders.cmake" DESTINATION "${package}" COMPONENT development)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/CHANGELOG.md" "${PROJECT_SOURCE_DIR}/SECURITY.md" DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT tools)
# The files to which the README refers. The installed cooprun can run these samples.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" "${PROJECT_SOURCE_DIR}/shaders" DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT tools)
install(FILES "${PROJECT_SOURCE_DIR}/tests/page/pictures/tensor-slice.png" DESTINATION "${CMAKE_INSTALL_DOCDIR}/tests/page/pictures" COMPONENT tools)

# Manual pages and completions (tools/manual).
if(TARGET coopc_manual)
  set(_manual "${PROJECT_BINARY_DIR}/manual")
  install(DIRECTORY "${_manual}/man/" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT tools)
  install(DIRECTORY "${_manual}/bash/" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" COMPONENT tools)
  install(DIRECTORY "${_manual}/zsh/" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions" COMPONENT tools)
  install(DIRECTORY "${_manual}/fish/" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d" COMPONENT tools)
endif()

option(COOPC_INSTALL_GLSLC "Install a link glslc to coopc beside it" OFF)
if(COOPC_INSTALL_GLSLC AND TARGET coopc)
  install(CODE "file(CREATE_LINK coopc \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/glslc\" SYMBOLIC)" COMPONENT tools)
endif()

option(COOPC_INSTALL_GLSLANG "Install links glslangValidator and glslang to coopc beside it" OFF)
if(COOPC_INSTALL_GLSLANG AND TARGET coopc)
  foreach(_name IN ITEMS glslangValidator glslang)
    install(CODE "file(CREATE_LINK coopc \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/${_name}\" SYMBOLIC)" COMPONENT tools)
  endforeach()
endif()

if(PROJECT_IS_TOP_LEVEL)
  include(Packages)
endif()
