#include "solvers/kinematic_response/warnings.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "solvers/kinematic_response/patch.h"

namespace pliant::kinematic_response {

void WarnOfSinking(const Scene& scene, const RidingBody& rider,
                   const KinematicResponseOptions& options, std::vector<std::string>* warnings) {
  if (rider.maps().Has(MappedControl::kYield)) return;
  const Body& body = scene.bodies[rider.body()];
  const int levels = RidingBody::Levels(body, options);
  double longest = 0.0;
  for (int level = 0; level < levels; ++level) {
    longest += options.yield[options.yield.size() == 1 ? 0 : level];
  }
  const double most = options.reaction.Force(longest) * rider.stiffness().sum();
  const double weight = body.mass.sum() * scene.gravity.norm();
  if (most >= weight) return;
  std::ostringstream why;
  why << "the offsets of body '" << body.name
      << "' yield before they carry its weight: all points together carry "
      << "give back " << most << " N at most, but its weight is " << weight
      << " N; it will sink into the obstacle it lands on";
  warnings->push_back(why.str());
}

void WarnOfLateLevels(const KinematicResponseOptions& options, std::vector<std::string>* warnings) {
  const std::vector<double>& times = options.damping_time;
  if (options.stages() > 1) return;  // what is late in one stage may be intended for the next
  const auto latest = std::max_element(times.begin(), times.end());
  if (*latest <= times.back()) return;
  std::ostringstream why;
  why << "damping_time of level " << latest - times.begin() << " is " << *latest
      << " s, that of the finest level is " << times.back()
      << " s: the finest level absorbs what the coarser one has not yet absorbed, and this amount "
         "depends on the step";
  warnings->push_back(why.str());
}

void WarnOfIdleOptions(const Scene& scene, const std::vector<bool>& rides,
                       const KinematicResponseOptions& o, std::vector<std::string>* warnings) {
  const KinematicResponseOptions by_default;
  const auto warn = [&](const std::string& name, auto given, bool idle, const std::string& why) {
    if (idle && given(o) != given(by_default)) {
      warnings->push_back(name + " plays no part: " + why);
    }
  };
  const auto warn_of = [&](const std::string& name, auto member, bool idle,
                           const std::string& why) {
    warn(
        name, [member](const KinematicResponseOptions& of) { return of.*member; }, idle, why);
  };
  using Options = const KinematicResponseOptions&;
  warn(
      "skeleton_level", [](Options of) { return of.extensions.skeleton_level; },
      !o.extensions.has_skeleton(), "there is no skeleton");
  warn(
      "area_level", [](Options of) { return of.extensions.area_level; },
      o.extensions.area_kept == 0.0, "area_kept is 0");
  warn_of("volume_level", &KinematicResponseOptions::volume_level, o.volume_kept == 0.0,
          "volume_kept is 0");
  warn_of("rest_fraction", &KinematicResponseOptions::rest_fraction, std::isinf(o.at_rest_by),
          "at_rest_by is inf");
  const bool blind = o.relative_stiffness.empty() && o.extensions.self_contact_depth == 0.0;
  const std::string sees =
      "without relative_stiffness and self_contact_depth surfaces have no contact to share";
  warn_of("step_size", &KinematicResponseOptions::step_size, blind, sees);
  warn_of("sharing_passes", &KinematicResponseOptions::sharing_passes, blind, sees);

  const bool some_ride = std::count(rides.begin(), rides.end(), true) > 0;
  const bool some_held = std::count(rides.begin(), rides.end(), false) > 0;
  const std::string none_rides = "no body rides", none_held = "no body is held";
  // The pressure of held surfaces takes the knee, and beyond it the stiffnesses, of the reaction.
  const bool pressed_back = some_held && o.reaction.foundation_stiffness > 0.0;
  const bool bends = pressed_back && std::isfinite(o.reaction.knee);
  warn(
      "contact_stiffness", [](Options of) { return of.reaction.contact.stiffness; },
      !some_ride && !bends, none_rides);
  warn(
      "contact_damping", [](Options of) { return of.reaction.contact.damping; }, !some_ride,
      none_rides);
  warn(
      "contact_tangential_stiffness",
      [](Options of) { return of.reaction.contact.tangential_stiffness; }, !some_ride, none_rides);
  warn(
      "contact_tangential_damping",
      [](Options of) { return of.reaction.contact.tangential_damping; }, !some_ride, none_rides);
  warn(
      "reaction_knee", [](Options of) { return of.reaction.knee; }, !some_ride && !pressed_back,
      none_rides);
  warn(
      "reaction_stiffness_beyond", [](Options of) { return of.reaction.stiffness_beyond; },
      (!some_ride && !pressed_back) || std::isinf(o.reaction.knee),
      some_ride ? "reaction_knee is inf" : none_rides);
  warn(
      "foundation_stiffness", [](Options of) { return of.reaction.foundation_stiffness; },
      !some_held, none_held);
  warn(
      "proxy", [](Options of) { return of.proxy.kind; }, !some_ride, none_rides);
  const bool affine = o.proxy.kind == ProxyKind::kAffine;
  for (const auto& [name, member] :
       {std::pair("proxy_stretch_stiffness",
                  &linear_deformation::LinearMaterial::stretch_stiffness),
        std::pair("proxy_volume_stiffness", &linear_deformation::LinearMaterial::volume_stiffness),
        std::pair("proxy_damping", &linear_deformation::LinearMaterial::damping)}) {
    warn(
        name, [member = member](Options of) { return of.proxy.material.*member; },
        !affine || !some_ride, some_ride ? "the proxy is not affine" : none_rides);
  }
  warn(
      "proxy_modes", [](Options of) { return of.proxy.has_modes(); },
      o.proxy.kind != ProxyKind::kFreeForm || !some_ride,
      some_ride ? "the proxy is not free-form" : none_rides);
  warn_of("volume_kept", &KinematicResponseOptions::volume_kept, !some_held, none_held);
  warn_of("layer_thickness", &KinematicResponseOptions::layer_thickness, !some_held, none_held);
  warn_of("acceleration_limit", &KinematicResponseOptions::acceleration, !some_held, none_held);
  warn_of("casting", &KinematicResponseOptions::casting, !some_held, none_held);
  bool patched = false;
  for (size_t i = 0; i < rides.size(); ++i) {
    patched = patched || (!rides[i] && Patch::Fits(scene.bodies[i], scene.dimension));
  }
  const std::string no_patch = "no body has a patch: only held blocks and outlines have one";
  warn(
      "patch_side", [](Options of) { return of.patch.side; }, !patched, no_patch);
  warn(
      "patch_degree", [](Options of) { return of.patch.degree; }, !patched, no_patch);
}

}  // namespace pliant::kinematic_response
