# Untested. The sources are the tree that contains this port.
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS
    -DCOOPC_TESTS=OFF
    -DCOOPC_BENCH=OFF
    -DCOOPC_HARNESS=OFF
    "-DCOOPC_SPIRV_HEADERS_DIR=${CURRENT_INSTALLED_DIR}/include"
    "-DCOOPC_CACHE=${CURRENT_BUILDTREES_DIR}/no-cache")
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/coopc)
vcpkg_fixup_pkgconfig()
vcpkg_copy_tools(TOOL_NAMES coopc coopval cooplower cooplayout AUTO_CLEAN)
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
