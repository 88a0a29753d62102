# Debian package, by `cmake --build build --target package` or cpack: what an
# installation has, for the exact LLVM that the plugin is made for.  With
# SOURCE_DATE_EPOCH set, the same build gives the same bytes.  scripts/package
# builds with the distribution's flags.
# As Debian's tools ask for it.
if(DEFINED ENV{DEBEMAIL})
  set(polygpu_maintainer "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
else()
  set(polygpu_maintainer "PolyGPU developers <polygpu@localhost>")
endif()
set(POLYGPU_MAINTAINER "${polygpu_maintainer}"
  CACHE STRING "Who a package names as its maintainer: Name <address>")

# The range of Debian's versions that are LLVM ${LLVM_PACKAGE_VERSION}, also
# before its release; with the epoch that this system's packages have.
find_program(POLYGPU_DPKG_QUERY dpkg-query)
mark_as_advanced(POLYGPU_DPKG_QUERY)
if(NOT POLYGPU_DPKG_QUERY)
  return() # no Debian
endif()
execute_process(
  COMMAND ${POLYGPU_DPKG_QUERY} -W -f "\${Version}"
          clang-${LLVM_VERSION_MAJOR}
  OUTPUT_VARIABLE polygpu_epoch ERROR_QUIET)
string(REGEX MATCH "^[0-9]+:" polygpu_epoch "${polygpu_epoch}")
math(EXPR polygpu_next "${LLVM_VERSION_PATCH} + 1")
set(polygpu_next
  "${polygpu_epoch}${LLVM_VERSION_MAJOR}.${LLVM_VERSION_MINOR}.${polygpu_next}~")
set(polygpu_depends "")
foreach(package clang-${LLVM_VERSION_MAJOR} libllvm${LLVM_VERSION_MAJOR})
  string(APPEND polygpu_depends
    "${package} (>= ${polygpu_epoch}${LLVM_PACKAGE_VERSION}~), "
    "${package} (<< ${polygpu_next}), ")
endforeach()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME polygpu)
set(CPACK_PACKAGE_VENDOR PolyGPU)
set(CPACK_PACKAGE_CONTACT "${POLYGPU_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY
  "offloads loops of ordinary programs to NVIDIA GPUs")
set(CPACK_PACKAGE_DESCRIPTION
  "A pass plugin for clang and flang that finds affine loop nests of C, C++ and
Fortran programs and runs them as kernels on an NVIDIA GPU, without changes to
the source. Programs run their original loops where there is no GPU, or where
it would not pay. CUDA is not needed to compile, and the driver only to run on
a GPU; an emulated device runs the same kernels on the CPU, for tests.
.
This package has the commands polygpu-clang, polygpu-clang++ and polygpu-flang,
the plugin, the runtime, and polygpu, which looks at an installation and at
what became of a program.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
  OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
  WORLD_READ WORLD_EXECUTE)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/DebianFiles.cmake)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "${polygpu_depends}python3:any, python3-yaml")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "libc6-dev")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS
  "flang-${LLVM_VERSION_MAJOR}, lld-${LLVM_VERSION_MAJOR}, nvidia-cuda-toolkit, libcuda1")
# For DebianDepends.cmake.
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/DebianDepends.cmake)
set(CPACK_POLYGPU_BINARIES "")
foreach(file PolyGPU.so libpolygpu_rt.so libpolygpu_emulated.so polygpu-verify)
  list(APPEND CPACK_POLYGPU_BINARIES ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/${file})
endforeach()
include(CPack)
