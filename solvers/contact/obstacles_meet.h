// What of a body meets obstacles: obstacle_contact, one option of every formulation.

#ifndef PLIANT_SOLVERS_CONTACT_OBSTACLES_MEET_H_
#define PLIANT_SOLVERS_CONTACT_OBSTACLES_MEET_H_

#include <string>
#include <vector>

#include "solvers/parameters.h"

namespace pliant {

enum class ObstaclesMeet {
  kPoints,   // the points alone: what is smaller than an edge passes between them
  kSurface,  // edges and faces too, at their deepest places (models/contact/surface_cells.h)
};

// obstacle_contact, where the scene has an obstacle that is no plane.
void BindObstacleContact(ObstaclesMeet* meet, ParameterBinder& binder);

// For the record of a translation, after what is said of points: "; points alone meet it", or "; edges
// and faces meet it too". Nothing of a plane, which no edge meets before a point.
std::string WhatMeets(const Obstacle& obstacle, ObstaclesMeet meet);

// Warns of an obstacle that can pass between the points of a body that alone meet it.
void WarnOfPassing(const Scene& scene, ObstaclesMeet meet, std::vector<std::string>* warnings);
// The same of a formulation without the option.
void WarnOfPassingAnyPoints(const Scene& scene, std::vector<std::string>* warnings);

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONTACT_OBSTACLES_MEET_H_
