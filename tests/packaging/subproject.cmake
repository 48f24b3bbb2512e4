# Builds coopc's sources as a part of another project by add_subdirectory (FetchContent does the same with a
# folder that it fetched). The project provides the SPIRV-Headers; there is no cache, and system packages are
# not used.
include("${CMAKE_CURRENT_LIST_DIR}/common.cmake")
set(build "${SCRATCH}/subproject")
configure("${build}" "-DCOOPC=${COOPC}" "-DHEADERS=${HEADERS}" "-DCOOPC_CACHE=${SCRATCH}/no_cache" -DCOOPC_USE_SYSTEM=OFF)
run("${CMAKE_COMMAND}" --build "${build}")
run("${build}/use_all")
run("${build}/engine")
run("${build}/coopc/bin/coopc" --version)
# By default, only the compiler is built.
file(GLOB programs RELATIVE "${build}/coopc/bin" "${build}/coopc/bin/*")
if(NOT programs STREQUAL "coopc")
  message(FATAL_ERROR "built by default: ${programs}")
endif()
# Only the files of the project are installed.
file(REMOVE_RECURSE "${build}_prefix")
run("${CMAKE_COMMAND}" --install "${build}" --prefix "${build}_prefix")
file(GLOB_RECURSE installed RELATIVE "${build}_prefix" "${build}_prefix/*")
if(NOT installed STREQUAL "bin/engine")
  message(FATAL_ERROR "installed: ${installed}")
endif()
# Builds for another machine use a compiler that runs on this one.
configure("${build}_host" "-DCOOPC=${COOPC}" "-DHEADERS=${HEADERS}" "-DCOOPC_CACHE=${SCRATCH}/no_cache" -DCOOPC_USE_SYSTEM=OFF
          "-DCOOPC_HOST_TOOLS=${build}/coopc/bin")
run("${CMAKE_COMMAND}" --build "${build}_host" --target engine_shaders_files)
expect_module("${build}_host/shaders/double.comp.spv")
if(EXISTS "${build}_host/coopc/bin/coopc")
  message(FATAL_ERROR "the compiler was built although COOPC_HOST_TOOLS names one")
endif()
