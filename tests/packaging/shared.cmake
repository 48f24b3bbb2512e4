# Builds and installs the shared library.
include("${CMAKE_CURRENT_LIST_DIR}/common.cmake")
set(build "${SCRATCH}/shared")
configure("${build}" -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=ON -DCOOPC_TESTS=OFF -DCOOPC_BENCH=OFF -DCOOPC_HARNESS=OFF
          "-DCOOPC_CACHE=${CACHE}" "-DCOOPC_USE_SYSTEM=${USE_SYSTEM}")
run("${CMAKE_COMMAND}" --build "${build}")
file(REMOVE_RECURSE "${PREFIX}")
run("${CMAKE_COMMAND}" --install "${build}" --prefix "${PREFIX}")
