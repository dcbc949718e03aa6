# The libraries Halfstep stands on, all from Debian 12 packages.

find_package(Threads REQUIRED)
find_package(OpenMP REQUIRED COMPONENTS CXX) # oneDNN's thread runtime; held to one thread inside our own pool
find_package(fmt REQUIRED CONFIG)
find_package(nlohmann_json REQUIRED CONFIG)
find_package(CLI11 REQUIRED CONFIG)
find_package(SQLite3 REQUIRED)
find_package(LibArchive REQUIRED)
find_package(OpenCVMin 4.5 REQUIRED COMPONENTS core imgproc imgcodecs)
find_package(PkgConfig REQUIRED)
pkg_check_modules(hwy REQUIRED IMPORTED_TARGET libhwy)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)

find_package(OneDNN 2.6...<3 REQUIRED)

if(HALFSTEP_UI)
  find_package(Qt6 6.4 REQUIRED COMPONENTS Core Gui Widgets Charts Svg SvgWidgets PrintSupport Test)
endif()
if(HALFSTEP_TESTS)
  find_package(GTest REQUIRED)
endif()
if(HALFSTEP_TESTS AND HALFSTEP_BENCHMARKS)
  find_package(benchmark REQUIRED CONFIG)
endif()

include(HalfstepCuda)
