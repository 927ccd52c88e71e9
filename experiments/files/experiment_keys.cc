#include "experiments/files/experiment_keys.h"

namespace pliant {

void Bind(KeyBinder& b, RunPlan& plan) {
  b.Title("[run]");
  b.Required("duration", &plan.duration, "s", "simulated time; a whole number of steps");
  b.Required("step", &plan.step, "s", "time step of every backend without a step of its own");
  b.Required("record_every", &plan.record_every, "s",
             "time between records; a whole number of steps");
  b.Default("seed", &plan.seed, "1", "seed of all random numbers of the run");
  b.Default("made_energy_share", &plan.made_energy_share, "1",
            "fraction of the energy at stake that passive parts may gain before the run counts as "
            "\"gained energy\"");
  b.Optional(
      "lost_energy_share", &plan.lost_energy_share, "1",
      "fraction of the energy at stake that the discretisation may lose (numerical_energy_J "
      "below the highest value it had) before the run counts as \"lost energy\"; default: no "
      "limit");
  b.Default("not_converged_share", &plan.not_converged_share, "1",
            "fraction of all steps that may fail to converge before the run counts as \"did not "
            "converge\"");
  b.Default("may_go_through", &plan.may_go_through, "1",
            "whether a body may go through an obstacle or another body; with false the run counts "
            "as \"went through\" then. An event says so in any case");
  b.Optional("max_wall_seconds", &plan.max_wall_seconds, "s",
             "wall time of all steps after which the run stops: \"budget exceeded\"; default: no "
             "limit");
  b.Default(
      "record", &plan.record, "",
      "groups of arrays that points.h5 keeps beside the points, of the backends that have them "
      "(pliant list backends NAME): modes, multipliers, levels, transfer, equations and others");
}

void Bind(KeyBinder& b, ExperimentKeys& keys) {
  b.Title("the experiment");
  b.Optional("name", &keys.name, "1", "name of the folder of its runs; default: that of the file");
  b.Optional("title", &keys.title, "1", "heading of reports; default: the name");
  b.Default("description", &keys.description, "1",
            "what it shows and what to look for; default: the comment at the top of the file");
  b.Required("scene", &keys.scene, "", "the scene file, or a table with the keys of a scene");
  b.Optional(
      "set", &keys.set, "",
      "overrides of the scene or of other keys, such as scene.obstacle.floor.friction = 0.2");
  b.Required("run", &keys.run, "", "times and seed");
  b.Optional("probe", &keys.probes, "",
             "quantities that are measured on points of the scene, each a column of series.csv: "
             "[[probe]]");
  b.Required("backends", &keys.backends, "",
             "the backends that run the scene: [backends.LABEL], in this order");
  b.Optional("reference", &keys.reference, "1",
             "label of the backend to which distances are measured; \"yardstick\": the converged "
             "solution that `pliant yardstick` keeps; or the path of a run bundle, or of a table "
             "of measured values (.csv)");
  b.Optional("optimize", &keys.optimize, "",
             "a search for numbers that give a better motion: pliant optimize");
  b.Optional("sweep", &keys.sweep, "",
             "the keys that `pliant sweep` varies; other commands ignore it");
  b.Optional(
      "refine", &keys.refine, "",
      "the ladder of finer runs of `pliant refine` and `pliant verify`; default: three steps");
  b.Optional("yardstick", &keys.yardstick, "",
             "how sure `pliant yardstick` is to be; default: half a percent of each range");
  b.Optional("claim", &keys.claims, "",
             "claims about its results, which `pliant verify` checks: [[claim]]");
}

void Bind(KeyBinder& b, BackendKeys& keys) {
  b.Title("[backends.LABEL]");
  b.Optional("formulation", &keys.formulation, "1",
             "name of the formulation, if it differs from the label");
  b.Optional("step", &keys.step, "s", "time step of this backend; default: that of [run]");
  b.Optional("scene", &keys.scene, "",
             "changes of the scene for this backend alone, its variant: a table with the keys of a "
             "scene, as for --set scene.…; or the name of a scene file that it runs instead");
  b.Optional("unset", &keys.unset, "1",
             "elements and keys of the scene that this backend does without, as for --unset: "
             "[\"scene.nail.hook\"]");
  b.Optional("variant", &keys.variant, "1",
             "written by runs: what is otherwise in the scene of this backend, in words");
}

}  // namespace pliant
