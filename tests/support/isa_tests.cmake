# halfstep_isa_test(NAME LABEL SOURCES ... [LIBRARIES targets...])
# An executable that is run once for each instruction set that the kernels may be built for: a process can hold oneDNN to
# one only. Sets that the CPU lacks are skipped (exit code 77). The tests are called LABEL_<isa>.
set(HALFSTEP_TESTED_ISAS avx512_icelake avx512 avx2 sse4 ssse3 baseline neon)

function(halfstep_isa_test name label)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE halfstep_options halfstep_every_backend ${ARG_LIBRARIES} GTest::gmock)
  set(timeout 600)
  if(HALFSTEP_SANITIZERS)
    set(timeout 2400) # seconds; the same tests, several times slower
  endif()
  foreach(isa IN LISTS HALFSTEP_TESTED_ISAS)
    add_test(NAME ${label}_${isa} COMMAND ${name})
    set_tests_properties(${label}_${isa} PROPERTIES
      ENVIRONMENT HALFSTEP_TEST_ISA=${isa} SKIP_RETURN_CODE 77 TIMEOUT ${timeout} PROCESSORS 2)
  endforeach()
endfunction()
