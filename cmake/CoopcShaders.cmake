# For projects that compile shaders with coopc:
#
#   find_package(coopc REQUIRED)
#   coopc_add_shaders(TARGET
#     SOURCES             a.comp b.frag     relative to the current source folder; generated ones are fine
#     DEFINITIONS         N=4 $<$<CONFIG:Debug>:CHECKED>
#     INCLUDE_DIRECTORIES shaders ${PROJECT_BINARY_DIR}
#     TARGET_ENV          vulkan1.3         default: vulkan1.0, as the program's
#     OPTIMIZE            SPEED             NONE (default), SPEED or SIZE
#     STAGE               compute           if the files' extensions do not give it
#     OPTIONS             -g -Werror        other options of the program
#     HEADERS                               C headers as well (see below)
#     OUTPUT_DIRECTORY    folder            default: ${CMAKE_CURRENT_BINARY_DIR}/shaders; with generators of
#                                           several configurations, a folder $<CONFIG> is made in it
#     DEPENDS             tables.glsl)      dependencies other than included files
#
# All parameters but SOURCES are optional. DEFINITIONS, INCLUDE_DIRECTORIES, OPTIONS and TARGET_ENV may have
# generator expressions: an item that is empty after evaluation is not passed. TARGET compiles each SOURCE to
# OUTPUT_DIRECTORY/SOURCE.spv, and compiles it again whenever the file, a file that it includes (from the
# dependency file that coopc writes), an option or the compiler changes. The property COOPC_SPIRV of TARGET
# lists the modules. TARGET is an interface library, part of `all`; TARGET_files builds only the modules.
#
# With HEADERS there is OUTPUT_DIRECTORY/SOURCE.h for each SOURCE, with `static const uint32_t NAME[]` and its
# size in bytes, `NAME_size`. NAME is SOURCE with an underscore for each character that identifiers cannot
# have (`kernels/add.comp`: kernels_add_comp). The property COOPC_HEADERS lists them, and
# target_link_libraries(PROGRAM PRIVATE TARGET) lets PROGRAM include "SOURCE.h".
function(coopc_add_shaders target)
  set(one OUTPUT_DIRECTORY TARGET_ENV OPTIMIZE STAGE)
  set(many SOURCES DEFINITIONS INCLUDE_DIRECTORIES OPTIONS DEPENDS)
  cmake_parse_arguments(PARSE_ARGV 1 arg "HEADERS" "${one}" "${many}")
  set(self "coopc_add_shaders(${target})")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${self}: unknown arguments: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(TARGET ${target})
    message(FATAL_ERROR "${self}: there is a target of that name already")
  endif()
  if(NOT arg_SOURCES)
    message(FATAL_ERROR "${self}: no SOURCES")
  endif()
  foreach(keyword IN LISTS one)
    if(keyword IN_LIST arg_KEYWORDS_MISSING_VALUES)
      message(FATAL_ERROR "${self}: ${keyword} has no value")
    endif()
  endforeach()
  if(NOT arg_OUTPUT_DIRECTORY)
    set(arg_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/shaders")
  endif()
  cmake_path(ABSOLUTE_PATH arg_OUTPUT_DIRECTORY BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}" NORMALIZE)
  # One configuration must not use files that another one has written.
  get_property(several GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
  set(configurations .)
  if(several)
    set(configurations ${CMAKE_CONFIGURATION_TYPES})
    string(APPEND arg_OUTPUT_DIRECTORY "/$<CONFIG>")
  endif()

  set(options "")
  if(arg_TARGET_ENV)
    list(APPEND options "--target-env=${arg_TARGET_ENV}")
  endif()
  if(arg_OPTIMIZE STREQUAL "SPEED")
    list(APPEND options -O)
  elseif(arg_OPTIMIZE STREQUAL "SIZE")
    list(APPEND options -Os)
  elseif(arg_OPTIMIZE STREQUAL "NONE")
    list(APPEND options -O0)
  elseif(arg_OPTIMIZE)
    message(FATAL_ERROR "${self}: OPTIMIZE is '${arg_OPTIMIZE}': NONE, SPEED and SIZE are known")
  endif()
  if(arg_STAGE)
    list(APPEND options "-fshader-stage=${arg_STAGE}")
  endif()
  foreach(kind IN ITEMS D I)
    set(values "${arg_DEFINITIONS}")
    if(kind STREQUAL "I")
      set(values "${arg_INCLUDE_DIRECTORIES}")
    endif()
    foreach(value IN LISTS values)
      string(GENEX_STRIP "${value}" plain)
      if(NOT plain STREQUAL value)
        # An empty generator expression must not become an argument.
        list(APPEND options "$<$<NOT:$<STREQUAL:${value},>>:-${kind}${value}>")
        continue()
      endif()
      if(kind STREQUAL "I")
        cmake_path(ABSOLUTE_PATH value BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
      endif()
      list(APPEND options "-${kind}${value}")
    endforeach()
  endforeach()
  list(APPEND options ${arg_OPTIONS})

  set(compiler coopc)
  if(TARGET coopc::compiler)
    set(compiler coopc::compiler)
  elseif(NOT TARGET coopc)
    message(FATAL_ERROR "${self}: no target coopc::compiler: find_package(coopc) comes first")
  endif()

  set(modules "")
  set(headers "")
  set(files "")
  foreach(source IN LISTS arg_SOURCES)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE OUTPUT_VARIABLE input)
    get_source_file_property(generated "${input}" GENERATED)
    if(NOT generated AND NOT EXISTS "${input}")
      # Generated files are relative to the build folder.
      cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}" NORMALIZE OUTPUT_VARIABLE built)
      get_source_file_property(generated "${built}" GENERATED)
      if(NOT generated AND NOT EXISTS "${built}")
        message(FATAL_ERROR "${self}: no such file: ${source}")
      endif()
      set(input "${built}")
    endif()
    set(name "")
    foreach(base IN ITEMS "${CMAKE_CURRENT_BINARY_DIR}" "${CMAKE_CURRENT_SOURCE_DIR}")
      cmake_path(IS_PREFIX base "${input}" NORMALIZE inside)
      if(inside)
        cmake_path(RELATIVE_PATH input BASE_DIRECTORY "${base}" OUTPUT_VARIABLE name)
        break()
      endif()
    endforeach()
    if(NOT name)
      cmake_path(GET input FILENAME name)
    endif()
    set(module "${arg_OUTPUT_DIRECTORY}/${name}.spv")
    get_property(taken GLOBAL PROPERTY "_COOPC_WRITES_${module}")
    if(taken)
      message(FATAL_ERROR "${self}: ${module} is written by coopc_add_shaders(${taken}) already: OUTPUT_DIRECTORY tells "
                          "variants of a file apart")
    endif()
    set_property(GLOBAL PROPERTY "_COOPC_WRITES_${module}" "${target}")
    cmake_path(GET module PARENT_PATH folder)
    foreach(configuration IN LISTS configurations)
      string(REPLACE "$<CONFIG>" "${configuration}" place "${folder}")
      file(MAKE_DIRECTORY "${place}")
    endforeach()
    set(numbers "")
    set(also "")
    if(arg_HEADERS)
      set(numbers "${module}.inc")
      set(also "--numbers=${numbers}")
    endif()
    add_custom_command(OUTPUT "${module}" ${numbers}
      COMMAND ${compiler} "${options}" -MD -MF "${module}.d" ${also} "${input}" -o "${module}"
      DEPENDS "${input}" ${compiler} ${arg_DEPENDS} DEPFILE "${module}.d"
      COMMENT "Compiling ${name}" VERBATIM COMMAND_EXPAND_LISTS)
    list(APPEND modules "${module}")
    list(APPEND files "${module}" ${numbers})
    if(arg_HEADERS)
      string(MAKE_C_IDENTIFIER "${name}" identifier)
      cmake_path(GET numbers FILENAME numbers_name)
      string(CONFIGURE
"/* SPIR-V of @name@. Written by coopc_add_shaders(). */
#ifndef COOPC_SHADER_@identifier@
#define COOPC_SHADER_@identifier@
#include <stddef.h>
#include <stdint.h>
static const uint32_t @identifier@[] = {
#include \"@numbers_name@\"
};
static const size_t @identifier@_size = sizeof @identifier@;
#endif
" header @ONLY)
      file(GENERATE OUTPUT "${arg_OUTPUT_DIRECTORY}/${name}.h" CONTENT "${header}")
      list(APPEND headers "${arg_OUTPUT_DIRECTORY}/${name}.h")
    endif()
  endforeach()

  # A library without code: other targets can depend on it, and linking it gives access to the headers.
  add_custom_target(${target}_files ALL DEPENDS ${files})
  add_library(${target} INTERFACE)
  add_dependencies(${target} ${target}_files)
  if(arg_HEADERS)
    target_include_directories(${target} INTERFACE "${arg_OUTPUT_DIRECTORY}")
  endif()
  set_target_properties(${target} PROPERTIES COOPC_SPIRV "${modules}" COOPC_HEADERS "${headers}")
endfunction()
