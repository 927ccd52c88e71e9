// From a script in the source's command language to an experiment of dynamic-ffd.
//
//   load_def            [[scene.body]] (outline in place), backends.dynamic-ffd.modes
//   trans, set_vec q    position and rotation of the body, `initial` of its modes
//   set_vec dq          velocity and angular_velocity of the body, `initial_rate` of its modes
//   assign K C D        stiffness = C / 2 and damping = D of mode K, since V = stiffness γ²
//   set codamA D        damping of mode 1
//   set gr_const        contact_stiffness and contact_tangential_stiffness (the K_d of both 4.24
//                       and 4.25); gr_dam: contact_damping; fr_const: contact_tangential_damping
//   set fr_sin          friction of the ground: the cap is tan θ, and this is sin θ
//   set gravity, time, end, dt
//
// The origin of the coordinates is the lattice corner, as in the source, and the scheme its Euler.

#ifndef PLIANT_EXPERIMENTS_SCRIPTS_SCRIPT_H_
#define PLIANT_EXPERIMENTS_SCRIPTS_SCRIPT_H_

#include <filesystem>
#include <string>

#include "experiments/files/experiment.h"

namespace pliant {

struct Script {
  Experiment experiment;  // named like the script
  // The same as a self-contained experiment file.
  std::string toml;
  bool debug = false;  // `set debug T`: the file is to be shown
};

// Throws FileError at the wrong command, or at the mistake in a file that it loads.
Script ReadScript(const std::filesystem::path& file);

// For a text that is, or would be, in `file`: files that it loads are relative to that.
Script ReadScript(const std::string& text, const std::filesystem::path& file);

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_SCRIPTS_SCRIPT_H_
