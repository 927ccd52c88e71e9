# cmake --install BUILD --prefix P: a program that finds its files wherever P is moved to, and the rooms
# for other projects.
#
#   P/bin/pliant
#   P/share/pliant/{data,docs,experiments}
#   P/share/bash-completion/completions/pliant, P/share/zsh/site-functions/_pliant
#   P/lib/python3.11/dist-packages/pliant       import pliant, where PLIANT_PYTHON is ON
#   P/include/pliant/{models,solvers,experiments}, P/lib/libpliant_*.a
#   P/lib/pliant              modules that the program loads when it needs them
#   P/lib/cmake/Pliant        find_package(Pliant): Pliant::models, Pliant::solvers, Pliant::experiments

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(PLIANT_SHARE_DIR ${CMAKE_INSTALL_DATADIR}/pliant)
set(PLIANT_INSTALL_MODULE_DIR ${CMAKE_INSTALL_LIBDIR}/pliant)
set(PLIANT_INCLUDE_DIR ${CMAKE_INSTALL_INCLUDEDIR}/pliant)
set(PLIANT_CONFIG_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Pliant)
# Where programs look for the modules: in the build, and relative to where they are installed.
set(PLIANT_MODULE_DIR ${PROJECT_BINARY_DIR}/modules)
set(CMAKE_BUILD_RPATH ${PLIANT_MODULE_DIR})
function(pliant_find_modules target folder)
  file(RELATIVE_PATH path /prefix/${folder} /prefix/${PLIANT_INSTALL_MODULE_DIR})
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN/${path}")
endfunction()

# From the folder of the program to the files that it ships with.
file(RELATIVE_PATH PLIANT_BIN_TO_SHARE /prefix/${CMAKE_INSTALL_BINDIR} /prefix/${PLIANT_SHARE_DIR})

function(pliant_install_program)
  install(TARGETS pliant_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(DIRECTORY data docs DESTINATION ${PLIANT_SHARE_DIR})
  install(FILES README.md CHANGELOG.md CONTRIBUTING.md CITATION.cff DESTINATION ${PLIANT_SHARE_DIR})
  # Printed by the program itself.
  foreach(shell IN ITEMS bash zsh)
    set(file bash-completion/completions/pliant)
    if(shell STREQUAL zsh)
      set(file zsh/site-functions/_pliant)
    endif()
    set(file ${CMAKE_INSTALL_DATADIR}/${file})
    install(CODE "
      get_filename_component(folder \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${file}\" DIRECTORY)
      file(MAKE_DIRECTORY \"\${folder}\")
      execute_process(COMMAND \"$<TARGET_FILE:pliant_cli>\" completion ${shell}
                      OUTPUT_FILE \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${file}\"
                      COMMAND_ERROR_IS_FATAL ANY)")
  endforeach()
  # Not install(DIRECTORY … FILES_MATCHING), which would leave an empty folder for each room of sources.
  install(CODE "
    file(GLOB_RECURSE files RELATIVE \"${PROJECT_SOURCE_DIR}\" \"${PROJECT_SOURCE_DIR}/experiments/*.toml\")
    foreach(file IN LISTS files)
      get_filename_component(folder \"\${file}\" DIRECTORY)
      file(INSTALL \"${PROJECT_SOURCE_DIR}/\${file}\"
           DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${PLIANT_SHARE_DIR}/\${folder}\")
    endforeach()")
endfunction()

function(pliant_install_rooms)
  foreach(room models solvers experiments)
    set_target_properties(pliant_${room} PROPERTIES EXPORT_NAME ${room})
    install(TARGETS pliant_${room} EXPORT PliantTargets
            ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
    install(CODE "
      file(GLOB_RECURSE files RELATIVE \"${PROJECT_SOURCE_DIR}\" \"${PROJECT_SOURCE_DIR}/${room}/*.h\")
      foreach(file IN LISTS files)
        get_filename_component(folder \"\${file}\" DIRECTORY)
        file(INSTALL \"${PROJECT_SOURCE_DIR}/\${file}\"
             DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${PLIANT_INCLUDE_DIR}/\${folder}\")
      endforeach()")
  endforeach()
  set_target_properties(pliant_flags PROPERTIES EXPORT_NAME flags)
  install(TARGETS pliant_flags EXPORT PliantTargets)
  install(EXPORT PliantTargets NAMESPACE Pliant:: DESTINATION ${PLIANT_CONFIG_DIR})
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/PliantConfig.cmake.in
                                ${PROJECT_BINARY_DIR}/PliantConfig.cmake
                                INSTALL_DESTINATION ${PLIANT_CONFIG_DIR}
                                PATH_VARS PLIANT_INSTALL_MODULE_DIR)
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/PliantConfigVersion.cmake
                                   COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/PliantConfig.cmake
                ${PROJECT_BINARY_DIR}/PliantConfigVersion.cmake DESTINATION ${PLIANT_CONFIG_DIR})
endfunction()
