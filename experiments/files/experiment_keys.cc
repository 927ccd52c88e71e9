#include "experiments/files/experiment_keys.h"

namespace pliant {

void RunKeys::Bind(KeyBinder& b) {
  b.Required("duration", &duration, "s", "simulated time; a whole number of steps");
  b.Required("step", &step, "s", "time step of every backend that has none of its own");
  b.Required("record_every", &record_every, "s", "time between records; a whole number of steps");
  b.Default("seed", &seed, "1", "seed of every random number of the run");
}

void ExperimentKeys::Bind(KeyBinder& b) {
  b.Optional("name", &name, "1", "name of the folder of its runs; else that of the file");
  b.Optional("title", &title, "1", "heading of reports; else the name");
  b.Default("description", &description, "1",
            "what it shows and what to look for; else the comment at the top of the file");
  b.Required("scene", &scene, "", "the scene file, or the keys of a scene in place");
  b.Optional("set", &set, "",
             "changes to the scene or to anything else here, such as "
             "scene.obstacle.floor.friction = 0.2");
  b.Required("run", &run, "", "times and seed");
  b.Required("backends", &backends, "", "what runs the scene: [backends.LABEL], in this order");
  b.Optional("reference", &reference, "1", "label of the backend that distances are measured to");
  b.Optional("optimize", &optimize, "",
             "a search for numbers that make a better motion: pliant optimize");
  b.Optional("sweep", &sweep, "", "what `pliant sweep` varies; no other command looks at it");
}

void BackendKeys::Bind(KeyBinder& b) {
  b.Optional("formulation", &formulation, "1", "name of the formulation when the label is not it");
  b.Optional("step", &step, "s", "time step of this backend; else that of [run]");
}

}  // namespace pliant
