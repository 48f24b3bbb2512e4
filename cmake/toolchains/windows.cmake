# Windows on x86-64, with Debian's mingw-w64 and POSIX threads. The programs need only the system's libraries,
# and run here under Wine (./setup windows).
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)
set(CMAKE_CXX_COMPILER x86_64-w64-mingw32-g++-posix)
set(CMAKE_RC_COMPILER x86_64-w64-mingw32-windres)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)
set(CMAKE_SHARED_LINKER_FLAGS_INIT -static)
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH _folder)
cmake_path(GET _folder PARENT_PATH _folder)
set(CMAKE_CROSSCOMPILING_EMULATOR "${_folder}/scripts/run-windows")

set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# The libraries for this target in the cache.
set(COOPC_TARGET windows)
