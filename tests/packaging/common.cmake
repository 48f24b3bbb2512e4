# Functions shared by the scripts of these tests, which CTest runs with -P; see CMakeLists.txt.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${ARGV}\nended with ${code}:\n${output}")
  endif()
  set(run_output "${output}" PARENT_SCOPE)
endfunction()

# configure(FOLDER ARGUMENT...): configures SOURCE in a fresh FOLDER, with the build's compilers.
function(configure folder)
  file(REMOVE_RECURSE "${folder}")
  run("${CMAKE_COMMAND}" -S "${SOURCE}" -B "${folder}" -G "${GENERATOR}" "-DCMAKE_PREFIX_PATH=${PREFIX}"
      "-DCMAKE_C_COMPILER=${C}" "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_C_FLAGS=${FLAGS}" "-DCMAKE_CXX_FLAGS=${FLAGS}"
      "-DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}" ${ARGN})
  set(run_output "${run_output}" PARENT_SCOPE)
endfunction()

function(expect_module file)
  if(NOT EXISTS "${file}")
    message(FATAL_ERROR "${file} is not there")
  endif()
  file(READ "${file}" magic LIMIT 4 HEX)
  if(NOT magic STREQUAL "03022307")
    message(FATAL_ERROR "${file} starts with ${magic}")
  endif()
endfunction()
