# How every target of Halfstep is made: one language level, one set of warnings (all errors), headers that compile
# alone, and PRIVATE linking, so that the direction of the folders is kept by the build.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_VERIFY_INTERFACE_HEADER_SETS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_AUTOGEN_ORIGIN_DEPENDS OFF) # moc reads our headers only: it need not wait for the libraries we link

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

# No contraction: where a multiply and an add are rounded once, the source says so (MulAdd), on every instruction set.
add_library(halfstep_options INTERFACE)
target_compile_options(halfstep_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Werror -ffp-contract=off)

# halfstep_library(NAME SOURCES ... HEADERS ... [PUBLIC targets...] [PRIVATE targets...])
# folder = target. Headers are included from the root of the repository: #include "engine/tensor/tensor.h".
function(halfstep_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;HEADERS;PUBLIC;PRIVATE" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_sources(${name} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${ARG_HEADERS})
  target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PUBLIC ${ARG_PUBLIC} PRIVATE halfstep_options ${ARG_PRIVATE})
endfunction()

# halfstep_test(NAME SOURCES ... [LIBRARIES targets...] [PROPERTIES ctest properties...])
function(halfstep_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES;PROPERTIES" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE halfstep_options ${ARG_LIBRARIES} GTest::gmock)
  set(timeout 300)
  if(HALFSTEP_SANITIZERS)
    set(timeout 1200) # seconds; the same tests, several times slower
  endif()
  include(GoogleTest)
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST
    PROPERTIES TIMEOUT ${timeout} ${ARG_PROPERTIES})
endfunction()
