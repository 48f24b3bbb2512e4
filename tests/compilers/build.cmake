# Builds the programs in TARGETS, and nothing else, by another compiler, several sources at a time.
set(options "")
foreach(option IN ITEMS CACHE USE_SYSTEM)
  if(DEFINED ${option} AND NOT "${${option}}" STREQUAL "")
    list(APPEND options "-DCOOPC_${option}=${${option}}")
  endif()
endforeach()
execute_process(
  COMMAND "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${BUILD}" -G "${GENERATOR}" "-DCMAKE_C_COMPILER=${C}"
          "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}" -DCMAKE_BUILD_TYPE=None
          -DCMAKE_CXX_FLAGS=-O0 -DCOOPC_TESTS=OFF -DCOOPC_BENCH=OFF -DCOOPC_UNITY=ON
          -DCOOPC_HARNESS=${HARNESS} ${options}
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${CMAKE_COMMAND}" --build "${BUILD}" --target ${TARGETS} --parallel COMMAND_ERROR_IS_FATAL ANY)
