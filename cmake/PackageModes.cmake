# CPack runs this before it packs what it has installed into its own folder (CPACK_PRE_BUILD_SCRIPTS): directories get a system's modes.
# Without it they would have those that the umask of the packing user allows, as CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS has no effect
# on directories that `cmake --install` makes on the way to a file.
file(GLOB_RECURSE _entries LIST_DIRECTORIES true "${CPACK_TEMPORARY_DIRECTORY}/*")
foreach(_entry IN LISTS _entries ITEMS "${CPACK_TEMPORARY_DIRECTORY}")
  if(IS_DIRECTORY "${_entry}" AND NOT IS_SYMLINK "${_entry}")
    file(CHMOD "${_entry}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  endif()
endforeach()
