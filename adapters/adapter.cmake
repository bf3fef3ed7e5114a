# What all adapters share: a shared object with one symbol, built with gjkbench's headers, which pkg-config finds.
find_package(PkgConfig REQUIRED)
pkg_check_modules(GJKBENCH REQUIRED gjkbench)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

function(gjkbench_adapter name)
  add_library(${name} MODULE ${ARGN})
  set_target_properties(${name} PROPERTIES PREFIX "" C_STANDARD 17 CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON
    C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  target_include_directories(${name} PRIVATE ${GJKBENCH_INCLUDE_DIRS})
  target_compile_options(${name} PRIVATE -Wall -Wextra -Wpedantic -ffp-contract=off) # answers must not depend on contraction
endfunction()
