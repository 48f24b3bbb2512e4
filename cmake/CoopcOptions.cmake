# The interface target `coopc_options`: language level, warnings and sanitizers, for every target of this
# tree. Users' projects never see it: it is linked PRIVATE.

add_library(coopc_options INTERFACE)
target_compile_features(coopc_options INTERFACE cxx_std_20)
target_compile_options(coopc_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual>
  $<$<COMPILE_LANGUAGE:C>:-Wall -Wextra -Wpedantic -Wshadow>)
# GCC 12 wrongly reports `"text" + std::string` as overlapping copies (its bug 105651, fixed in 13).
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(coopc_options INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict>)
endif()
if(COOPC_WERROR)
  target_compile_options(coopc_options INTERFACE -Werror)
endif()

# COOPC_SANITIZE=address,undefined, thread or leak: applies to the whole tree, so that all libraries agree.
if(COOPC_SANITIZE STREQUAL "leak")
  # LeakSanitizer replaces the allocator and instruments nothing, so objects are the same as without it.
  target_link_options(coopc_options INTERFACE -fsanitize=leak)
elseif(COOPC_SANITIZE)
  set(_coopc_sanitize -fsanitize=${COOPC_SANITIZE} -fno-omit-frame-pointer)
  if(COOPC_SANITIZE MATCHES "undefined")
    # glslang is built without the run-time type information that the check of virtual calls needs.
    list(APPEND _coopc_sanitize -fno-sanitize-recover=undefined -fno-sanitize=vptr)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
      list(APPEND _coopc_sanitize -fsanitize-ignorelist=${CMAKE_CURRENT_LIST_DIR}/sanitizer_ignorelist.txt)
    endif()
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # The instrumented code of the standard library's regular expressions and functions causes false warnings.
    list(APPEND _coopc_sanitize -Wno-maybe-uninitialized)
  endif()
  target_compile_options(coopc_options INTERFACE ${_coopc_sanitize})
  target_link_options(coopc_options INTERFACE ${_coopc_sanitize})
endif()

# COOPC_HARDEN: the flags that dpkg-buildflags gives with hardening=+all, and stack-clash and cf-protection,
# which Debian 13's dpkg-buildflags adds. coopc is the only program that is not position-independent: it is
# linked statically, and would relocate itself at each start (docs/packages.md).
if(COOPC_HARDEN)
  target_compile_options(coopc_options INTERFACE -fstack-protector-strong -fstack-clash-protection -Wformat -Werror=format-security
    -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    target_compile_options(coopc_options INTERFACE -fcf-protection)
  elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|arm64")
    target_compile_options(coopc_options INTERFACE -mbranch-protection=standard)
  endif()
  target_link_options(coopc_options INTERFACE -Wl,-z,relro -Wl,-z,now)
  include(CheckPIESupported)
  check_pie_supported()
  set(CMAKE_POSITION_INDEPENDENT_CODE ON)
endif()

# The coverage instrumentation that libFuzzer needs.
if(COOPC_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "COOPC_FUZZ takes Clang: cmake --preset fuzz")
  endif()
  target_compile_options(coopc_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# The same bytes in every folder: objects must not contain absolute paths of the checkout (not even in
# __FILE__).
target_compile_options(coopc_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=>)

# coopc_define_version(TARGET): defines COOPC_VERSION ("0.1.0" of the top CMakeLists.txt) for the target's
# sources. Only targets that use it are compiled again for a new version.
function(coopc_define_version target)
  target_compile_definitions(${target} PRIVATE COOPC_VERSION="${PROJECT_VERSION}")
endfunction()
