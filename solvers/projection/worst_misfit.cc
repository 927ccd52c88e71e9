#include "solvers/projection/worst_misfit.h"

#include "solvers/holds/held_points.h"

namespace pliant {

WorstMisfit WorstOf(const WorstMisfit& of_body, const SceneCorrections& corrections, double time,
                    const PointMover& mover) {
  using Kind = WorstMisfit::Kind;
  WorstMisfit worst = of_body;
  const auto widen = [&worst](Kind kind, int index, double size) {
    if (size > worst.size) worst = {kind, index, size};
  };
  for (size_t i = 0; i < corrections.holds.size(); ++i) {
    widen(Kind::kHold, static_cast<int>(i), Misfit(mover, corrections.holds[i]));
  }
  if (corrections.guides != nullptr) {
    const Guides::Worst guide = corrections.guides->FindWorst(time, mover);
    widen(Kind::kGuide, guide.index, guide.size);
  }
  for (size_t i = 0; i < corrections.contacts.size(); ++i) {
    widen(Kind::kContact, static_cast<int>(i), Violation(mover, corrections.contacts[i]));
  }
  if (corrections.surfaces != nullptr) {
    const SurfaceContacts::Worst surface = corrections.surfaces->FindWorst(mover);
    widen(Kind::kSurface, surface.index, surface.size);
  }
  return worst;
}

std::optional<WorstMisfit> FirstUnresolved(const SceneCorrections& corrections,
                                           const PointMover& mover) {
  for (size_t i = 0; i < corrections.contacts.size(); ++i) {
    if (IsResolved(mover, corrections.contacts[i])) continue;
    return WorstMisfit{WorstMisfit::Kind::kContact, static_cast<int>(i)};
  }
  if (corrections.surfaces == nullptr) return std::nullopt;
  const int first = corrections.surfaces->FirstUnresolved(mover);
  if (first < 0) return std::nullopt;
  return WorstMisfit{WorstMisfit::Kind::kSurface, first};
}

std::string NameOfWorst(const Scene& scene, const WorstMisfit& worst,
                        const SceneCorrections& corrections) {
  switch (worst.kind) {
    case WorstMisfit::Kind::kBody:
      break;
    case WorstMisfit::Kind::kHold:
      return NameOfHold(scene, corrections.holds[worst.index]);
    case WorstMisfit::Kind::kGuide:
      return corrections.guides->Name(worst.index);
    case WorstMisfit::Kind::kContact: {
      const Contact& contact = corrections.contacts[worst.index];
      return "contact of " + NameOfPoint(scene, contact.point) + " with " +
             scene.obstacles[contact.obstacle].name;
    }
    case WorstMisfit::Kind::kSurface:
      return corrections.surfaces->Name(scene, worst.index);
  }
  return "";
}

}  // namespace pliant
