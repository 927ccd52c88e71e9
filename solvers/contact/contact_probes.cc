#include "solvers/contact/contact_probes.h"

#include "models/scene/contact_pairs.h"
#include "solvers/contact/contact_sums.h"

namespace pliant {
namespace {

// Why the contact of a probe is not defined; empty where it is.
std::string WhyNoContact(const Probe& probe, const ContactVectors& known, const Scene& scene) {
  const bool of_body = probe.of[0].points.empty();
  if (known.points && !probe.from) return "";
  if (known.pairs && of_body) {
    const bool counted = known.pairs->cols() > 0;
    return counted ? ""
                   : "it counts contact by pairs, of which here there is none, or more than " +
                         std::to_string(kMostContactPairs);
  }
  if (!known.points && !known.pairs) {
    return "it counts no impulses of contact, of points or of pairs";
  }
  return "its contact is known of whole bodies; measure the whole body: of = {body = \"" +
         scene.bodies[static_cast<size_t>(probe.of[0].body)].name + "\"}";
}

}  // namespace

std::vector<std::string> ContactProbesNotDefined(const std::vector<Probe>& probes,
                                                 const BackendInfo& info,
                                                 const Simulation& simulation) {
  std::vector<std::string> lines;
  if (!NeedContactForces(probes)) return lines;
  Observation start;
  simulation.Observe(&start);
  const ContactVectors known = ContactSums(simulation, info, ContactSums::Of::kPointsToo).At(start);
  for (const Probe& probe : probes) {
    if (!IsOfContact(probe)) continue;
    const std::string why = WhyNoContact(probe, known, simulation.scene());
    if (why.empty()) continue;
    lines.push_back("probe '" + probe.name + "' is not defined in " + info.name + ": " + why);
  }
  return lines;
}

}  // namespace pliant
