# Installation: the plugin, the runtime and the emulated device in lib/polygpu
# (the plugin tells programs where that device is: beside itself), the clang
# configuration files in share/polygpu, the wrapper command, the ABI header, and
# the descriptions for users' builds (CMake package, pkg-config).
include(CMakePackageConfigHelpers)

set(polygpu_lib lib/polygpu)
set(polygpu_cfg share/polygpu)
set(polygpu_cmake lib/cmake/PolyGPU)

install(TARGETS PolyGPU polygpu_rt polygpu_emulated
  LIBRARY DESTINATION ${polygpu_lib}
  ARCHIVE DESTINATION ${polygpu_lib})
install(PROGRAMS $<TARGET_FILE:polygpu-verify> DESTINATION ${polygpu_lib})
install(FILES include/polygpu/abi.h DESTINATION include/polygpu)
install(FILES LICENSE CHANGELOG.md DESTINATION share/doc/polygpu)

foreach(name polygpu.cfg polygpu-flang.cfg)
  set(polygpu_cfg_lib lib)
  configure_file(cmake/${name}.in ${PROJECT_BINARY_DIR}/${name} @ONLY)
  set(polygpu_cfg_lib ../../${polygpu_lib})
  configure_file(cmake/${name}.in ${PROJECT_BINARY_DIR}/install/${name} @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/install/${name}
    DESTINATION ${polygpu_cfg})
endforeach()

configure_package_config_file(cmake/PolyGPUConfig.cmake.in
  ${PROJECT_BINARY_DIR}/install/PolyGPUConfig.cmake
  INSTALL_DESTINATION ${polygpu_cmake}
  PATH_VARS polygpu_lib)
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/install/PolyGPUConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/install/PolyGPUConfig.cmake
  ${PROJECT_BINARY_DIR}/install/PolyGPUConfigVersion.cmake
  DESTINATION ${polygpu_cmake})

configure_file(cmake/polygpu.pc.in
  ${PROJECT_BINARY_DIR}/install/polygpu.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/install/polygpu.pc
  DESTINATION lib/pkgconfig)
