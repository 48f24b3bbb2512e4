# CPack runs this script after it has installed the files to pack into its own folder
# (CPACK_PRE_BUILD_SCRIPTS). It gives directories the usual modes, whatever the umask of the user is.
# CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS is not enough, because it has no effect on directories that
# `cmake --install` creates on the way to a file.
file(GLOB_RECURSE _entries LIST_DIRECTORIES true "${CPACK_TEMPORARY_DIRECTORY}/*")
foreach(_entry IN LISTS _entries ITEMS "${CPACK_TEMPORARY_DIRECTORY}")
  if(IS_DIRECTORY "${_entry}" AND NOT IS_SYMLINK "${_entry}")
    file(CHMOD "${_entry}" PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  endif()
endforeach()
