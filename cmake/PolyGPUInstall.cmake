# Installation: the plugin, both runtimes and the emulated device in lib/polygpu
# (the plugin tells programs where that device is: beside itself), the clang
# configuration files in share/polygpu, the wrapper command, the ABI header, and
# the descriptions for users' builds (CMake package, pkg-config).
include(CMakePackageConfigHelpers)

set(polygpu_lib lib/polygpu)
set(polygpu_cfg share/polygpu)
set(polygpu_cmake lib/cmake/PolyGPU)

# Where LLVM's library is not where each program looks for libraries.
get_filename_component(polygpu_llvm_lib "${POLYGPU_LIBLLVM}" REALPATH)
get_filename_component(polygpu_llvm_lib "${polygpu_llvm_lib}" DIRECTORY)
if(NOT polygpu_llvm_lib IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES)
  set_property(TARGET polygpu-verify PROPERTY INSTALL_RPATH ${LLVM_LIBRARY_DIRS})
endif()
install(TARGETS PolyGPU polygpu_rt polygpu_rt_shared polygpu_emulated
    polygpu-verify
  LIBRARY DESTINATION ${polygpu_lib}
  ARCHIVE DESTINATION ${polygpu_lib}
  RUNTIME DESTINATION ${polygpu_lib})
install(FILES include/polygpu/abi.h DESTINATION include/polygpu)
install(FILES LICENSE CHANGELOG.md DESTINATION share/doc/polygpu)

# configure_cfg(NAME VARIANT DIRECTORY LIB RUNTIME): NAME.cfg, or with a variant
# NAME-VARIANT.cfg, in DIRECTORY, from which LIB leads to the libraries.
function(configure_cfg name variant directory polygpu_cfg_lib
    polygpu_cfg_runtime)
  configure_file(cmake/${name}.cfg.in ${directory}/${name}${variant}.cfg @ONLY)
endfunction()
foreach(name polygpu polygpu-flang)
  foreach(place . install)
    set(directory ${PROJECT_BINARY_DIR}/${place})
    set(lib lib)
    if(place STREQUAL "install")
      set(lib ../../${polygpu_lib})
      install(FILES ${directory}/${name}.cfg ${directory}/${name}-shared.cfg
        DESTINATION ${polygpu_cfg})
    endif()
    configure_cfg(${name} "" ${directory} ${lib}
      <CFGDIR>/${lib}/libpolygpu_rt.a)
    configure_cfg(${name} -shared ${directory} ${lib}
      <CFGDIR>/${lib}/libpolygpu_rt.so,-rpath,<CFGDIR>/${lib})
  endforeach()
endforeach()
# What compiles, for builds that link by themselves: without what is for the link.
foreach(name polygpu polygpu-flang)
  foreach(place . install)
    set(directory ${PROJECT_BINARY_DIR}/${place})
    file(READ ${directory}/${name}.cfg text)
    string(REGEX REPLACE "#[^\n]*\n|\\$[^\n]*\n" "" text "${text}")
    file(CONFIGURE OUTPUT ${directory}/${name}-compile.cfg
      CONTENT "# ${name}.cfg without the runtime.\n${text}" @ONLY)
  endforeach()
  install(FILES ${PROJECT_BINARY_DIR}/install/${name}-compile.cfg
    DESTINATION ${polygpu_cfg})
endforeach()
# These include the ones above.
foreach(variant "" -shared)
  set(polygpu_lto_includes "@polygpu${variant}.cfg")
  configure_cfg(polygpu-lto "${variant}" ${PROJECT_BINARY_DIR} lib "")
  configure_cfg(polygpu-lto "${variant}" ${PROJECT_BINARY_DIR}/install
    ../../${polygpu_lib} "")
  install(FILES ${PROJECT_BINARY_DIR}/install/polygpu-lto${variant}.cfg
    DESTINATION ${polygpu_cfg})
endforeach()

configure_package_config_file(cmake/PolyGPUConfig.cmake.in
  ${PROJECT_BINARY_DIR}/install/PolyGPUConfig.cmake
  INSTALL_DESTINATION ${polygpu_cmake}
  PATH_VARS polygpu_lib polygpu_cfg)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/install/PolyGPUConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/install/PolyGPUConfig.cmake
  ${PROJECT_BINARY_DIR}/install/PolyGPUConfigVersion.cmake
  DESTINATION ${polygpu_cmake})

function(configure_pc file polygpu_pc_name polygpu_pc_runtime)
  configure_file(cmake/polygpu.pc.in
    ${PROJECT_BINARY_DIR}/install/${file}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/install/${file}.pc
    DESTINATION lib/pkgconfig)
endfunction()
configure_pc(polygpu "" "\${libdir}/libpolygpu_rt.a")
configure_pc(polygpu-shared " with its shared runtime"
  "\${libdir}/libpolygpu_rt.so -Wl,-rpath,\${libdir}")
