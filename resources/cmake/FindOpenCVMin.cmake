# Debian's small packages (libopencv-core-dev, -imgproc-dev, -imgcodecs-dev) carry neither OpenCVConfig.cmake nor
# opencv4.pc; those come only with libopencv-dev (372 packages). Targets: opencv::core, opencv::imgproc, opencv::imgcodecs.

find_path(OpenCVMin_INCLUDE_DIR opencv2/core.hpp PATH_SUFFIXES opencv4)
if(OpenCVMin_INCLUDE_DIR)
  file(STRINGS ${OpenCVMin_INCLUDE_DIR}/opencv2/core/version.hpp version_lines REGEX "#define CV_VERSION_(MAJOR|MINOR|REVISION) ")
  string(REGEX REPLACE ".*MAJOR +([0-9]+).*MINOR +([0-9]+).*REVISION +([0-9]+).*" "\\1.\\2.\\3" OpenCVMin_VERSION "${version_lines}")
endif()
foreach(module IN LISTS OpenCVMin_FIND_COMPONENTS)
  find_library(OpenCVMin_${module}_LIBRARY opencv_${module})
  if(OpenCVMin_${module}_LIBRARY AND OpenCVMin_INCLUDE_DIR)
    set(OpenCVMin_${module}_FOUND TRUE)
    if(NOT TARGET opencv::${module})
      add_library(opencv::${module} UNKNOWN IMPORTED)
      set_target_properties(opencv::${module} PROPERTIES
        IMPORTED_LOCATION ${OpenCVMin_${module}_LIBRARY}
        INTERFACE_INCLUDE_DIRECTORIES ${OpenCVMin_INCLUDE_DIR})
    endif()
  endif()
endforeach()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(OpenCVMin REQUIRED_VARS OpenCVMin_INCLUDE_DIR VERSION_VAR OpenCVMin_VERSION HANDLE_COMPONENTS)
