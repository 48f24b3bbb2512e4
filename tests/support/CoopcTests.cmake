# How tests are added. Catch2 lists its cases when ctest starts, so that cross builds and sanitizers need no
# special treatment.
include(Catch)

# coopc_runnable(OUT TARGET [BY_PROGRAMS]): what tests start to run this program. In a build for another
# machine that is a script, which starts the emulator and has the program's name; ctest itself needs no script
# if COMMAND names a target. BY_PROGRAMS: what programs of the build start instead of tests, which is the
# program itself on Windows.
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
  # The script names the helper, because a program would look for it in its own folder.
  file(GENERATE OUTPUT "${folder}/${target}" CONTENT "#!/bin/sh
: \"\${COOPC_GLSLANG=${folder}/coopc-glslang}\"
export COOPC_GLSLANG
exec ${emulator} \"$<TARGET_FILE:${target}>\" \"$@\"
" FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)
  set(${out} "${folder}/${target}" PARENT_SCOPE)
endfunction()

# coopc_add_unit_tests(TARGET SOURCES FILE... [LIBRARIES LIBRARY...] [LAVAPIPE] [PREFIX PREFIX]
#                      [TIMEOUT SECONDS] [SERIAL] [LABEL LABEL]):
# adds a Catch2 program whose cases are separate tests, named PREFIX: CASE. With LAVAPIPE the cases run on
# that driver. If the driver is not in the cache, they are left out, with a message. Their label is lavapipe,
# unless LABEL is given. SERIAL: a case uses all processors, so nothing else runs at the same time. Programs
# with LAVAPIPE can be copied to a machine with another device, as cooprun can (COOPC_COOPRUN_PORTABLE).
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
  # Only one label, because catch_discover_tests does not accept a list.
  if(arg_LABEL)
    list(APPEND properties LABELS ${arg_LABEL})
  endif()
  catch_discover_tests(${target} TEST_PREFIX "${arg_PREFIX}: " DISCOVERY_MODE PRE_TEST PROPERTIES ${properties})
endfunction()
