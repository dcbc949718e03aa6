# The CUDA back end needs nothing of CUDA's but nvcc and headers: driver and cuDNN are opened at run time. It is not
# finished (batch normalization, the head and the plug-in are missing), so it is built only where one asks for it.
# Sets HALFSTEP_CUDA.
option(HALFSTEP_UNFINISHED_CUDA "Build what there is of the CUDA back end, and its tests" OFF)
find_program(HALFSTEP_NVCC nvcc HINTS ENV CUDA_PATH PATHS /usr/local/cuda/bin)
mark_as_advanced(HALFSTEP_NVCC)
set(HALFSTEP_CUDA OFF)
if(NOT HALFSTEP_UNFINISHED_CUDA)
  message(STATUS "Halfstep: the CPU back end is built")
  return()
endif()
if(NOT HALFSTEP_NVCC)
  message(STATUS "Halfstep: no nvcc found; the CPU back end is built, the CUDA plug-in is not")
  return()
endif()
execute_process(COMMAND ${HALFSTEP_NVCC} --version OUTPUT_VARIABLE nvcc_version)
string(REGEX MATCH "release ([0-9]+\\.[0-9]+)" nvcc_version "${nvcc_version}")
set(HALFSTEP_CUDA_VERSION ${CMAKE_MATCH_1})
get_filename_component(nvcc_folder ${HALFSTEP_NVCC} REALPATH)
get_filename_component(nvcc_folder ${nvcc_folder} DIRECTORY)
find_path(HALFSTEP_CUDA_INCLUDE_DIR cuda.h HINTS ${nvcc_folder}/../include /usr/local/cuda/include)
find_path(HALFSTEP_CUDNN_INCLUDE_DIR cudnn_backend.h HINTS ${HALFSTEP_CUDA_INCLUDE_DIR} ENV CUDNN_PATH)
mark_as_advanced(HALFSTEP_CUDA_INCLUDE_DIR HALFSTEP_CUDNN_INCLUDE_DIR)
if(HALFSTEP_CUDA_VERSION VERSION_LESS 12.0 OR NOT HALFSTEP_CUDA_INCLUDE_DIR OR NOT HALFSTEP_CUDNN_INCLUDE_DIR)
  message(STATUS "Halfstep: CUDA ${HALFSTEP_CUDA_VERSION} without cuda.h and cudnn_backend.h, or before 12.0: the CUDA plug-in is not built")
  return()
endif()
set(HALFSTEP_CUDA ON)
message(STATUS "Halfstep: CUDA ${HALFSTEP_CUDA_VERSION} found; the CUDA plug-in is built")

# What each toolkit compiles for: real code for every card that it knows, and the newest as PTX for later cards.
if(HALFSTEP_CUDA_VERSION VERSION_LESS 13.0)
  set(architectures 52 60 61 70 75 80 86 89 90)
  if(HALFSTEP_CUDA_VERSION VERSION_GREATER_EQUAL 12.8)
    list(APPEND architectures 100 120)
  endif()
else()
  set(architectures 75 80 86 89 90 100 120)
endif()
set(HALFSTEP_CUDA_ARCHITECTURES ${architectures} CACHE STRING "Architectures of the CUDA plug-in's kernels")

# halfstep_fatbin(TARGET SOURCES...): the kernels, for every architecture in one image each, as symbols of TARGET:
# kernels/elements.cu is `extern const unsigned char halfstep_elements_image[]`. No contraction, as everywhere.
function(halfstep_fatbin target)
  set(codes)
  foreach(architecture IN LISTS HALFSTEP_CUDA_ARCHITECTURES)
    list(APPEND codes -gencode arch=compute_${architecture},code=sm_${architecture})
  endforeach()
  list(POP_BACK HALFSTEP_CUDA_ARCHITECTURES newest)
  list(APPEND codes -gencode arch=compute_${newest},code=compute_${newest})
  foreach(source IN LISTS ARGN)
    get_filename_component(name ${source} NAME_WE)
    set(image ${CMAKE_CURRENT_BINARY_DIR}/${name}.fatbin)
    add_custom_command(OUTPUT ${image}
      COMMAND ${HALFSTEP_NVCC} -std=c++20 -fatbin --fmad=false -lineinfo --threads 2 ${codes} -Werror all-warnings
        -Xcompiler=-Wall,-Wextra -I${PROJECT_SOURCE_DIR} -MD -MF ${image}.d -MT ${image} -o ${image}
        ${CMAKE_CURRENT_SOURCE_DIR}/${source}
      DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${source} DEPFILE ${image}.d VERBATIM
      COMMENT "Compiling the kernels of ${source}")
    set(carrier ${CMAKE_CURRENT_BINARY_DIR}/${name}_image.cpp)
    file(CONFIGURE OUTPUT ${carrier} @ONLY CONTENT [[
__asm__(".section .rodata\n.balign 64\n.globl halfstep_@name@_image\nhalfstep_@name@_image:\n"
        ".incbin \"@image@\"\n.byte 0\n.previous\n");
]])
    set_source_files_properties(${carrier} PROPERTIES OBJECT_DEPENDS ${image})
    target_sources(${target} PRIVATE ${carrier})
  endforeach()
endfunction()
