#include <fmt/format.h>
#include <pybind11/eigen.h>
#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <array>

#include "app/python/held_simulation.h"
#include "app/python/loaded_experiment.h"
#include "app/python/values.h"
#include "experiments/bundles/inspection.h"
#include "models/problem.h"

namespace pliant {
namespace py = pybind11;
namespace {

// Made once: a step returns one of them without making anything.
py::object Word(StepOutcome::Kind kind) {
  static const std::array<py::handle, 3> words = {py::str("advanced").release(),
                                                  py::str("not converged").release(),
                                                  py::str("diverged").release()};
  return py::reinterpret_borrow<py::object>(words[static_cast<size_t>(kind)]);
}

py::list ToPython(const std::vector<NamedArray>& arrays) {
  py::list list;
  for (const NamedArray& array : arrays) {
    py::dict one;
    one["group"] = array.group;
    one["name"] = array.name;
    one["unit"] = array.unit;
    one["meaning"] = array.meaning;
    one["rows"] = array.rows;
    one["columns"] = array.columns;
    one["values"] = array.values;
    list.append(one);
  }
  return list;
}

py::object Work(const HeldObservation& o) {
  if (!o.values.work) return py::none();
  py::dict work;
  for (int c = 0; c < kWorkClasses; ++c) {
    const auto work_class = static_cast<WorkClass>(c);
    work[py::str(std::string(ToString(work_class)))] = (*o.values.work)[work_class];
  }
  return work;
}

py::dict Extras(const HeldObservation& o) {
  py::dict extras;
  for (size_t i = 0; i < o.values.extras.size() && i < o.extras.size(); ++i)
    extras[py::str(o.extras[i].name)] = pliant::ToPython(o.values.extras[i]);
  return extras;
}

HandTool ToolNamed(const std::string& kind) {
  if (kind == "spring") return HandTool::kDrag;
  if (kind == "nail") return HandTool::kNail;
  throw BadInput({"kind", "there is no hand '" + kind + "'", DidYouMean(kind, {"spring", "nail"})});
}

// What `pliant inspect` prints of a bundle at a time.
py::tuple InspectBundle(const std::filesystem::path& folder, std::optional<double> time) {
  Inspection seen;
  {
    const py::gil_scoped_release release;
    const Bundle bundle = Bundle::Open(folder);
    seen = Inspect(bundle, NearestFrame(bundle, time));
  }
  return py::make_tuple(seen.time, ToPython(seen.arrays));
}

// Observes a simulation of its own so many times without Python: what observe() is measured against.
void ObserveNatively(const LoadedExperiment& loaded, const std::string& label, int times) {
  const Translation translation = TranslateFor(*loaded.experiment, loaded.IndexOf(label));
  Observation seen;
  for (int i = 0; i < times; ++i) translation.simulation->Observe(&seen);
}

template <typename T>
auto Member(T Observation::*member) {
  return [member](const HeldObservation& o) { return o.values.*member; };
}

}  // namespace

void BindSimulation(py::module_& m) {
  py::class_<HeldObservation, std::shared_ptr<HeldObservation>>(
      m, "Observation", "What a simulation shows; see pliant.Observation.")
      .def_property_readonly("time", Member(&Observation::time), "Time [s].")
      .def_property_readonly(
          "points", [](const HeldObservation& o) { return o.points.read_only(); },
          "3×n, world [m]: a read-only view that the next observe() writes into.")
      .def_property_readonly(
          "velocities",
          [](const HeldObservation& o) -> py::object {
            if (!o.values.velocities) return py::none();
            return o.velocities.read_only();
          },
          "3×n, world [m/s], a view as points; None where the formulation has none.")
      .def_property_readonly("elastic_energy", Member(&Observation::elastic_energy),
                             "Energy of deformation [J]; None where the formulation defines none.")
      .def_property_readonly("spring_energy", Member(&Observation::spring_energy),
                             "Energy of the springs of the scene [J], or None.")
      .def_property_readonly("contact_energy", Member(&Observation::contact_energy),
                             "Energy stored in contacts (penalty springs, barriers) [J], or None.")
      .def_property_readonly("constraint_energy", Member(&Observation::constraint_energy),
                             "Energy of springs that stand in for constraints [J], or None.")
      .def_property_readonly("gravity_acts", Member(&Observation::gravity_acts),
                             "False where the formulation ignores gravity.")
      .def_property_readonly("constraint_error", Member(&Observation::constraint_error),
                             "Largest gap of the constraints [m], or None.")
      .def_property_readonly("constraint_rate", Member(&Observation::constraint_rate),
                             "Largest rate of a gap [m/s], or None.")
      .def_property_readonly(
          "condition_number", Member(&Observation::condition_number),
          "Condition number of the matrix that the formulation solves with [1], or None.")
      .def_property_readonly("regularisation", Member(&Observation::regularisation),
                             "What was added to make that matrix regular, or None.")
      .def_property_readonly(
          "iterations", Member(&Observation::iterations),
          "Sweeps or evaluations since the start, or None where nothing is iterated.")
      .def_property_readonly(
          "work", &Work,
          "Work of all forces that no energy contains since the start [J] by class, or None.")
      .def_property_readonly(
          "extras", &Extras,
          "Quantities of the formulation by name, which ends with the unit; None = not defined.")
      .def("__repr__", [](const HeldObservation& o) {
        return fmt::format("<pliant.Observation of {} points at {:g} s>", o.values.points.cols(),
                           o.values.time);
      });

  py::class_<HeldSimulation>(m, "Simulation", "A backend with a state; see pliant.Simulation.")
      .def(py::init([](const LoadedExperiment& loaded, const std::string& label, bool keep) {
             const size_t index = loaded.IndexOf(label);
             const py::gil_scoped_release release;
             return std::make_unique<HeldSimulation>(loaded.experiment, index, keep);
           }),
           py::arg("experiment"), py::arg("label"), py::arg("keep_constraint_forces"))
      .def_property_readonly("refused", &HeldSimulation::refused)
      .def_property_readonly(
          "why_refused",
          [](const HeldSimulation& s) { return s.translation().record.WhyUnsupported(); })
      .def_property_readonly(
          "label", [](const HeldSimulation& s) { return s.choice().label; },
          "Of the backend in its experiment.")
      .def_property_readonly(
          "backend", [](const HeldSimulation& s) { return s.choice().backend->info().name; },
          "The formulation.")
      .def_property_readonly(
          "step", [](const HeldSimulation& s) { return s.choice().step; },
          "The step of the experiment for this backend [s].")
      .def_property_readonly("record",
                             [](const HeldSimulation& s) {
                               return pliant::ToPython(s.translation().record.Entries());
                             })
      .def_property_readonly(
          "warnings", [](const HeldSimulation& s) { return s.translation().warnings; },
          "What the formulation warns of.")
      .def_property_readonly("time", &HeldSimulation::time, "Time [s].")
      .def(
          "advance",
          [](HeldSimulation& s, double step, std::int64_t steps) {
            return Word(s.Advance(step, steps));
          },
          py::arg("step"), py::arg("steps") = 1,
          R"(Makes `steps` steps of `step` seconds each, with the interpreter lock released unless they take microseconds.

Returns "advanced", "not converged" (the state is the best one found) or "diverged": the worst of the steps. After
"diverged", which ends the call, the state has no meaning until restore(); `quantity` names what it was.

Raises:
    BadInput: the step is not finite and above 0, or steps is below 1.
    RuntimeError: another thread is using this simulation; it diverged before; it was made before a fork().
    KeyboardInterrupt: Ctrl-C; the state is that of the last step made.)")
      .def_property_readonly(
          "lock_releases", &HeldSimulation::lock_releases,
          "How many calls of advance() and observe() released the interpreter lock.")
      .def_property_readonly("quantity", &HeldSimulation::quantity,
                             "What diverged or did not converge last; empty before.")
      .def("observe", &HeldSimulation::Observe,
           R"(The present state as material points and energies: the same object at each call.

`points` (3×n [m], world) and `velocities` (3×n [m/s], or None) are read-only views of arrays that the next observe()
writes into: copy what you keep. They stay valid when the simulation is gone. Energies are in J. What is not defined for
the formulation is None.)")
      .def(
          "save", &HeldSimulation::Save,
          R"(The whole state: a new vector of float64, always of one size for one simulation; see state_layout.)")
      .def("restore", &HeldSimulation::Restore, py::arg("state"),
           R"(Goes on from a state that save() gave, bit for bit. Later events are forgotten.

Raises:
    TypeError: it is no NumPy array of float64.
    BadInput: it has another shape, holds NaN, or has no clock.)")
      .def("measure", &HeldSimulation::Measure,
           R"(The present row of the series: {"total_energy_J": 1.2, …}, None = not defined.

Residuals and made energy count from the first measure() after the start, restore() or a hand.)")
      .def(
          "constraint_forces", &HeldSimulation::ConstraintForces,
          R"(Forces of holds on each point, 3×n, world [N], zero where there are none; None where not defined.

Needs translate(…, constraint_forces=True). They are the forces that act in the next step; of position-based and
displacement-constraints, which know them only afterwards, the mean over the last step, and None before the first.)")
      .def(
          "arrays",
          [](HeldSimulation& s, const std::string& group) { return ToPython(s.Arrays(group)); },
          py::arg("group") = "")
      .def_property_readonly("events",
                             [](HeldSimulation& s) {
                               py::list events;
                               for (const SimulationEvent& event : s.Events())
                                 events.append(py::make_tuple(event.time, event.what));
                               return events;
                             })
      .def_property_readonly(
          "state_layout",
          [](HeldSimulation& s) {
            py::list blocks;
            int first = 0;
            for (const StateBlock& block : s.StateLayout()) {
              blocks.append(py::make_tuple(first, block.size, block.unit, block.name));
              first += block.size;
            }
            return blocks;
          })
      .def_property_readonly("unmet",
                             [](HeldSimulation& s) {
                               py::list unmet;
                               for (const UnmetConstraint& one : s.Unmet())
                                 unmet.append(py::make_tuple(one.name, one.size, one.unit));
                               return unmet;
                             })
      .def(
          "hold",
          [](HeldSimulation& s, const std::string& body, const py::object& point,
             const std::string& kind, double strength, const Eigen::Vector3d& target) {
            return s.Hold(body, point, ToolNamed(kind), strength, target);
          },
          py::arg("body"), py::arg("point"), py::arg("kind"), py::arg("strength"),
          py::arg("target"))
      .def("move_hand", &HeldSimulation::MoveHand, py::arg("hand"), py::arg("target"))
      .def("release", &HeldSimulation::Release, py::arg("hand"))
      .def("holds", &HeldSimulation::Holds, py::arg("hand"))
      .def_property_readonly("holding", &HeldSimulation::holding, "Whether any hand holds a point.")
      .def(
          "toml", &HeldSimulation::Toml,
          R"(The experiment with everything that hands did so far, as one TOML text: the command line repeats the run.)");
  m.def("observe_natively", &ObserveNatively, py::arg("experiment"), py::arg("label"),
        py::arg("times"));
  m.def("inspect", &InspectBundle, py::arg("bundle"), py::arg("time"));
}

}  // namespace pliant
