# Run by CPack between installation and packing: files that Debian's packages
# have, and, with SOURCE_DATE_EPOCH, one time for all files.
set(root ${CPACK_TEMPORARY_INSTALL_DIRECTORY})
set(doc ${root}/usr/share/doc/${CPACK_PACKAGE_NAME})

# The license's general part is on every Debian system.
file(READ ${doc}/LICENSE polygpu_exception)
string(REGEX REPLACE ".*----[^-]*----\n+" "" polygpu_exception
  "${polygpu_exception}")
string(STRIP "${polygpu_exception}" polygpu_exception)
string(REPLACE "\n\n" "\n.\n" polygpu_exception "${polygpu_exception}")
string(REPLACE "\n" "\n " polygpu_exception " ${polygpu_exception}")
configure_file(${CMAKE_CURRENT_LIST_DIR}/copyright.in ${doc}/copyright @ONLY)
file(REMOVE ${doc}/LICENSE)

string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC) # or SOURCE_DATE_EPOCH's
file(WRITE ${doc}/changelog
  "${CPACK_PACKAGE_NAME} (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium\n\n"
  "  * See CHANGELOG.md.\n\n -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
execute_process(COMMAND gzip -9n ${doc}/changelog COMMAND_ERROR_IS_FATAL ANY)

if(DEFINED ENV{SOURCE_DATE_EPOCH})
  execute_process(
    COMMAND find ${root} -exec touch --no-dereference
            --date=@$ENV{SOURCE_DATE_EPOCH} {} +
    COMMAND_ERROR_IS_FATAL ANY)
endif()
