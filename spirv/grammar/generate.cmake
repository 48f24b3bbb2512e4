# Writes the grammar's tables and the views of instructions from SPIRV-Headers' JSON: GENERATE is the program,
# HEADERS the folder unified1, OUT the folder of both files.
set(_sets "")
foreach(_set IN ITEMS
    OpenCL.std=opencl.std.100 NonSemantic.Shader.DebugInfo=nonsemantic.shader.debuginfo NonSemantic.DebugPrintf=nonsemantic.debugprintf
    NonSemantic.DebugBreak=nonsemantic.debugbreak SPV_AMD_gcn_shader=spv-amd-gcn-shader
    SPV_AMD_shader_ballot=spv-amd-shader-ballot SPV_AMD_shader_trinary_minmax=spv-amd-shader-trinary-minmax
    SPV_AMD_shader_explicit_vertex_parameter=spv-amd-shader-explicit-vertex-parameter)
  string(REGEX REPLACE "=(.*)" "=${HEADERS}/extinst.\\1.grammar.json" _set "${_set}")
  list(APPEND _sets "${_set}")
endforeach()
execute_process(COMMAND "${GENERATE}" "${HEADERS}/spirv.core.grammar.json" "${HEADERS}/extinst.glsl.std.450.grammar.json"
  "${OUT}/tables.inc" "${OUT}/instructions.inc" ${_sets} COMMAND_ERROR_IS_FATAL ANY)
