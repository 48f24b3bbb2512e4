# Included by the build of scripts/mutants. The libraries that have faults, COOPC_MUTANTS_LIBRARIES, are
# compiled with less optimization, which takes less time, and without warnings. Those whose lines are counted,
# COOPC_COVERED_LIBRARIES (scripts/coverage), are compiled by Clang. All other libraries are compiled as in a
# build without faults, so that a compiler cache has their objects.
function(coopc_mutants_options)
  foreach(library IN LISTS COOPC_MUTANTS_LIBRARIES)
    if(TARGET ${library})  # some need libraries that may be missing
      target_compile_options(${library} PRIVATE -O1 -w -Wno-narrowing)
    endif()
  endforeach()
  foreach(library IN LISTS COOPC_COVERED_LIBRARIES)
    if(TARGET ${library})
      set(launcher "${PROJECT_SOURCE_DIR}/tests/mutants/clang_instead" ${CMAKE_CXX_COMPILER_LAUNCHER})
      set_target_properties(${library} PROPERTIES CXX_COMPILER_LAUNCHER "${launcher}")
      target_compile_options(${library} PRIVATE -O1 -w -fprofile-instr-generate -fcoverage-mapping)
      # GCC links. The counters are written by Clang's library, which nothing refers to by name.
      file(GLOB runtime "/usr/lib/llvm-14/lib/clang/*/lib/linux/libclang_rt.profile-x86_64.a")
      target_link_libraries(${library} INTERFACE -Wl,-u,__llvm_profile_runtime "${runtime}")
    endif()
  endforeach()
endfunction()
cmake_language(DEFER CALL coopc_mutants_options)
