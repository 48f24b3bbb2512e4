# For projects that compile shaders with coopc:
#
#   find_package(coopc REQUIRED)
#   coopc_add_shaders(TARGET
#     SOURCES    a.comp b.comp          relative to the current source folder
#     OPTIONS    -O --target-env=vulkan1.3
#     OUTPUT_DIRECTORY folder           default: ${CMAKE_CURRENT_BINARY_DIR}/shaders
#     DEPENDS    generated.glsl)        optional, beyond the includes
#
# makes a target that compiles each SOURCE to OUTPUT_DIRECTORY/SOURCE.spv, again whenever it, a file that it includes
# (from the dependency file that coopc writes) or the compiler changes. The property COOPC_SPIRV of TARGET lists the modules.
function(coopc_add_shaders target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "OUTPUT_DIRECTORY" "SOURCES;OPTIONS;DEPENDS")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "coopc_add_shaders(${target}): unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_SOURCES)
    message(FATAL_ERROR "coopc_add_shaders(${target}): no SOURCES")
  endif()
  if(NOT arg_OUTPUT_DIRECTORY)
    set(arg_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/shaders")
  endif()
  set(compiler coopc)
  if(TARGET coopc::compiler)
    set(compiler coopc::compiler)
  endif()
  set(modules "")
  foreach(source IN LISTS arg_SOURCES)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE OUTPUT_VARIABLE input)
    cmake_path(RELATIVE_PATH input BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" OUTPUT_VARIABLE name)
    if(name MATCHES "^\\.\\.")
      cmake_path(GET input FILENAME name)
    endif()
    set(module "${arg_OUTPUT_DIRECTORY}/${name}.spv")
    cmake_path(GET module PARENT_PATH folder)
    file(MAKE_DIRECTORY "${folder}")
    add_custom_command(OUTPUT "${module}"
      COMMAND ${compiler} ${arg_OPTIONS} -MD -MF "${module}.d" "${input}" -o "${module}"
      DEPENDS "${input}" ${compiler} ${arg_DEPENDS} DEPFILE "${module}.d"
      COMMENT "Compiling ${name}" VERBATIM)
    list(APPEND modules "${module}")
  endforeach()
  add_custom_target(${target} ALL DEPENDS ${modules})
  set_target_properties(${target} PROPERTIES COOPC_SPIRV "${modules}")
endfunction()
