# Tries find_package(coopc) with the build folder's programs in PATH. It must not find the configuration that
# is made for installing.
#   cmake -DPROGRAMS=FOLDER -P build_folder.cmake
cmake_minimum_required(VERSION 3.20)
set(ENV{PATH} "${PROGRAMS}:$ENV{PATH}")
find_package(coopc CONFIG QUIET)
get_filename_component(_build "${PROGRAMS}" DIRECTORY)
if("${coopc_DIR}" MATCHES "^${_build}")
  message(FATAL_ERROR "find_package(coopc) finds ${coopc_DIR}")
endif()
