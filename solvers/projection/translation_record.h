// The translation record of a backend that corrects positions in sweeps, except for the parts that
// depend on the model of its bodies.

#ifndef PLIANT_SOLVERS_PROJECTION_TRANSLATION_RECORD_H_
#define PLIANT_SOLVERS_PROJECTION_TRANSLATION_RECORD_H_

#include <string>
#include <vector>

#include "models/scene/scene.h"
#include "solvers/projection/options.h"
#include "solvers/simulation.h"
#include "solvers/translation.h"

namespace pliant {

// Gravity, velocities, obstacles, nails, attachments, sliders, limits, and when they hold; cartoon
// effects and motion control, which are not supported. With `finest_alone` coarse levels of force
// ignore sliders and limits, and edges and faces that meet obstacles.
void SayWhatSweepsKeep(const Scene& scene, const ProjectionOptions& options, bool finest_alone,
                       TranslationRecord* record);

// The effect of the surface of a body on others and, unless it is `rigid`, on itself, as the end of
// a sentence; empty for a body without faces and in the plane. With `finest_alone` coarse levels of
// force ignore it.
std::string WhatSurfacesDo(const Scene& scene, int body, bool rigid, double thickness,
                           bool finest_alone);

// What the edges of all cells of a body leave free: "tetrahedra are as rigid as their edges"; empty for
// one without cells.
std::string WhatCellsKeep(const Body& body);

// Contact between bodies as `surfaces` keep it: the thickness, why it is that, and the pairs that keep another distance.
void SayContactOfSurfaces(const Scene& scene, const ProjectionOptions& options,
                          const SurfaceContacts& surfaces, TranslationRecord* record);
// The same of a scene that is refused for another reason.
void SayContactOfSurfaces(const Scene& scene, const ProjectionOptions& options,
                          TranslationRecord* record);

// Warns of bodies in parts that no edge joins.
void WarnOfParts(const Scene& scene, const std::vector<bool>& rigid, Translation* translation);

// Warns of options that the scene convicts, which are kept for comparison: the velocity rule
// `corrected` with springs, tensions that sweeps do not resolve.
void WarnOfOldForms(const Scene& scene, const ProjectionOptions& options, Translation* translation);

// Warns of constraints that the initial assembly leaves open beyond the tolerance, in a line and in
// a table of the worst; `gap` and `tolerance` [m].
void WarnOfGap(double gap, double tolerance, const Simulation& simulation,
               Translation* translation);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_PROJECTION_TRANSLATION_RECORD_H_
