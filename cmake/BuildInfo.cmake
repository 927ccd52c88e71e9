# Writes what the source tree is at (commit, changed or not) into a source file, which is touched, and
# so compiled again, only when that has changed.
#   cmake -DSOURCE=… -DTEMPLATE=… -DOUTPUT=… -P BuildInfo.cmake

function(git result)
  execute_process(COMMAND git -C ${SOURCE} ${ARGN} OUTPUT_VARIABLE output RESULT_VARIABLE status
                  ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(status EQUAL 0)
    set(${result} "${output}" PARENT_SCOPE)
  else()
    set(${result} "unknown" PARENT_SCOPE)
  endif()
endfunction()

set(PLIANT_COMMIT "unknown")
set(PLIANT_DIRTY "unknown")
# Sources unpacked into somebody else's repository are not at that repository's commit.
git(prefix rev-parse --show-prefix)
if(prefix STREQUAL "")
  git(PLIANT_COMMIT rev-parse HEAD)
  git(changes status --porcelain --untracked-files=no)
  if(changes STREQUAL "")
    set(PLIANT_DIRTY "false")
  elseif(NOT changes STREQUAL "unknown")
    set(PLIANT_DIRTY "true")
  endif()
endif()
configure_file(${TEMPLATE} ${OUTPUT} @ONLY)
