# The shared library on Windows. Programs that are linked by its import library write the same words as the
# program coopc. The library exports the C interface and the C++ interface and nothing else, and needs only
# the libraries of the system.
include("${CMAKE_CURRENT_LIST_DIR}/../packaging/common.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/../packaging/exported_symbols.cmake")

foreach(shader IN ITEMS gemm_subgroup load_patch)
  set(module "${SCRATCH}/${shader}.spv")
  set(words "${SCRATCH}/${shader}_dll.spv")
  file(REMOVE "${module}" "${words}")
  run("${COMPILER}" --target-env=vulkan1.3 -O "${SHADERS}/${shader}.comp" -o "${module}")
  run("${WRITE_MODULE}" "${SHADERS}/${shader}.comp" "${words}")
  expect_module("${words}")
  run("${CMAKE_COMMAND}" -E compare_files "${module}" "${words}")
  # The example compiles with the same options, validates and reflects.
  run("${EXAMPLE}" "${SHADERS}/${shader}.comp")
  file(SIZE "${module}" size)
  math(EXPR count "${size} / 4")
  if(NOT run_output MATCHES "(^|\n)${count} words\r?\nset 0 binding 0\r?\n")
    message(FATAL_ERROR "${count} words and bindings were expected:\n${run_output}")
  endif()
endforeach()

run("${OBJDUMP}" -p "${DLL}")
string(REGEX REPLACE "^.*\\[Ordinal/Name Pointer\\] Table" "" exports "${run_output}")
string(REGEX MATCHALL "\n\t\\[ *[0-9]+\\] [^ \n]+" lines "${exports}")
list(TRANSFORM lines REPLACE "^.*\\] " "")
expect_exports("${lines}" "${SYMBOLS}")

string(REGEX MATCHALL "DLL Name: [^\r\n]+" needed "${run_output}")
foreach(line IN LISTS needed)
  if(NOT line MATCHES "DLL Name: (KERNEL32|msvcrt|USER32|ADVAPI32|SHELL32)\\.dll$")
    message(FATAL_ERROR "it needs more than the system has: ${needed}")
  endif()
endforeach()
message(STATUS "${needed}")
