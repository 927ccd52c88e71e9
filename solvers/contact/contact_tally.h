// What the pairs of a scene exchange by contact (models/scene/contact_pairs.h):
//
//   impulse         on the body of the pair, of the obstacle or of the other body, since the start
//   force           magnitude of the impulse of the last step over the step: the mean force in it
//   friction work   of the part of the impulses across the normal, on the motion of the places that
//                   touch relative to each other, since the start; ≤ 0 where friction only slows

#ifndef PLIANT_SOLVERS_CONTACT_CONTACT_TALLY_H_
#define PLIANT_SOLVERS_CONTACT_CONTACT_TALLY_H_

#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "models/scene/contact_pairs.h"
#include "models/scene/scene.h"
#include "solvers/array_blocks.h"
#include "solvers/series_column.h"
#include "solvers/state_stream.h"

namespace pliant {

// The values of the columns, by pair; a formulation with further extras derives its figures from it.
struct ContactFigures {
  std::vector<std::optional<double>> impulse_x, impulse_y, impulse_z, force, friction_work;
};

// The column of AddContactColumns() for a formulation that knows forces alone, `values` a field of its figures.
template <typename Figures>
ExtraColumn<Figures> ContactForceColumn(std::vector<std::optional<double>> Figures::*values) {
  return {{"contact_force.{pair}_N", "N", "resultant contact force of {pair}, magnitude"}, values};
}

// The impulses of pairs since the start, axis by axis.
std::array<SeriesColumn, 3> ContactImpulseColumns();

// Of figures that derive from ContactFigures. Their names contain "{pair}".
template <typename Figures>
void AddContactColumns(ExtraColumns<Figures>* columns) {
  const auto add = [columns](const char* name, const char* unit, const char* meaning,
                             std::vector<std::optional<double>> Figures::*values) {
    columns->push_back({{name, unit, meaning}, values});
  };
  const std::array<SeriesColumn, 3> impulse = ContactImpulseColumns();
  columns->push_back({impulse[0], &Figures::impulse_x});
  columns->push_back({impulse[1], &Figures::impulse_y});
  columns->push_back({impulse[2], &Figures::impulse_z});
  add("contact_force.{pair}_N", "N", "mean contact force of {pair} in the last step, magnitude",
      &Figures::force);
  add("friction_work.{pair}_J", "J", "work of friction of {pair} since the start",
      &Figures::friction_work);
}

class ContactTally {
 public:
  explicit ContactTally(const Scene& scene);

  void Begin();           // a step
  void End(double step);  // s
  // An impulse [N s] on `body`, whose part across the unit normal is friction, and the motion of the
  // body relative to what it touches [m/s].
  void AddObstacle(int body, int obstacle, const Eigen::Vector3d& impulse,
                   const Eigen::Vector3d& normal, const Eigen::Vector3d& motion) {
    Add(Number(of_obstacles_, body, obstacle), 1.0, impulse, normal, motion);
  }
  // On body a, the opposite on b.
  void AddBodies(int a, int b, const Eigen::Vector3d& impulse, const Eigen::Vector3d& normal,
                 const Eigen::Vector3d& motion) {
    Add(Number(of_bodies_, std::min(a, b), std::max(a, b)), a < b ? 1.0 : -1.0, impulse, normal,
        motion);
  }
  int BodyOf(int point) const { return body_of_point_[point]; }
  bool empty() const { return pairs_.empty(); }
  int pairs() const { return static_cast<int>(pairs_.size()); }
  // What was added since Begin() [N s], for schemes that apply another share of it in the step.
  Eigen::Vector3d& of_step(int pair) { return pairs_[pair].of_step; }

  // Without work of friction: impulses of which no part is friction. For formulations whose contact is a force of the
  // present state: between Begin() and Forces() each force is added in place of an impulse [N], and nothing of it stays.
  void AddObstacleForce(int body, int obstacle, const Eigen::Vector3d& force) {
    AddObstacle(body, obstacle, force, Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero());
  }
  void AddBodyForce(int a, int b, const Eigen::Vector3d& force) {  // on body a
    AddBodies(a, b, force, Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero());
  }
  // Magnitude of what was added to each pair since Begin().
  std::vector<std::optional<double>> Forces() const;

  void Show(ContactFigures* figures) const;

  int numbers() const { return kNumbers * static_cast<int>(pairs_.size()); }  // saved
  void Save(StateWriter* write) const;
  void Restore(StateReader* read);
  void AddTo(StateBlocks* layout) const;  // of Save()

 private:
  static constexpr int kNumbers = 5;  // of each pair
  struct Pair {
    Eigen::Vector3d impulse = Eigen::Vector3d::Zero();  // N s, since the start
    double force = 0.0;                                 // N
    double friction_work = 0.0;                         // J
    Eigen::Vector3d of_step = Eigen::Vector3d::Zero();  // N s
  };
  static int Number(const std::vector<int>& table, int row, int column, int width) {
    return table.empty() ? -1 : table[row * width + column];
  }
  int Number(const std::vector<int>& table, int row, int column) const {
    return Number(table, row, column, &table == &of_obstacles_ ? obstacles_ : bodies_);
  }
  void Add(int pair, double sign, const Eigen::Vector3d& impulse, const Eigen::Vector3d& normal,
           const Eigen::Vector3d& motion);

  int obstacles_, bodies_;
  std::vector<int> body_of_point_;
  std::vector<int> of_obstacles_,
      of_bodies_;  // number of the pair by body and obstacle, or bodies;
                   // −1: none
  std::vector<Pair> pairs_;
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_CONTACT_CONTACT_TALLY_H_
