# HALFSTEP_SANITIZERS: "address,undefined" or "thread", for every object of the build; see the presets asan and tsan.
# -O1 keeps the tests quick, -g1 gives file and line at a third of the size of -g.
set(HALFSTEP_SANITIZERS "" CACHE STRING "Sanitizers to build with, as in -fsanitize=")
if(HALFSTEP_SANITIZERS)
  # The sanitizers' extra branches mislead g++ 12's flow warnings; the other builds have them, as errors.
  add_compile_options(-O1 -g1 -fno-omit-frame-pointer -fsanitize=${HALFSTEP_SANITIZERS} -fno-sanitize-recover=all
    -D_GLIBCXX_ASSERTIONS -Wno-maybe-uninitialized -Wno-stringop-overflow -Wno-array-bounds)
  add_link_options(-fsanitize=${HALFSTEP_SANITIZERS})
endif()

# In a folder whose code does little: with sanitizers it is compiled in half the time, and runs as long.
macro(halfstep_compile_quickly_with_sanitizers)
  if(HALFSTEP_SANITIZERS)
    add_compile_options(-O0)
  endif()
endmacro()

# Sources that are the measure of others, not what is looked at, and take most of the time: without sanitizers.
function(halfstep_without_sanitizers)
  if(HALFSTEP_SANITIZERS)
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "-O2;-fno-sanitize=all")
  endif()
endfunction()
