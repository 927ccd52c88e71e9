# Installs into a scratch folder, moves it, runs the program there, and builds the consumer against it.
#   cmake -DBUILD=… -DCONSUMER=… -DSCRATCH=… -DGENERATOR=… -DC_COMPILER=… -DCXX_COMPILER=… -DCONFIG=… -DPYTHON=…
#         -DMODULES=… -P install_test.cmake

cmake_minimum_required(VERSION 3.25)

function(run)
  execute_process(COMMAND ${ARGV} WORKING_DIRECTORY ${SCRATCH} RESULT_VARIABLE status
                  OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGV}\nexit status ${status}\n${out}")
  endif()
  set(out "${out}" PARENT_SCOPE)
endfunction()

function(expect text part)
  if(NOT "${text}" MATCHES "${part}")
    message(FATAL_ERROR "expected '${part}' in:\n${text}")
  endif()
endfunction()

file(REMOVE_RECURSE ${SCRATCH})
file(MAKE_DIRECTORY ${SCRATCH})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${SCRATCH}/installed)
file(RENAME ${SCRATCH}/installed ${SCRATCH}/moved)

# An experiment that the sources do not have: the list is that of the installed files.
file(COPY_FILE ${SCRATCH}/moved/share/pliant/experiments/pendulum.toml
     ${SCRATCH}/moved/share/pliant/experiments/only-here.toml)
run(moved/bin/pliant list experiments)
expect("${out}" "only-here ")
run(moved/bin/pliant list scenes)
expect("${out}" "pendulum ")
run(moved/bin/pliant run moved/share/pliant/experiments/only-here.toml
    --backend linear-deformation --set run.duration=0.01)
expect("${out}" "runs/only-here/linear-deformation\n")
foreach(script bash-completion/completions/pliant zsh/site-functions/_pliant)
  file(READ ${SCRATCH}/moved/share/${script} text)
  expect("${text}" "complete -o filenames -F _pliant pliant")
endforeach()
# Links of the pages, read where they are installed.
foreach(page README.md docs/tutorial.md)
  file(READ ${SCRATCH}/moved/share/pliant/${page} text)
  string(REGEX MATCHALL "\\([A-Za-z./_-]+\\.(md|png)\\)" links "${text}")
  get_filename_component(folder ${SCRATCH}/moved/share/pliant/${page} DIRECTORY)
  foreach(link IN LISTS links)
    string(REGEX REPLACE "[()]" "" link "${link}")
    if(NOT EXISTS ${folder}/${link})
      message(FATAL_ERROR "${page} refers to ${link}, which is not installed")
    endif()
  endforeach()
endforeach()
foreach(room experiments/files experiments/runs)
  if(EXISTS ${SCRATCH}/moved/share/pliant/${room})
    message(FATAL_ERROR "share/pliant/${room} is a room of sources")
  endif()
endforeach()

# A search of pagmo finds its module, and says in one line when it does not.
if(EXISTS ${SCRATCH}/moved/${MODULES}/libpliant_pagmo.so)
  set(search moved/bin/pliant optimize moved/share/pliant/experiments/faloutsos-1995/faloutsos-bounding-speed.toml
      --unset claim --set run.duration=0.02 --set optimize.trials=2 --set optimize.methods.pagmo-sade.population=7
      --method pagmo-sade --overwrite)
  run(${search})
  expect("${out}" "runs/faloutsos-bounding-speed/optimize\n")
  file(RENAME ${SCRATCH}/moved/${MODULES} ${SCRATCH}/elsewhere)
  execute_process(COMMAND ${search} WORKING_DIRECTORY ${SCRATCH} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(NOT status EQUAL 2)
    message(FATAL_ERROR "a search without its module: exit status ${status}\n${out}")
  endif()
  expect("${out}" "LD_LIBRARY_PATH")
  run(${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${SCRATCH}/elsewhere ${search})
  file(RENAME ${SCRATCH}/elsewhere ${SCRATCH}/moved/${MODULES})
endif()

# The Python module finds the files beside it, and the library that it was linked with.
if(PYTHON)
  file(GLOB site ${SCRATCH}/moved/lib/python3*/dist-packages)
  file(WRITE ${SCRATCH}/look.py "import pliant\nprint(pliant.__file__)\nprint(pliant.load('only-here').translate('linear-deformation').advance(0.0005))\n")
  run(${CMAKE_COMMAND} -E env PYTHONPATH=${site} PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 look.py)
  expect("${out}" "moved/lib/python3")
  expect("${out}" "advanced")
endif()

run(${CMAKE_COMMAND} -S ${CONSUMER} -B consumer -G ${GENERATOR} -DCMAKE_BUILD_TYPE=${CONFIG}
    -DCMAKE_C_COMPILER=${C_COMPILER} -DCMAKE_CXX_COMPILER=${CXX_COMPILER}
    -DCMAKE_PREFIX_PATH=${SCRATCH}/moved)
run(${CMAKE_COMMAND} --build consumer)
run(consumer/consumer ${SCRATCH}/moved/share/pliant/experiments/pendulum.toml)
expect("${out}" "A triple pendulum")
expect("${out}" "linear-deformation")
