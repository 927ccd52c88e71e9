// Modes in a mirror: u'(r) = S u(S r) for everything that a table of modes can hold.

#include "experiments/claims/mirrored_modes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "models/geometry/lattice.h"
#include "solvers/dynamic_ffd/mode_table.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

NamedMatrix Drawn(const std::string& name, int rows, int points) {
  Eigen::MatrixXd values(rows, points);
  for (int i = 0; i < points; ++i) {
    for (int row = 0; row < rows; ++row) values(row, i) = std::sin(1.0 + 3.0 * i + 7.0 * row);
  }
  return {name, values, {}};
}

NamedMatrix Shape(const std::string& shape, const std::string& axis, const std::string& toward,
                  double angle) {
  NamedMatrix entry{shape + axis + toward, {}, {{"amount", 0.3}}};
  if (angle != 0.0) entry.scalars["angle"] = angle;
  entry.name += std::to_string(angle);
  entry.texts = {{"shape", shape}, {"axis", axis}};
  if (!toward.empty()) entry.texts["toward"] = toward;
  return entry;
}

MatrixTable SpaceTable() {
  MatrixTable table;
  table.scalars = {{"degree_x", 2.0}, {"degree_y", 3.0}, {"degree_z", 2.0}};
  table.entries.push_back(Drawn("drawn", 3, 3 * 4 * 3));
  for (const double angle : {0.0, 0.4}) {
    for (const char* axis : {"x", "y", "z"}) {
      for (const char* shape : {"stretch", "squash", "taper", "twist"})
        table.entries.push_back(Shape(shape, axis, "", angle));
      for (const char* toward : {"x", "y", "z"}) {
        if (std::string(axis) == toward) continue;
        for (const char* shape : {"shear", "bend"})
          table.entries.push_back(Shape(shape, axis, toward, angle));
      }
    }
  }
  NamedMatrix sum{"sum", {}, {}};
  sum.weights["blend"] = {{"drawn", 0.5}, {table.entries[3].name, -2.0}};
  table.entries.push_back(sum);
  return table;
}

MatrixTable PlaneTable() {
  MatrixTable table;
  table.scalars = {{"degree_x", 3.0}, {"degree_y", 2.0}};
  table.entries.push_back(Drawn("drawn", 2, 4 * 3));
  for (const char* axis : {"x", "y"}) {
    for (const char* shape : {"squash", "taper"})
      table.entries.push_back(Shape(shape, axis, "", 0.7));
    for (const char* shape : {"shear", "bend"})
      table.entries.push_back(Shape(shape, axis, std::string(axis) == "x" ? "y" : "x", 0.7));
  }
  return table;
}

void ExpectMirrored(const MatrixTable& table, int dimension, int axis) {
  const dynamic_ffd::ModeTable here = dynamic_ffd::ReadModeTable(table, dimension),
                               there = dynamic_ffd::ReadModeTable(
                                   MirroredModes(table, axis, dimension), dimension);
  const Vector3d size(2.0, 1.5, 0.8);
  const Lattice lattice(here.lattices[0].bases, -0.5 * size, size);
  const Vector3d mirror = Vector3d::Ones() - 2.0 * Vector3d::Unit(axis);
  bool differs = false;
  for (size_t k = 0; k < here.modes.size(); ++k) {
    const Eigen::Matrix3Xd u = here.DisplacementsOn(lattice, static_cast<int>(k)),
                           seen = there.DisplacementsOn(lattice, static_cast<int>(k));
    for (const Vector3d& r :
         {Vector3d(0.3, 0.2, 0.1), Vector3d(-0.7, 0.6, 0.3), Vector3d(0.9, -0.5, -0.2)}) {
      const Vector3d reflected = mirror.cwiseProduct(r);
      const Vector3d wanted = mirror.cwiseProduct(u * lattice.Weights(reflected));
      const Vector3d found = seen * lattice.Weights(r);
      EXPECT_LT((found - wanted).norm(), 1e-13) << here.modes[k].name << ", axis " << axis;
      differs = differs || (u * lattice.Weights(r) - wanted).norm() > 1e-3;
    }
  }
  EXPECT_TRUE(differs);
}

TEST(MirroredModes, MoveTheMirroredPlaceToTheMirroredSide) {
  for (int axis = 0; axis < 3; ++axis) ExpectMirrored(SpaceTable(), 3, axis);
  for (int axis = 0; axis < 2; ++axis) ExpectMirrored(PlaneTable(), 2, axis);
}

// Of a lattice over a part of a body, whose control points are drawn elsewhere than in a box.
TEST(MirroredModes, CarryTheLatticeToo) {
  MatrixTable table;
  NamedMatrix whole{"whole", {}, {{"degree_x", 1.0}, {"degree_y", 1.0}}};
  NamedMatrix part{"part", {}, {{"degree_x", 1.0}, {"degree_y", 1.0}, {"size_x", 2.0}}};
  part.scalars["lower_x"] = 0.25;
  part.values.resize(2, 4);
  part.values << 0.0, 1.5, 0.25, 2.0,  //
      0.0, 0.0, 1.0, 0.75;
  table.groups["lattice"] = {whole, part};
  NamedMatrix mode = Drawn("drawn", 2, 4);
  mode.texts["lattice"] = "part";
  table.entries = {mode};
  const dynamic_ffd::LatticePlan plan =
      dynamic_ffd::ReadModeTable(MirroredModes(table, 0, 2), 2).lattices[1];
  EXPECT_EQ(plan.lower.x(), 0.0);
  EXPECT_EQ(plan.upper.x(), 0.75);
  Eigen::MatrixXd points(2, 4);
  points << 0.5, 2.0, 0.0, 1.75,  //
      0.0, 0.0, 0.75, 1.0;
  EXPECT_EQ(plan.points.topRows(2), points);
  // Twice is the table as it was.
  const MatrixTable twice = MirroredModes(MirroredModes(table, 0, 2), 0, 2);
  EXPECT_EQ(twice.entries[0].values, table.entries[0].values);
  EXPECT_EQ(twice.groups.at("lattice")[1].values, part.values);
}

}  // namespace
}  // namespace pliant
