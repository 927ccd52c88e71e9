# The flags every target of Pliant is built with, and the two macros that make a room and a test.

add_library(pliant_flags INTERFACE)
target_compile_features(pliant_flags INTERFACE cxx_std_20)
target_include_directories(pliant_flags INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>
                                                  $<INSTALL_INTERFACE:${PLIANT_INCLUDE_DIR}>)
# No math errno, so that square roots vectorise; never -ffast-math, so that the same input gives the
# same bytes. GCC 12 reports false "maybe uninitialized" and "array bounds" inside Eigen, "restrict", "overflow" and
# "array bounds" inside std::string; in a batch of sources it takes them for headers and warns of their unnamed namespaces.
# Other projects choose their own.
set(pliant_own_flags -fno-math-errno -ffp-contract=off -Wall -Wextra)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
  list(APPEND pliant_own_flags -Wno-maybe-uninitialized -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds
                               $<$<BOOL:${PLIANT_UNITY}>:-Wno-subobject-linkage>)
  # A tenth of the time of a compilation goes into collecting garbage, which it does as often as its memory has doubled: not
  # below 1 GB.
  list(APPEND pliant_own_flags --param=ggc-min-heapsize=1000000)
endif()
target_compile_options(pliant_flags INTERFACE "$<BUILD_INTERFACE:${pliant_own_flags}>")
# The address sanitizer and the processor see most of what the checks of each pointer see (null, alignment,
# object-size), which take a third of the time to compile. Eigen takes the rows of a matrix without columns from
# a null pointer (pointer-overflow).
if(PLIANT_SANITIZE)
  target_compile_options(pliant_flags INTERFACE
    -fsanitize=${PLIANT_SANITIZE} -fno-sanitize=null,alignment,object-size,pointer-overflow
    -fno-omit-frame-pointer -fno-sanitize-recover=all)
  target_link_options(pliant_flags INTERFACE -fsanitize=${PLIANT_SANITIZE})
endif()

# Half of the time of a compilation goes into reading Eigen and the standard library: a target that
# precompiles reads them once, one that names another shares what that one has read (same flags).
# Every source still includes what it uses; clang-tidy reads it without these.
option(PLIANT_PCH "Precompiled headers" ON)
function(pliant_precompile target)
  if(PLIANT_PCH)
    target_compile_options(${target} PRIVATE -fpch-preprocess)  # lets ccache see what was included
    target_precompile_headers(${target} ${ARGN})
  endif()
endfunction()
set(pliant_common_headers <Eigen/Core> <Eigen/Geometry> <algorithm> <array> <cmath> <cstdint>
                          <limits> <memory> <optional> <string> <utility> <vector>)

# pliant_pic(TARGET): position independent where the Python module may contain it (PLIANT_PIC).
#
# Hidden symbols cannot be replaced at run time, so that GCC inlines and calls them directly in position
# independent code too: steps take as long as without it.
function(pliant_pic target)
  if(PLIANT_PIC)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON
                                               CXX_VISIBILITY_PRESET hidden
                                               VISIBILITY_INLINES_HIDDEN ON)
  endif()
endfunction()

# pliant_room(NAME): a static library Pliant::NAME; its subfolders add their own sources to it.
macro(pliant_room name)
  add_library(pliant_${name} STATIC)
  pliant_pic(pliant_${name})
  add_library(Pliant::${name} ALIAS pliant_${name})
  target_link_libraries(pliant_${name} PUBLIC pliant_flags)
endmacro()

# The sources of tests are most of what is compiled and run for seconds: in a release build they are
# compiled with -O1, a third quicker; under a sanitizer with -O0, where -O1 takes twice as long to compile and the
# rooms, which do the work, have it. The rooms they link are those that ship. Tests name the members
# they set and leave the others at their defaults, which compilers may warn of.
set(pliant_test_options $<$<CONFIG:Release>:-O1> -Wno-missing-field-initializers)
set(pliant_test_timeout 300)  # s
if(PLIANT_SANITIZE)
  list(APPEND pliant_test_options -O0)
  set(pliant_test_timeout 1800)  # what takes 20 s takes minutes
endif()

# pliant_test_scenes(NAME SOURCES ... LINK ...): scenes and oracles that several test programs share, compiled once.
function(pliant_test_scenes name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC pliant_flags ${ARG_LINK} GTest::gmock)
  target_compile_definitions(${name} PRIVATE PLIANT_SOURCE_DIR=".")
  target_compile_options(${name} PRIVATE ${pliant_test_options})
  pliant_precompile(${name} REUSE_FROM pliant_test_headers)
endfunction()

# pliant_test(NAME SOURCES ... LINK ... [SHARDS n]): one GoogleTest program, each of its tests known to ctest,
# which runs them at the root of the sources: PLIANT_SOURCE_DIR is relative, so that what is compiled
# does not depend on where the sources are. With SHARDS, ctest knows n parts of it, NAME.0 to NAME.n-1: a program of
# thousands of short tests otherwise spends its time on starting.
function(pliant_test name)
  cmake_parse_arguments(ARG "" "SHARDS" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE pliant_flags ${ARG_LINK} GTest::gmock GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE PLIANT_SOURCE_DIR=".")
  if(PLIANT_SANITIZE)
    target_compile_definitions(${name} PRIVATE PLIANT_SANITIZED)
  endif()
  target_compile_options(${name} PRIVATE ${pliant_test_options})
  if(NOT "${ARG_LINK}" MATCHES "Qt6::")  # which wants code of another kind (-fPIC) than theirs
    pliant_precompile(${name} REUSE_FROM pliant_test_headers)
  endif()
  if(NOT ARG_SHARDS)
    gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES TIMEOUT ${pliant_test_timeout}
                         WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    return()
  endif()
  math(EXPR last "${ARG_SHARDS} - 1")
  foreach(shard RANGE ${last})
    add_test(NAME ${name}.${shard} COMMAND ${name} --gtest_brief=1
             WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(${name}.${shard} PROPERTIES TIMEOUT 600
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${ARG_SHARDS};GTEST_SHARD_INDEX=${shard}")
  endforeach()
endfunction()
