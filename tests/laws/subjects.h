// What the laws are tried on: every backend, in every mode of operation that the documentation
// makes a promise about, with that promise, and small scenes in which it shows.
//
// A new backend, or a new mode of one, is one more row in subjects.cc.

#ifndef PLIANT_TESTS_LAWS_SUBJECTS_H_
#define PLIANT_TESTS_LAWS_SUBJECTS_H_

#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "solvers/simulation.h"
#include "tests/laws/scenes.h"

namespace pliant::laws {

// How well a method keeps a quantity that nature keeps.
enum class Kept {
  kToRounding,   // whatever the step
  kToItsOrder,   // the change falls with the step at the order of the method
  kNotPromised,  // the documentation says that it changes, whatever the step
};

// What the documentation promises of a mode of operation.
struct Promises {
  // Order of the motion of a free flight; 0: none is promised.
  int order = 1;
  Kept momentum = Kept::kToRounding;
  Kept spin = Kept::kToItsOrder;
  Kept energy = Kept::kToItsOrder;
  // Does the ledger account for every change of energy in the limit of short steps? At the order of
  // the motion where forces are smooth, and in contact, which begins and ends inside steps, at
  // `contact_order`: that of the method but no more than 2, unless it says less.
  bool ledger = true;
  double contact_order = 2.0;
  double ledger_rounding = 1e-11;  // J, more where iterations end at a tolerance
  // Is its motion the same seen from elsewhere? Not where parameters are places in the world, nor
  // where rounding grows, as under the printed corrections, which do not converge.
  bool invariant = true;
  // Does it move by itself? A surface that is held does not.
  bool inertia = true;
  // True if it reports the impulse of everything outside the bodies.
  bool impulses = true;
  // And does the motion feel its moment? Not where a method spreads forces, or corrections, over other points.
  bool moments = true;
  // Of its angular momentum too, also in contact? Not where points are displaced from the material
  // whose velocity they have.
  bool angular_impulses = true;
  // True if it holds points by nails and attachments and says with what forces.
  bool holds = true;
  // True if its contacts have friction.
  bool friction = true;
};

struct Subject {
  std::string backend;  // as in the table of backends
  std::string variant;  // what the parameters choose: "rk4", "two-levels", …
  Matter matter = Matter::kSheet;
  ParameterValues parameters;  // soft materials, so that laws show within few steps
  Promises promises = {};
};

// "dynamic_ffd_rk4", in test names and in their messages.
std::string Name(const Subject& subject);
void PrintTo(const Subject& subject, std::ostream* out);

const std::vector<Subject>& Subjects();
// Those of which `promised` holds.
template <typename Predicate>
std::vector<Subject> SubjectsThat(Predicate promised) {
  std::vector<Subject> chosen;
  for (const Subject& subject : Subjects()) {
    if (promised(subject.promises)) chosen.push_back(subject);
  }
  return chosen;
}
std::vector<Subject> SubjectsWithInertia();
std::vector<Subject> SubjectsThatHold();

// Translates; fails the test when the backend refuses.
std::unique_ptr<Simulation> Start(const Subject& subject, const Scene& scene);

// Of all material, whether it has mass between its points or not.
MaterialSums SumsOf(const Scene& scene, const Observation& o);

// Runs n steps of h and observes the end. Steps that do not converge are tolerated (the methods
// that iterate report them); divergence fails the test.
Observation RunFor(Simulation* simulation, double h, int steps);

}  // namespace pliant::laws

#endif  // PLIANT_TESTS_LAWS_SUBJECTS_H_
