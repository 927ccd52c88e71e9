// The thickness of a barrier at the start. One that is not given is a twentieth of the narrowest part, or the smallest
// distance between surfaces where that is less. A given one is refused where a part is narrower, or where surfaces are
// nearer than a twentieth of it; surfaces that touch are refused always.

#include <string>

#include "models/problem.h"
#include "models/scene/number_text.h"
#include "solvers/contact/rounded_down.h"
#include "solvers/contact/surface_barrier.h"

namespace pliant {
namespace {

constexpr double kOfNarrowest = 0.05;   // a thickness that is not given, of the narrowest part
constexpr double kLeastAtStart = 0.05;  // a given one may be entered so far at the start

[[noreturn]] void RefuseThickness(const std::string& what, const std::string& mend) {
  throw BadInput({"contact_thickness", what, mend});
}

}  // namespace

void SurfaceBarrier::ChooseThickness(const Scene& scene, const PointsRef& start) {
  double& d = options_.thickness;
  const bool given = d > 0.0;
  const MeetingSurfaces::Narrowest narrowest = surfaces_.FindNarrowest(start);
  if (!given) d = kOfNarrowest * narrowest.width;
  if (d > narrowest.width) {
    RefuseThickness(WhyTooThick(scene, narrowest, d),
                    "reduce contact_thickness below that width, or use fewer points");
  }
  surfaces_.Begin(start, 0.0);
  // The least gap of pairs that are no neighbours, whose pair becomes the last one; the thickness where there is none.
  const auto nearest_at_start = [&] {
    double least = d;
    surfaces_.ForEachNear(start, d, [&](const SurfacePair& pair) {
      if (AreNeighbours(pair)) return;
      const double g = GapAt(pair, start).g;
      if (g >= least) return;
      least = g;
      last_ = pair;
    });
    return least;
  };
  const double nearest = nearest_at_start();
  if (nearest >= (given ? kLeastAtStart * d : d)) return;
  const double room = 1e-6 * narrowest.width;  // well above rounding
  if (!given && nearest > room) {
    d = nearest;
    return;
  }
  const std::string start_at = NameOfLast(scene) + " start " + ThreeDigits(nearest) + " m apart";
  if (given && nearest > room) {
    // The largest thickness that is not refused. A thinner barrier has fewer neighbours, so that nearer pairs may count.
    const double asked = d;
    for (double least = nearest; least > 0.0 && least < kLeastAtStart * d;) {
      d = RoundedDown(least / kLeastAtStart);
      least = nearest_at_start();
    }
    RefuseThickness(
        start_at + ", less than a twentieth of the thickness of " + ThreeDigits(asked) + " m",
        d > room ? "use contact_thickness = " + ThreeDigits(d) + " or less, or move them apart"
                 : "move them apart");
  }
  RefuseThickness(start_at + ": a barrier keeps apart what does not touch",
                  "move the bodies apart, or say ignore = true in their [contact.A.B]");
}

}  // namespace pliant
