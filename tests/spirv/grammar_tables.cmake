# Writes the grammar's tables from the headers, and compares them with those that are checked in.
execute_process(COMMAND "${GENERATE}" "${HEADERS}/spirv.core.grammar.json" "${HEADERS}/extinst.glsl.std.450.grammar.json" "${OUT}"
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND "${CMAKE_COMMAND}" -E compare_files "${OUT}" "${TABLES}" COMMAND_ERROR_IS_FATAL ANY)
