// What `load_def` loads: an object and its deformation modes.
//
//   shape = "../shapes/pot.toml"     outline: points, masses, edges, faces
//   scale = 500                      units of the script for each of the shape's
//   mass = 132                       kg
//   modes = "../modes/pot.toml"      a table of modes, or the name of its file
//   constants = [[400000, 250000]]   C [J] and D [J s] of each mode, until `assign` gives others
//
// The source has a file of matrices alone and does not print how the object itself is defined; here
// the file names both, so that the printed input runs unchanged.

#ifndef PLIANT_EXPERIMENTS_SCRIPTS_DEFORMATION_FILE_H_
#define PLIANT_EXPERIMENTS_SCRIPTS_DEFORMATION_FILE_H_

#include <string>
#include <vector>

#include "experiments/files/document.h"
#include "experiments/scripts/commands.h"

namespace pliant {

struct DeformationFile {
  std::string name;   // of the object: that of its file
  FileValue outline;  // the keys of a profile: points [m], masses [kg], edges, faces
  FileValue modes;    // a table of matrices whose entries have their stiffness and damping
};

// Reads the file that a script calls `word`, relative to the script; its ending .toml may be
// omitted. Throws FileError.
DeformationFile ReadDeformationFile(const ScriptWord& word);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_SCRIPTS_DEFORMATION_FILE_H_
