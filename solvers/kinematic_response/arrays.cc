// The arrays of kinematic response: offsets, displacement vectors and positions of every level of every
// surface, and the linear transfer operators between levels [Harrison 1994, Secs. 4.1, 5.1, 5.2].

#include <limits>
#include <string>

#include "models/kinematic_response/transfer.h"
#include "solvers/array_blocks.h"
#include "solvers/kinematic_response/kinematic_response_simulation.h"

namespace pliant::kinematic_response {
namespace {

using Eigen::MatrixXd;

constexpr char kLevels[] = "levels";
constexpr char kTransfer[] = "transfer";
constexpr char kReaction[] = "reaction";

// The matrix of a linear map of vectors: column by column, three at a time.
template <typename Map>
MatrixXd MatrixOf(int rows, int columns, const Map& map) {
  MatrixXd matrix(rows, columns);
  for (int first = 0; first < columns; first += 3) {
    GridVectors of_each = GridVectors::Zero(columns, 3), mapped = GridVectors::Zero(rows, 3);
    const int count = std::min(3, columns - first);
    for (int k = 0; k < count; ++k) of_each(first + k, k) = 1.0;
    map(of_each, &mapped);
    matrix.middleCols(first, count) = mapped.leftCols(count);
  }
  return matrix;
}

std::string Suffix(const std::string& body, int level) {
  return "." + body + "." + std::to_string(level);
}

void AddLevels(const KinematicResponse& response, const SurfaceOffsets& offsets, bool knows_pass,
               const std::string& body, std::vector<NamedArray>* arrays) {
  const MultiresolutionSurface& model = response.model();
  for (int j = 0; j < model.levels(); ++j) {
    const auto add = [&](const char* name, const char* meaning,
                         const std::vector<std::string>& columns, const MatrixXd& values) {
      arrays->push_back({kLevels, name + Suffix(body, j), "m", meaning, {}, columns, values});
    };
    const std::vector<std::string> world = {"x", "y", "z"}, local = {"t_u", "t_v", "n"};
    const std::vector<std::string>& frame = j == 0 ? world : local;
    add("elastic", "elastic offsets o, in the frames of the prolongated level", frame,
        offsets.elastic[j]);
    add("plastic", "plastic offsets p, likewise", frame, offsets.plastic[j]);
    add("rest", "rest offsets r, likewise", frame, model.rest(j));
    MatrixXd d = response.level_displacements()[j];
    if (!knows_pass) d.setConstant(std::numeric_limits<double>::quiet_NaN());
    add("displacements", "displacement vectors d of the last pass, as restricted; NaN before it",
        world, d);
    add("surface", "positions s: in the world, of a riding surface in the frame of its proxy",
        world, response.levels()[j]);
  }
}

void AddTransfer(const MultiresolutionSurface& model, Restriction restriction,
                 const std::string& body, std::vector<NamedArray>* arrays) {
  for (int j = 1; j < model.levels() && !model.is_mesh(); ++j) {
    const GridSize &coarse = model.grid(j - 1), &fine = model.grid(j);
    if (!IsShown(fine.size(), coarse.size())) continue;
    arrays->push_back(
        {kTransfer,
         "P" + Suffix(body, j),
         "1",
         "prolongation to the level from the next coarser one",
         {},
         {},
         MatrixOf(fine.size(), coarse.size(), [&](const GridVectors& in, GridVectors* out) {
           Prolongate(model.prolongation(), coarse, in, fine, out);
         })});
    if (restriction != Restriction::kFullWeighting) continue;
    arrays->push_back(
        {kTransfer,
         "R" + Suffix(body, j),
         "1",
         "restriction from the level to the next coarser one",
         {},
         {},
         MatrixOf(coarse.size(), fine.size(), [&](const GridVectors& in, GridVectors* out) {
           Restrict(restriction, fine, in, coarse, out);
         })});
  }
}

}  // namespace

std::vector<ArrayGroup> ArrayGroups() {
  return {{kLevels,
           "elastic, plastic and rest offsets, displacement vectors and positions of each level, 0 "
           "the coarsest"},
          {kTransfer,
           "prolongation P of grids and, of full-weighting alone, which is linear, restriction R"},
          {kReaction, "force and moments of pressed surfaces on their proxies"}};
}

std::vector<NamedArray> KinematicResponseSimulation::Arrays(std::string_view group) const {
  std::vector<NamedArray> arrays;
  const auto wants = [group](const char* name) { return group.empty() || group == name; };
  const auto add = [&](const KinematicResponse& response, const SurfaceOffsets& offsets, int b) {
    const std::string& body = scene().bodies[b].name;
    if (wants(kLevels)) AddLevels(response, offsets, knows_pass_, body, &arrays);
    if (wants(kTransfer)) AddTransfer(response.model(), options_.restriction, body, &arrays);
  };
  for (const Surface& surface : surfaces_) add(surface.response, surface.offsets, surface.body);
  for (const RidingBody& rider : riders_) {
    if (!rider.rigid()) add(rider.response(), rider.offsets(), rider.body());
    if (!wants(kReaction)) continue;
    const std::string& body = scene().bodies[rider.body()].name;
    const Load& load = rider.reaction();
    const std::vector<std::string> axes = {"x", "y", "z"};
    arrays.push_back(
        {kReaction, "force." + body, "N", "Σ f of the pressed points", axes, {}, load.force});
    arrays.push_back({kReaction,
                      "moment." + body,
                      "N m",
                      "Σ a × f about the centre of mass",
                      axes,
                      {},
                      load.Moment()});
    if (load.modes.size() > 0) {
      arrays.push_back(
          {kReaction, "modes." + body, "J", "Σ f·∂x/∂γ of each mode", {}, {}, load.modes});
    }
  }
  return arrays;
}

std::vector<StateBlock> KinematicResponseSimulation::DoStateLayout() const {
  StateBlocks layout;
  const auto add_offsets = [&layout](const char* what, const LevelVectors& levels,
                                     const std::string& of_body, const char* unit) {
    for (size_t j = 0; j < levels.size(); ++j) {
      layout.Add(what + of_body + ", level " + std::to_string(j) + ", coordinate by coordinate",
                 levels[j].size(), unit);
    }
  };
  const auto of = [this](int body) { return " of body '" + scene().bodies[body].name + "'"; };
  for (const Surface& surface : surfaces_) {
    add_offsets("elastic offsets", surface.offsets.elastic, of(surface.body), "m");
    add_offsets("plastic offsets", surface.offsets.plastic, of(surface.body), "m");
    if (surface.inertia) {
      add_offsets("rates of the offsets", surface.inertia->rates(), of(surface.body), "m/s");
    }
  }
  for (const RidingBody& rider : riders_) {
    add_offsets("elastic offsets", rider.offsets().elastic, of(rider.body()), "m");
    add_offsets("plastic offsets", rider.offsets().plastic, of(rider.body()), "m");
  }
  for (const Surface& surface : surfaces_) {
    layout.Add("pressed vertices, longest displacement, largest move" + of(surface.body), 3,
               "1, m, m");
  }
  for (const Obstacle& obstacle : scene().obstacles) {
    layout.Add("last direction of motion of obstacle '" + obstacle.name + "'", 3, "1");
  }
  layout.Add("passes", 1, "1");
  if (riders_.empty()) return layout.Take();
  for (const RidingBody& rider : riders_) rider.AddTo(&layout, of(rider.body()));
  layout.Add("entry points of contacts, whether there is one, and normals there",
             contact_->StateSize(), "m, 1");
  layout.AddExchange();
  return layout.Take();
}

}  // namespace pliant::kinematic_response
