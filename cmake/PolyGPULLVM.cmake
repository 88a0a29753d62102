# Finds LLVM 22 with Polly and isl.  Sets
#
#   POLYGPU_LLVM_LIBRARIES  what the plugin links: Polly and isl as static
#                           libraries, since one function of isl is replaced in
#                           both (lib/Polyhedral/support/coalesce.c), and libLLVM
#   POLYGPU_ISL_INCLUDE     directory with Polly's isl headers
#   POLYGPU_ISL_LIBRARY     Polly's isl as a static library
#
# and the target polygpu_llvm, which gives a C++ target all it needs to be
# (part of) the plugin.
include(CheckCSourceCompiles)
include(CMakePushCheckState)

# LLVM's version file accepts 22.1 where 22.1 is asked for, but not 22.
find_package(LLVM CONFIG QUIET HINTS /usr/lib/llvm-22)
if(NOT LLVM_FOUND OR NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(FATAL_ERROR "PolyGPU needs LLVM 22, which was not found: install "
    "llvm-22-dev, or give its directory with -DLLVM_DIR=<llvm>/lib/cmake/llvm")
endif()
message(STATUS "LLVM ${LLVM_PACKAGE_VERSION} in ${LLVM_INSTALL_PREFIX}")

find_path(POLYGPU_ISL_INCLUDE isl/ctx.h
  PATHS ${LLVM_INCLUDE_DIRS}/polly NO_DEFAULT_PATH
  DOC "Directory with Polly's isl headers")
find_library(POLYGPU_ISL_LIBRARY libPollyISL.a
  PATHS ${LLVM_LIBRARY_DIRS} NO_DEFAULT_PATH
  DOC "Polly's isl as a static library")
if(NOT POLYGPU_ISL_INCLUDE OR NOT POLYGPU_ISL_LIBRARY)
  message(FATAL_ERROR "PolyGPU needs Polly's headers and libPollyISL.a, which "
    "are not in ${LLVM_INSTALL_PREFIX}: install libpolly-22-dev")
endif()

if(NOT POLYGPU_LLVM_LIBRARIES)
  find_library(POLYGPU_LIBLLVM NAMES LLVM-22 LLVM
    PATHS ${LLVM_LIBRARY_DIRS} NO_DEFAULT_PATH DOC "LLVM's shared library")
  find_library(POLYGPU_LIBPOLLY libPolly.a
    PATHS ${LLVM_LIBRARY_DIRS} NO_DEFAULT_PATH DOC "Polly's static library")
  mark_as_advanced(POLYGPU_LIBLLVM POLYGPU_LIBPOLLY)
  if(POLYGPU_LIBLLVM AND POLYGPU_LIBPOLLY)
    set(polygpu_llvm_libraries
      ${POLYGPU_LIBPOLLY} ${POLYGPU_ISL_LIBRARY} ${POLYGPU_LIBLLVM})
    cmake_push_check_state(RESET)
    set(CMAKE_REQUIRED_LIBRARIES ${polygpu_llvm_libraries} stdc++ m)
    set(CMAKE_REQUIRED_QUIET ON)
    check_c_source_compiles("
      extern void *isl_ctx_alloc(void);
      extern char _ZN5polly12ScopAnalysis3KeyE[]; /* polly::ScopAnalysis::Key */
      extern void *LLVMContextCreate(void);
      int main(void) {
        return !isl_ctx_alloc() + !LLVMContextCreate() +
               _ZN5polly12ScopAnalysis3KeyE[0];
      }" POLYGPU_POLLY_WORKS)
    cmake_pop_check_state()
  endif()
  if(NOT POLYGPU_POLLY_WORKS)
    message(FATAL_ERROR "PolyGPU needs libLLVM, libPolly.a and libPollyISL.a of "
      "one version in ${LLVM_LIBRARY_DIRS}: install libpolly-22-dev and "
      "llvm-22-dev")
  endif()
  set(POLYGPU_LLVM_LIBRARIES "${polygpu_llvm_libraries}" CACHE STRING
    "Libraries with Polly, isl and LLVM that the plugin links")
endif()
message(STATUS "Plugin links ${POLYGPU_LLVM_LIBRARIES}")

separate_arguments(polygpu_llvm_definitions NATIVE_COMMAND
  "${LLVM_DEFINITIONS}")
add_library(polygpu_llvm INTERFACE)
target_include_directories(polygpu_llvm SYSTEM INTERFACE
  ${LLVM_INCLUDE_DIRS} ${POLYGPU_ISL_INCLUDE})
target_compile_definitions(polygpu_llvm INTERFACE ${polygpu_llvm_definitions})
target_compile_options(polygpu_llvm INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>)
target_link_libraries(polygpu_llvm INTERFACE ${POLYGPU_LLVM_LIBRARIES})
