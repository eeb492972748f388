# Toolchain of scripts/prebuild.cjs: zig's Clang, which carries the headers and libraries of every target.
# ASOF_ZIG is the path of zig, ASOF_ZIG_TARGET its name of the target, such as x86_64-linux-gnu.2.17.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES ASOF_ZIG ASOF_ZIG_TARGET)
string(REGEX MATCH "^[^-]+" CMAKE_SYSTEM_PROCESSOR ${ASOF_ZIG_TARGET})
if(ASOF_ZIG_TARGET MATCHES "windows")
  set(CMAKE_SYSTEM_NAME Windows)
elseif(ASOF_ZIG_TARGET MATCHES "macos")
  set(CMAKE_SYSTEM_NAME Darwin)
  set(CMAKE_OSX_SYSROOT "" CACHE STRING "")
else()
  set(CMAKE_SYSTEM_NAME Linux)
endif()

set(CMAKE_CXX_COMPILER ${ASOF_ZIG} c++)
set(CMAKE_CXX_COMPILER_TARGET ${ASOF_ZIG_TARGET})
set(CMAKE_CXX_COMPILE_OPTIONS_TARGET "--target=")
# CMake wants archivers that are one word.
set(CMAKE_CXX_ARCHIVE_CREATE "${ASOF_ZIG} ar qc <TARGET> <OBJECTS>")
set(CMAKE_CXX_ARCHIVE_APPEND "${ASOF_ZIG} ar q <TARGET> <OBJECTS>")
set(CMAKE_CXX_ARCHIVE_FINISH "${ASOF_ZIG} ranlib <TARGET>")

# What zig adds to Clang's own defaults, taken back. Not by CMAKE_CXX_FLAGS_INIT: cmake-js sets CMAKE_CXX_FLAGS.
add_compile_options(-g0 -fomit-frame-pointer -fno-sanitize=undefined)
add_link_options(-s)

# zig's names of processors, and its x86-64-v4 without the preference for half of a vector.
set(ASOF_MARCH_V2 -march=x86_64_v2)
set(ASOF_MARCH_V3 -march=x86_64_v3)
set(ASOF_MARCH_V4 -march=x86_64_v4-prefer_256_bit)
