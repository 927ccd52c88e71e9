#include "experiments/files/experiment_keys.h"

namespace pliant {

void Bind(KeyBinder& b, RunPlan& plan) {
  b.Title("[run]");
  b.Required("duration", &plan.duration, "s", "simulated time; a whole number of steps");
  b.Required("step", &plan.step, "s", "time step of every backend that has none of its own");
  b.Required("record_every", &plan.record_every, "s",
             "time between records; a whole number of steps");
  b.Default("seed", &plan.seed, "1", "seed of every random number of the run");
}

void Bind(KeyBinder& b, ExperimentKeys& keys) {
  b.Title("the experiment");
  b.Optional("name", &keys.name, "1", "name of the folder of its runs; else that of the file");
  b.Optional("title", &keys.title, "1", "heading of reports; else the name");
  b.Default("description", &keys.description, "1",
            "what it shows and what to look for; else the comment at the top of the file");
  b.Required("scene", &keys.scene, "", "the scene file, or the keys of a scene in place");
  b.Optional("set", &keys.set, "",
             "changes to the scene or to anything else here, such as "
             "scene.obstacle.floor.friction = 0.2");
  b.Required("run", &keys.run, "", "times and seed");
  b.Required("backends", &keys.backends, "",
             "what runs the scene: [backends.LABEL], in this order");
  b.Optional("reference", &keys.reference, "1",
             "label of the backend that distances are measured to");
  b.Optional("optimize", &keys.optimize, "",
             "a search for numbers that make a better motion: pliant optimize");
  b.Optional("sweep", &keys.sweep, "", "what `pliant sweep` varies; no other command looks at it");
}

void Bind(KeyBinder& b, BackendKeys& keys) {
  b.Title("[backends.LABEL]");
  b.Optional("formulation", &keys.formulation, "1",
             "name of the formulation when the label is not it");
  b.Optional("step", &keys.step, "s", "time step of this backend; else that of [run]");
}

}  // namespace pliant
