# Regenerates the grammar's tables and the views of instructions from the headers, and compares them with the
# checked-in files.
include("${CMAKE_CURRENT_LIST_DIR}/../../spirv/grammar/generate.cmake")
foreach(_file tables.inc instructions.inc)
  execute_process(COMMAND "${CMAKE_COMMAND}" -E compare_files "${OUT}/${_file}" "${CHECKED_IN}/${_file}" COMMAND_ERROR_IS_FATAL ANY)
endforeach()
