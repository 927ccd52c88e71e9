#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "models/scene/number_text.h"
#include "models/scene/validate_parts.h"

namespace pliant {
namespace {

void ValidateHold(const HoldTime& hold, const std::string& name, const char* kind, size_t i) {
  RequireNotNegative(hold.from, At(kind, i, "from"), "from");
  RequireEndsLater(hold.from, hold.until, At(kind, i, "until"),
                   std::string(kind) + " '" + name + "'");
}

void ValidateNail(const Scene& scene, size_t i) {
  const Nail& nail = scene.nails[i];
  RequirePoint(scene, nail.point, At("nail", i, "point"));
  RequirePlanarPath(scene, nail.path, At("nail", i, "path"));
  ValidateHold(nail.hold, nail.name, "nail", i);
  RequireNotNegative(nail.preroll, At("nail", i, "preroll"), "preroll");
  if (nail.preroll > nail.hold.from) {
    throw BadInput(
        {At("nail", i, "preroll"),
         "a preroll of " + Digits(nail.preroll) +
             " s would begin before the run, because the nail begins at " + Digits(nail.hold.from) +
             " s",
         "let the nail begin later: set 'from' to at least " + Digits(nail.preroll) + " s"});
  }
}

// `others` are at the same point; `pairs` are the names of nails of which that has been said.
void RequireNailedOnce(const Scene& scene, size_t i, const std::vector<const Nail*>& others,
                       std::set<std::pair<std::string, std::string>>* pairs) {
  const Nail& nail = scene.nails[i];
  for (const Nail* other : others) {
    if (nail.hold.from >= other->hold.until || other->hold.from >= nail.hold.until) continue;
    // Of two nails that share many points, one point is enough.
    if (!pairs->insert({other->name, nail.name}).second) continue;
    const bool same = other->name == nail.name;
    throw BadInput({At("nail", i, "point"),
                    "point " + std::to_string(nail.point.point) + " of body '" +
                        scene.bodies[nail.point.body].name + "' is nailed twice, by '" +
                        other->name + (same ? "'" : "' and '" + nail.name + "'") +
                        ": the constraints are redundant or contradict",
                    same ? "name each point once"
                         : "give one of them other points, or let it hold at another time"});
  }
}

void ValidateAttachment(const Scene& scene, size_t i) {
  const Attachment& attachment = scene.attachments[i];
  RequirePoint(scene, attachment.a, At("attachment", i, "a"));
  RequirePoint(scene, attachment.b, At("attachment", i, "b"));
  ValidateHold(attachment.hold, attachment.name, "attachment", i);
  if (attachment.a.body == attachment.b.body) {
    throw BadInput({At("attachment", i, "b"),
                    "attachment '" + attachment.name + "' joins body '" +
                        scene.bodies[attachment.a.body].name + "' to itself",
                    "attach points of two bodies"});
  }
}

void ValidateSlider(const Scene& scene, size_t i) {
  const Slider& slider = scene.sliders[i];
  RequirePoint(scene, slider.point, At("slider", i, "point"));
  ValidateHold(slider.hold, slider.name, "slider", i);
  switch (slider.kind) {
    case Slider::Kind::kLine:
    case Slider::Kind::kPlane: {
      const char* key = slider.kind == Slider::Kind::kLine ? "direction" : "normal";
      if (!(std::abs(slider.direction.norm() - 1.0) < 1e-9)) {
        throw BadInput(
            {At("slider", i, key), std::string("the ") + key + " must have length 1", ""});
      }
      RequirePlanar(scene, slider.direction, At("slider", i, key));
      break;
    }
    case Slider::Kind::kCurve:
      if (slider.corners.cols() < 2) {
        throw BadInput({At("slider", i, "along"), "a curve has at least two corners",
                        "give its first and last corner"});
      }
      RequireFinite(slider.corners, At("slider", i, "along"), "a corner of the curve");
      for (Eigen::Index k = 0; k < slider.corners.cols(); ++k) {
        RequirePlanar(scene, slider.corners.col(k), At("slider", i, "along"));
        if (k == 0 && !slider.closed) continue;
        const Eigen::Index before = k == 0 ? slider.corners.cols() - 1 : k - 1;
        if (slider.corners.col(k) != slider.corners.col(before)) continue;
        throw BadInput({At("slider", i, "along"), "a piece of the curve has no length",
                        "remove repeated corners"});
      }
      break;
    case Slider::Kind::kSurface:
      if (slider.obstacle < 0 || slider.obstacle >= static_cast<int>(scene.obstacles.size())) {
        throw BadInput({At("slider", i, "on"), "there is no such obstacle", ""});
      }
      break;
    case Slider::Kind::kBall:
      if (!(slider.radius > 0.0) || !std::isfinite(slider.radius)) {
        throw BadInput(
            {At("slider", i, "within"), "the radius of a ball must be more than 0 m", ""});
      }
      break;
  }
  RequireFinite(slider.through, At("slider", i, "through"), "through");
  RequirePlanar(scene, slider.through, At("slider", i, "through"));
}

void ValidateLimit(const Scene& scene, size_t i) {
  const Limit& limit = scene.limits[i];
  for (int k = 0; k < limit.size(); ++k) {
    RequirePoint(scene, limit.points[k], At("limit", i, "points"));
    for (int j = 0; j < k; ++j) {
      if (!(limit.points[j] == limit.points[k])) continue;
      throw BadInput({At("limit", i, "points"),
                      "limit '" + limit.name + "' names point " +
                          std::to_string(limit.points[k].point) + " of body '" +
                          scene.bodies[limit.points[k].body].name + "' twice",
                      "give different points"});
    }
  }
  constexpr double kPi = std::numbers::pi, kInf = std::numeric_limits<double>::infinity();
  const bool length = limit.kind == Limit::Kind::kLength;
  const double lowest = limit.kind == Limit::Kind::kTwist ? -kPi : 0.0;
  const double highest = length ? kInf : kPi;
  const std::string range =
      length ? "at least 0 m"
             : std::string("between ") + (lowest < 0.0 ? "-pi" : "0") + " and pi rad";
  const auto require = [&](double bound, const char* key) {
    if (std::isinf(bound) && (bound < 0.0) == (std::string(key) == "at_least")) return;  // none
    if (bound >= lowest && bound <= highest && std::isfinite(bound)) return;
    throw BadInput(
        {At("limit", i, key),
         std::string("the bound '") + key + "' must be " + range + ", not " + Digits(bound),
         length || !(std::abs(bound) > kPi)
             ? ""
             : "if degrees are meant, write " + ThreeDigits(bound * kPi / 180.0)});
  };
  require(limit.least, "at_least");
  require(limit.most, "at_most");
  if (!(limit.least <= limit.most)) {
    throw BadInput({At("limit", i, "at_least"),
                    "the lower bound, " + Digits(limit.least) + ", is above the upper one, " +
                        Digits(limit.most),
                    "swap at_least and at_most"});
  }
}

void ValidateCombination(const Scene& scene, size_t i) {
  const Combination& combination = scene.combinations[i];
  if (combination.terms.empty()) {
    throw BadInput({At("combination", i, "terms"), "a combination needs at least one term", ""});
  }
  for (const Combination::Term& term : combination.terms) {
    RequirePoint(scene, term.point, At("combination", i, "terms"));
    if (!std::isfinite(term.weight) || term.weight == 0.0) {
      throw BadInput({At("combination", i, "terms"), "a weight must be finite and not 0", ""});
    }
  }
  RequirePlanarPath(scene, combination.path, At("combination", i, "path"));
  ValidateHold(combination.hold, combination.name, "combination", i);
}

}  // namespace

void ValidateConstraints(const Scene& scene, const Check& check) {
  const auto each = [&](const auto& elements, void (*validate)(const Scene&, size_t)) {
    for (size_t i = 0; i < elements.size(); ++i) check([&] { validate(scene, i); });
  };
  std::map<std::pair<int, int>, std::vector<const Nail*>> at_point;  // that came before
  std::set<std::pair<std::string, std::string>> pairs;
  for (size_t i = 0; i < scene.nails.size(); ++i) {
    const PointRef& point = scene.nails[i].point;
    std::vector<const Nail*>& others = at_point[{point.body, point.point}];
    check([&] {
      ValidateNail(scene, i);
      RequireNailedOnce(scene, i, others, &pairs);
    });
    others.push_back(&scene.nails[i]);
  }
  each(scene.attachments, ValidateAttachment);
  each(scene.sliders, ValidateSlider);
  each(scene.combinations, ValidateCombination);
  each(scene.limits, ValidateLimit);
}

}  // namespace pliant
