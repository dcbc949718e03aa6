# HALFSTEP_SANITIZERS: "address,undefined" or "thread", for every object of the build; see the presets asan and tsan.
# -O1 keeps the tests quick, -g1 gives file and line at a third of the size of -g.
set(HALFSTEP_SANITIZERS "" CACHE STRING "Sanitizers to build with, as in -fsanitize=")
if(HALFSTEP_SANITIZERS)
  # The sanitizers' extra branches mislead g++ 12's flow warnings; the other builds keep them as errors.
  add_compile_options(-O1 -g1 -fno-omit-frame-pointer -fsanitize=${HALFSTEP_SANITIZERS} -fno-sanitize-recover=all
    -D_GLIBCXX_ASSERTIONS -Wno-error=maybe-uninitialized -Wno-error=stringop-overflow -Wno-error=array-bounds)
  add_link_options(-fsanitize=${HALFSTEP_SANITIZERS})
endif()
