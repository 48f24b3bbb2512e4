# Archives and Debian packages by CPack, in the build folder:
#
#   cmake --preset package && cmake --build --preset package
#   cpack -G TGZ      coopc-VERSION-SYSTEM.tar.gz: all of `cmake --install`
#   cpack -G DEB      coopc (the programs), libcoopcX.Y (the shared library), libcoopc-dev (headers, archive,
#                     CMake, pkg-config), coopc-vulkan-layer (the layer with its implicit manifest, which is off
#                     until a variable turns it on)
#
# Times in the packages are SOURCE_DATE_EPOCH if that is set: two builds of the same sources then give the
# same files.
set(CPACK_PACKAGE_NAME coopc)
set(CPACK_PACKAGE_VENDOR "coopc")
# Nobody reads mail to this address. Whoever distributes packages sets the variable (SECURITY.md), for example
# with -DCPACK_PACKAGE_CONTACT="NAME <ADDRESS>".
set(_placeholder "The coopc maintainers <maintainers@coopc.example>")
if(NOT CPACK_PACKAGE_CONTACT)
  set(CPACK_PACKAGE_CONTACT "${_placeholder}")
endif()
if(COOPC_HARDEN AND CPACK_PACKAGE_CONTACT STREQUAL _placeholder)
  message(WARNING "CPACK_PACKAGE_CONTACT is a placeholder: packages for others need an address for reports of security defects (SECURITY.md)")
endif()
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_GENERATOR TGZ)
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS "${PROJECT_SOURCE_DIR}/cmake/PackageModes.cmake")
set(CPACK_VERBATIM_VARIABLES ON)
set(CPACK_COMPONENTS_ALL tools library development)
if(TARGET VkLayer_COOPC_cooperative_matrix)
  list(APPEND CPACK_COMPONENTS_ALL layer)
endif()
string(TOLOWER "${CMAKE_SYSTEM_NAME}-${CMAKE_SYSTEM_PROCESSOR}" _system)
set(CPACK_PACKAGE_FILE_NAME "coopc-${PROJECT_VERSION}-${_system}")

set(_soversion "${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}")
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME coopc)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME "libcoopc${_soversion}")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_RECOMMENDS coopc)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libcoopc-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libcoopc${_soversion} (= ${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE})")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS coopc)
set(CPACK_DEBIAN_LAYER_PACKAGE_NAME coopc-vulkan-layer)
set(CPACK_DEBIAN_LAYER_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LAYER_PACKAGE_RECOMMENDS libvulkan1)
set(_about "coopc turns GLSL with cooperative matrices and tensor addressing into\nSPIR-V, checks modules, reflects them, and lowers them for devices that\nlack what they use.\n\n")
set(CPACK_COMPONENT_TOOLS_DESCRIPTION "${_about}These are the programs.")
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "${_about}This is the shared library.")
set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "${_about}These are the headers, the archive, and what CMake and pkg-config need.")

set(CPACK_COMPONENT_LAYER_DESCRIPTION "Gives VK_KHR_cooperative_matrix and VK_NV_cooperative_matrix2 to devices that\nlack them, for programs as they are, by rewriting shaders. It is off until\nCOOPC_COOPERATIVE_MATRIX_LAYER=1 is in the environment.")

# coopc_material(ENTRIES PATH): adds to _materials what deps.lock says about the entry (one of several, A|B)
# whose folder in the cache contains PATH. For a library that is not from the cache, adds only its name.
function(coopc_material entries path)
  string(REGEX REPLACE "[|].*" "" name "${entries}")
  set(material "${name},NOASSERTION,NOASSERTION,NOASSERTION,-")
  foreach(line IN LISTS _coopc_lock)
    if(line MATCHES "^(${entries}) +([^ ]+) +([^ ]+) +([^ ]+) +[^ ]+ +([^ ]+) +([^, ]+)")
      set(found "${CMAKE_MATCH_6},${CMAKE_MATCH_4},${CMAKE_MATCH_3},${CMAKE_MATCH_2},${CMAKE_MATCH_5}")
      string(FIND "${path}" "/${CMAKE_MATCH_1}/${CMAKE_MATCH_4}-" at)
      if(NOT at EQUAL -1)
        set(material "${found}")
      endif()
    endif()
  endforeach()
  set(_materials "${_materials};${material}" PARENT_SCOPE)
endfunction()

