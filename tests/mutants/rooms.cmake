# Included by the build of scripts/mutants. The libraries that have faults, COOPC_MUTANTS_LIBRARIES, are
# compiled with less optimization, which takes less time, and without warnings. All other libraries are
# compiled as in a build without faults, so that a compiler cache has their objects.
function(coopc_mutants_options)
  foreach(library IN LISTS COOPC_MUTANTS_LIBRARIES)
    if(TARGET ${library})  # some need libraries that may be missing
      target_compile_options(${library} PRIVATE -O1 -w -Wno-narrowing)
    endif()
  endforeach()
endfunction()
cmake_language(DEFER CALL coopc_mutants_options)
