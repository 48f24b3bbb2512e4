# Writes the grammar's tables and the views of instructions from the headers, and compares them with those that are checked in.
execute_process(COMMAND "${GENERATE}" "${HEADERS}/spirv.core.grammar.json" "${HEADERS}/extinst.glsl.std.450.grammar.json"
  "${OUT}/tables.inc" "${OUT}/instructions.inc" COMMAND_ERROR_IS_FATAL ANY)
foreach(_file tables.inc instructions.inc)
  execute_process(COMMAND "${CMAKE_COMMAND}" -E compare_files "${OUT}/${_file}" "${CHECKED_IN}/${_file}" COMMAND_ERROR_IS_FATAL ANY)
endforeach()
