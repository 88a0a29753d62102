# Read by CPack before it packs: the packages of the libraries that ours need.
# CPack can ask for them itself, but then makes scripts that run ldconfig, which
# has nothing to do with libraries in a folder of our own.
find_program(shlibdeps dpkg-shlibdeps)
if(CPACK_GENERATOR STREQUAL "DEB" AND shlibdeps)
  set(folder ${CPACK_PACKAGE_DIRECTORY}/shlibdeps)
  file(WRITE ${folder}/debian/control
    "Source: ${CPACK_PACKAGE_NAME}\n\nPackage: ${CPACK_PACKAGE_NAME}\nArchitecture: any\n")
  execute_process(
    COMMAND ${shlibdeps} -O --ignore-missing-info ${CPACK_POLYGPU_BINARIES}
    WORKING_DIRECTORY ${folder}
    OUTPUT_VARIABLE depends
    ERROR_QUIET
    OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
  file(REMOVE_RECURSE ${folder})
  # In one order, and without LLVM, of which an exact version is there already;
  # dpkg-shlibdeps names it now and then.
  string(REGEX REPLACE "shlibs:Depends=|libllvm[0-9]+[^,]*(, |$)" "" depends
    "${depends}")
  string(REPLACE ", " ";" depends "${depends}")
  list(SORT depends)
  list(JOIN depends ", " depends)
  string(APPEND CPACK_DEBIAN_PACKAGE_DEPENDS ", ${depends}")
endif()