# Files that Debian requires in each package: its license and its changelogs, compressed.
find_program(_gzip gzip)
mark_as_advanced(_gzip)
if(_gzip AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
  set(_debian "${PROJECT_BINARY_DIR}/debian")
  file(MAKE_DIRECTORY "${_debian}")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/CHANGELOG.md")
  execute_process(COMMAND "${_gzip}" -9nc "${PROJECT_SOURCE_DIR}/CHANGELOG.md" OUTPUT_FILE "${_debian}/changelog.gz" COMMAND_ERROR_IS_FATAL ANY)
  file(WRITE "${_debian}/changelog.Debian" "coopc (${PROJECT_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium

  * As CHANGELOG.md of the sources says.

 -- ${CPACK_PACKAGE_CONTACT}  Sun, 22 Nov 2026 00:00:00 +0000
")
  execute_process(COMMAND "${_gzip}" -9nkf "${_debian}/changelog.Debian" COMMAND_ERROR_IS_FATAL ANY)
  file(WRITE "${_debian}/copyright" "coopc

Copyright: 2026 The coopc maintainers
License: Apache-2.0

On Debian systems, the text of the licence is in /usr/share/common-licenses/Apache-2.0.
")
  foreach(pair IN ITEMS tools=coopc "library=libcoopc${_soversion}" development=libcoopc-dev layer=coopc-vulkan-layer)
    string(REPLACE "=" ";" pair "${pair}")
    list(GET pair 0 component)
    list(GET pair 1 package)
    if(NOT component IN_LIST CPACK_COMPONENTS_ALL)
      continue()
    endif()
    install(FILES "${_debian}/changelog.gz" "${_debian}/changelog.Debian.gz" "${_debian}/copyright"
            DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${package}" COMPONENT ${component})
  endforeach()
  # The dynamic loader's cache must be updated with the library.
  file(WRITE "${_debian}/triggers" "activate-noawait ldconfig\n")
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA "${_debian}/triggers")
  # coopc is static on purpose: the dynamic loader costs more than a small compile.
  file(WRITE "${_debian}/coopc" "coopc: statically-linked-binary [usr/bin/coopc]\n")
  install(FILES "${_debian}/coopc" DESTINATION "${CMAKE_INSTALL_DATADIR}/lintian/overrides" COMPONENT tools)
  # Debian requires compressed manual pages as well.
  list(APPEND CPACK_PRE_BUILD_SCRIPTS "${_debian}/manuals.cmake")
  file(CONFIGURE OUTPUT "${_debian}/manuals.cmake" @ONLY CONTENT [[
file(GLOB_RECURSE pages "${CPACK_TEMPORARY_DIRECTORY}/*.1")
list(FILTER pages INCLUDE REGEX "/man1/")
foreach(page IN LISTS pages)
  execute_process(COMMAND "@_gzip@" -9nf "${page}" COMMAND_ERROR_IS_FATAL ANY)
endforeach()
]])
endif()
# Each package has a bill of materials of the files that CPack has installed and of the libraries that
# deps.lock lists for them. Its script is the last one, because it takes the checksums of the files.
set(_materials "")
foreach(_pair IN ITEMS spirv_headers=COOPC_SPIRV_HEADERS_DIR vulkan_headers=COOPC_VULKAN_HEADERS_DIR nlohmann_json=COOPC_NLOHMANN_JSON_DIR
                       tomlplusplus=COOPC_TOMLPLUSPLUS_DIR)
  string(REPLACE "=" ";" _pair "${_pair}")
  list(GET _pair 0 _entry)
  list(GET _pair 1 _variable)
  if(${_variable})
    coopc_material("${_entry}" "${${_variable}}")
  endif()
endforeach()
if(TARGET coopc::spirv_tools)
  get_target_property(_library coopc::spirv_tools IMPORTED_LOCATION)
  coopc_material("spirv_tools|spirv_tools_source" "${_library}")
endif()
if(TARGET glslang::glslang)
  coopc_material(glslang "${glslang_DIR}")
endif()
if(TARGET coopc_spirv_cross)
  coopc_material(spirv_cross "${spirv_cross_core_DIR}")
endif()
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/package_materials.cmake" @ONLY CONTENT [[
set(COOPC_MATERIALS "@_materials@")
set(COOPC_VERSION "@PROJECT_VERSION@")
include("@PROJECT_SOURCE_DIR@/cmake/PackageMaterials.cmake")
]])
list(APPEND CPACK_PRE_BUILD_SCRIPTS "${PROJECT_BINARY_DIR}/package_materials.cmake")
if(NOT COOPC_HARDEN)
  message(VERBOSE "packages of this build are for tests: the preset `package` has the hardening flags")
endif()
include(CPack)
