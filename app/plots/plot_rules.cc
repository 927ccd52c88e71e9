#include "app/plots/plot_rules.h"

namespace pliant {

const std::vector<PlotRule>& PlotRules() {
  static const std::vector<PlotRule> rules = {
      {.key = "energy-by-kind",
       .title = "Energy by kind",
       .reading = "The kinds of energy of each formulation. A kind that a formulation does not "
                  "define has no curve; it is not 0.",
       .axis = "energy",
       .panel_per_run = true,
       .common_y = true,
       .parts = {{"total_energy_J", "total"},  // first: the others are drawn over it
                 {"kinetic_energy_J", "kinetic"},
                 {"gravitational_energy_J", "gravitational"},
                 {"elastic_energy_J", "elastic"},
                 {"spring_energy_J", "spring"},
                 {"contact_energy_J", "contact"},
                 {"constraint_energy_J", "constraint springs"}}},
      {.key = "energy-stack",
       .title = "Energy stacked by kind, with the residual",
       .reading =
           "The kinds stacked, gravitational energy above its minimum; the upper edge is the "
           "total. The residual is the change of the total minus the recorded work. A kind "
           "that a formulation does not define is not drawn.",
       .axis = "energy",
       .panel_per_run = true,
       .common_y = true,
       .zero_line = true,
       .on_request = true,
       .parts = {{"kinetic_energy_J", "kinetic", true},
                 {"gravitational_energy_J", "gravitational, above its minimum", true, true},
                 {"elastic_energy_J", "elastic", true},
                 {"spring_energy_J", "spring", true},
                 {"contact_energy_J", "contact", true},
                 {"constraint_energy_J", "constraint springs", true},
                 {"residual_energy_J", "residual"}}},
      {.key = "total-energy",
       .title = "Total energy",
       .reading = "Sum of the kinds that a formulation defines. It should change only where "
                  "something does work on the material.",
       .axis = "total energy",
       .parts = {{"total_energy_J", "total energy"}}},
      {.key = "residual-energy",
       .title = "Unaccounted energy",
       .reading = "Change of total energy minus the recorded work: above 0 the method creates "
                  "energy, below 0 it loses energy without recording it.",
       .axis = "residual",
       .zero_line = true,
       .parts = {{"residual_energy_J", "residual"}}},
      {.key = "made-energy",
       .title = "Energy made by passive parts",
       .reading = "Total energy less the work of what is active (forces, impulses, servos, "
                  "obstacles and nails that move), above the lowest value it had before. Passive "
                  "parts can only take energy away: above 0 it is the discretisation that made it.",
       .axis = "made energy",
       .zero_line = true,
       .parts = {{"made_energy_J", "made energy"}}},
      {.key = "numerical-energy",
       .title = "Energy gained or lost by the discretisation",
       .reading = "The residual, and the work of nails at rest and of attachments, which truly do "
                  "none: what the discretisation gained (above 0) or lost (below 0). It vanishes "
                  "as the step shrinks, or the method converges to another motion.",
       .axis = "numerical energy",
       .zero_line = true,
       .parts = {{"numerical_energy_J", "numerical energy"}}},
      {.key = "work-by-class",
       .title = "Work since the start, by class",
       .reading = "Energy given to the material (above 0) or taken from it (below 0).",
       .axis = "work",
       .panel_per_run = true,
       .common_y = true,
       .zero_line = true,
       .parts = {{"work_force_J", "forces"},
                 {"work_impulse_J", "impulses"},
                 {"work_moved_obstacles_J", "moved obstacles"},
                 {"work_moved_nails_J", "moved nails"},
                 {"work_contact_J", "contact"},
                 {"work_constraint_J", "constraints"},
                 {"work_control_J", "control"},
                 {"work_damping_J", "damping"}}},
      {.key = "momentum",
       .title = "Linear momentum",
       .reading = "Of all material points. Constant without external forces; springs to "
                  "the world, nails, obstacles and gravity change it.",
       .axis = "",
       .common_y = true,
       .zero_line = true,
       .parts = {{"momentum_x_kg_m_s", "momentum x"},
                 {"momentum_y_kg_m_s", "momentum y"},
                 {"momentum_z_kg_m_s", "momentum z"}}},
      {.key = "spin",
       .title = "Angular momentum about the centre of mass",
       .reading = "Gravity does not change it. If it changes in free flight, the method has a "
                  "wrong equation of motion, even where its energy looks right.",
       .axis = "",
       .common_y = true,
       .zero_line = true,
       .parts = {{"spin_x_kg_m2_s", "spin x"},
                 {"spin_y_kg_m2_s", "spin y"},
                 {"spin_z_kg_m2_s", "spin z"}}},
      {.key = "momentum-residual",
       .title = "Unaccounted momentum",
       .reading = "Change of the linear momentum of the material points that no impulse from "
                  "outside accounts for: gravity, forces, contacts, nails.",
       .axis = "momentum residual",
       .logarithmic = true,
       .parts = {{"momentum_residual_kg_m_s", "residual"}}},
      {.key = "angular-momentum-residual",
       .title = "Unaccounted angular momentum",
       .reading = "The same of the angular momentum about the origin.",
       .axis = "angular momentum residual",
       .logarithmic = true,
       .parts = {{"angular_momentum_residual_kg_m2_s", "residual"}}},
      {.key = "constraint-error",
       .title = "Constraint error",
       .reading = "Largest gap of a constraint, including drift: between a nail or attachment and "
                  "the point it holds, or of a length that the method holds.",
       .axis = "largest gap",
       .logarithmic = true,
       .parts = {{"constraint_error_m", "largest gap"}}},
      {.key = "penetration",
       .title = "Penetration",
       .reading =
           "Depth of the deepest material point inside an obstacle, and of the deepest place of "
           "any edge or face. A penalty method needs some, a projection of points leaves "
           "none of the first.",
       .axis = "",
       .parts = {{"penetration_m", "deepest point"}, {"obstacle_depth_m", "deepest place"}}},
      {.key = "body-depth",
       .title = "Bodies inside one another",
       .reading = "Depth of the deepest point, middle of an edge or middle of a face of a body "
                  "inside another.",
       .axis = "deepest place in a body",
       .parts = {{"body_depth_m", "deepest place"}}},
      {.key = "self-crossings",
       .title = "Crossings of bodies with themselves",
       .reading = "Pairs of an edge and a face, in the plane of two edges, of one body that cross "
                  "and do not at rest.",
       .axis = "self-crossings",
       .parts = {{"self_crossings", "self-crossings"}}},
      {.key = "body-crossings",
       .title = "Crossings of two bodies",
       .reading = "Pairs of an edge and a face, in the plane of two edges, of two bodies that "
                  "cross.",
       .axis = "crossings of bodies",
       .parts = {{"body_crossings", "crossings"}}},
      {.key = "strain",
       .title = "Edge strain",
       .reading = "Relative change of length of the edges between material points: the largest, "
                  "and the root mean square over all.",
       .axis = "",
       .logarithmic_if_apart = true,
       .parts = {{"edge_strain_max", "largest strain"}, {"edge_strain_rms", "rms strain"}}},
      {.key = "extent",
       .title = "Volume or area",
       .reading = "Ratio to the value at rest: volume of blocks, area of sheets and profiles.",
       .axis = "extent / extent at rest",
       .parts = {{"extent_ratio", "extent ratio"}}},
      {.key = "cells",
       .title = "Inversion",
       .reading = "Signed volume or area, and the smallest signed cell, by their values at rest: "
                  "below 0 a cell, or the body, is inside out.",
       .axis = "",
       .parts = {{"signed_extent_ratio", "signed extent"}, {"cell_ratio_min", "smallest cell"}}},
      {.key = "reference-distance",
       .title = "Distance to the reference run",
       .reading = "Root mean square over all material points at the same time; of the shape alone, "
                  "without the rigid motion of each body that brings it nearest to the reference; "
                  "and of the place alone, by that motion. It measures how far apart two "
                  "formulations are, not which of them is right, unless the reference is the "
                  "yardstick: then what lies below its error is no distance.",
       .axis = "",
       .logarithmic_if_apart = true,
       .parts = {{"reference_distance_m", "rms distance"},
                 {"reference_shape_distance_m", "of the shape"},
                 {"reference_placement_distance_m", "of the place"}}},
      {.key = "condition-number",
       .title = "Conditioning",
       .reading =
           "Of the matrix named in the legend. Compare changes, not values, between methods: "
           "a solve loses about as many digits as its power of ten.",
       .axis = "condition number",
       .logarithmic = true,
       .name_with_meaning = true,
       .parts = {{"condition_number", "condition number"}}},
      {.key = "step-time",
       .title = "Cost of a step",
       .reading = "CPU time, mean between two recorded times, on the machine named below. It is "
                  "the only quantity here that another run does not reproduce.",
       .axis = "time per step",
       .logarithmic = true,
       .parts = {{"step_cpu_time_s", "time per step"}}},
  };
  return rules;
}

}  // namespace pliant
