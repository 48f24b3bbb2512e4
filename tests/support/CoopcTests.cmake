# How tests are added. Catch2 lists its cases when ctest starts, so that cross builds and sanitizers need no
# special treatment.
include(Catch)

# coopc_runnable(OUT TARGET [BY_PROGRAMS]): what tests start to run this program. In a build for another machine, a script, which starts
# the emulator and has the program's name; ctest itself needs none where COMMAND names a target. BY_PROGRAMS: what programs of the
# build start: on Windows the program itself.
function(coopc_runnable out target)
  set(${out} "$<TARGET_FILE:${target}>" PARENT_SCOPE)
  if(WIN32 AND "BY_PROGRAMS" IN_LIST ARGN)
    return()
  endif()
  if(NOT CMAKE_CROSSCOMPILING_EMULATOR)
    return()
  endif()
  set(folder "${PROJECT_BINARY_DIR}/emulated")
  list(JOIN CMAKE_CROSSCOMPILING_EMULATOR " " emulator)
  if(emulator MATCHES "^qemu")
    string(APPEND emulator " -0 \"$0\"")
  endif()
  # The helper, which a program would look for beside itself.
  file(GENERATE OUTPUT "${folder}/${target}" CONTENT "#!/bin/sh
: \"\${COOPC_GLSLANG=${folder}/coopc-glslang}\"
export COOPC_GLSLANG
exec ${emulator} \"$<TARGET_FILE:${target}>\" \"$@\"
" FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  set(${out} "${folder}/${target}" PARENT_SCOPE)
endfunction()

# coopc_add_unit_tests(TARGET SOURCES FILE... [LIBRARIES LIBRARY...] [LAVAPIPE] [PREFIX PREFIX] [TIMEOUT SECONDS] [SERIAL]
#                      [LABEL LABEL]):
# a Catch2 program whose cases are tests of their own, named PREFIX: CASE. With LAVAPIPE its cases run on that driver, and
# are left out, with a message, when it is not in the cache; their label is lavapipe, unless one is given. SERIAL: a case
# uses all processors, so nothing runs beside it. Programs with LAVAPIPE can travel to a machine with another device, as cooprun
# (COOPC_COOPRUN_PORTABLE) does.
function(coopc_add_unit_tests target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "LAVAPIPE;SERIAL" "PREFIX;TIMEOUT;LABEL;ENVIRONMENT" "SOURCES;LIBRARIES")
  if(arg_LAVAPIPE AND NOT COOPC_LAVAPIPE_RUN)
    message(STATUS "${target} is left out: no lavapipe; get it by: ./setup lavapipe")
    return()
  endif()
  add_executable(${target} ${arg_SOURCES})
  target_link_libraries(${target} PRIVATE coopc_tests ${arg_LIBRARIES} coopc_options Catch2::Catch2WithMain)
  if(NOT arg_PREFIX)
    string(REGEX REPLACE "^coopc_(.*)_tests$" "\\1" arg_PREFIX "${target}")
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 300)
  endif()
  set(properties TIMEOUT ${arg_TIMEOUT})
  if(arg_SERIAL)
    list(APPEND properties RUN_SERIAL ON)
  endif()
  if(arg_LAVAPIPE)
    if(TARGET coopc_test_vulkan)
      target_link_libraries(${target} PRIVATE coopc_test_vulkan)
    endif()
    if(COOPC_COOPRUN_PORTABLE)
      target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc)
    endif()
    set_target_properties(${target} PROPERTIES CROSSCOMPILING_EMULATOR "${COOPC_LAVAPIPE_RUN}")
    if(NOT arg_LABEL)
      set(arg_LABEL lavapipe)
    endif()
  endif()
  if(arg_ENVIRONMENT)
    list(APPEND properties ENVIRONMENT_MODIFICATION "${arg_ENVIRONMENT}")
  endif()
  # Only one label, because catch_discover_tests cannot pass a list on.
  if(arg_LABEL)
    list(APPEND properties LABELS ${arg_LABEL})
  endif()
  catch_discover_tests(${target} TEST_PREFIX "${arg_PREFIX}: " DISCOVERY_MODE PRE_TEST PROPERTIES ${properties})
endfunction()
