# Included by scripts/mutants' build: the libraries that have faults, COOPC_MUTANTS_LIBRARIES, are optimized less, so that they
# compile sooner, and warn of nothing. All others are compiled as without faults, so that a compiler cache has them.
function(coopc_mutants_options)
  foreach(library IN LISTS COOPC_MUTANTS_LIBRARIES)
    if(TARGET ${library})  # some need libraries that may be missing
      target_compile_options(${library} PRIVATE -O1 -w -Wno-narrowing)
    endif()
  endforeach()
endfunction()
cmake_language(DEFER CALL coopc_mutants_options)
