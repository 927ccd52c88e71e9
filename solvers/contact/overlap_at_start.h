// Bodies that a scene lets begin inside one another, which the sweeps of positions do not lead apart
// (surface_contacts.h).

#ifndef PLIANT_SOLVERS_CONTACT_OVERLAP_AT_START_H_
#define PLIANT_SOLVERS_CONTACT_OVERLAP_AT_START_H_

#include <string>
#include <vector>

#include "models/contact/body_contacts.h"
#include "models/scene/scene.h"

namespace pliant {

struct OverlapAtStart {
  int a, b;      // bodies, a < b
  double depth;  // m
  BodyContact contact;
};

// The pairs of bodies that meet and of which one begins inside the other, which takes up space, by more than
// `tolerance` [m]; also where one is wholly within the other, so that nothing crosses. The depth is that of the
// deepest point, or middle of an edge or a face; of edges that go through the other body the deepest of some more
// places.
std::vector<OverlapAtStart> OverlapsAtStart(const Scene& scene, double tolerance);

// "bodies 'ball' and 'bar' begin 0.1 m inside each other".
std::string InWords(const Scene& scene, const OverlapAtStart& overlap);
// "move them apart, or set ignore = true in [contact.ball.bar]". `before`: of the name of the table, as "scene.".
std::string MendOf(const Scene& scene, const OverlapAtStart& overlap,
                   const std::string& before = "");

struct ObstacleOverlap {
  int obstacle, body;
  double depth;  // m
};
// The obstacles in which a body begins, with the depth of the deepest place of its faces, edges and points.
std::vector<ObstacleOverlap> ObstacleOverlapsAtStart(const Scene& scene);

// A line for each of these pairs, for sweeps.
void WarnOfOverlap(const Scene& scene, double tolerance, std::vector<std::string>* warnings);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONTACT_OVERLAP_AT_START_H_
