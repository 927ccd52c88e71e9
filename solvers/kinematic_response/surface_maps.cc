#include "solvers/kinematic_response/surface_maps.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "solvers/kinematic_response/formula.h"
#include "solvers/kinematic_response/layer.h"

namespace pliant::kinematic_response {
namespace {

using Eigen::MatrixXd;

// The variables of a formula, in this order.
enum Variable { kU, kV, kX, kY, kZ, kLevel, kValue, kMap };
const std::vector<std::string>& VariableNames() {
  static const std::vector<std::string> names = {"u", "v", "x", "y", "z", "level", "value", "map"};
  return names;
}

std::string SizeInWords(const GridSize& grid) {
  return std::to_string(grid.nu) + " by " + std::to_string(grid.nv);
}

const std::vector<double>& ListOf(const KinematicResponseOptions& options, MappedControl control) {
  switch (control) {
    case MappedControl::kDampingTime:
      return options.damping_time;
    case MappedControl::kRelaxationTime:
      return options.relaxation_time;
    case MappedControl::kYield:
      return options.yield;
    case MappedControl::kAccelerationLimit:
      return options.acceleration;
    case MappedControl::kFeatureStiffness:
      return options.feature_stiffness;
    default:
      return options.absorption;
  }
}

// One map on one level of one surface.
class MapOnLevel {
 public:
  MapOnLevel(const BehaviourMap& map, const std::string& body, const MultiresolutionSurface& model,
             int level, const MatrixXd& points)
      : map_(map),
        of_("map '" + map.name + "'"),
        body_(body),
        grid_(model.grid(level)),
        is_mesh_(model.is_mesh()),
        level_(level),
        points_(points),
        formula_(Parsed()),
        stride_(StrideOf(model)),
        range_(RangeOfControl()) {}

  // `values` are those of the control before this map, one column or three.
  void Evaluate(MatrixXd* values) {
    if (map_.direction && values->cols() == 1) *values = values->replicate(1, 3).eval();
    formula_.Set(kLevel, level_);
    for (int v = 0; v < grid_.nv; ++v) {
      for (int u = 0; u < grid_.nu; ++u) {
        SetPlace(u, v);
        for (Eigen::Index column = 0; column < values->cols(); ++column) {
          if (map_.direction && column != *map_.direction) continue;
          double& value = (*values)(grid_.Index(u, v), column);
          formula_.Set(kValue, value);
          value = formula_.Value();
          RequireInRange(value, values->cols() > 1, u, v);
        }
      }
    }
  }

 private:
  Formula Parsed() const {
    try {
      Formula formula(map_.formula, VariableNames());
      if (formula.Uses(kMap) && map_.values.size() == 0) {
        throw BadInput({"", "the formula uses 'map', but no image or values are given",
                        "add an image or values"});
      }
      if (is_mesh_ && (formula.Uses(kU) || formula.Uses(kV) || formula.Uses(kMap))) {
        throw BadInput({"", "a mesh has no u and v", "use x, y and z"});
      }
      return formula;
    } catch (const BadInput& bad) {
      throw BadInput({map_.where + ".formula",
                      of_ + " on body '" + body_ + "': " + bad.problem().what, bad.problem().mend});
    }
  }

  // Steps from vertex to vertex of the level in the values.
  int StrideOf(const MultiresolutionSurface& model) const {
    if (map_.values.size() == 0) return 0;
    const GridSize& finest = model.finest();
    const auto fits = [this](const GridSize& grid) {
      return map_.values.rows() == grid.nv && map_.values.cols() == grid.nu;
    };
    if (fits(finest)) return 1 << (model.levels() - 1 - level_);
    if (fits(grid_)) return 1;
    std::string mend =
        "give " + SizeInWords(finest) + "; coarser levels use every second, fourth, … of them";
    if (map_.level) mend += ", or " + SizeInWords(grid_);
    throw BadInput({map_.where,
                    of_ + " has " +
                        SizeInWords({static_cast<int>(map_.values.cols()),
                                     static_cast<int>(map_.values.rows())}) +
                        " values, but level " + std::to_string(level_) + " of body '" + body_ +
                        "' has " + SizeInWords(grid_) + " vertices",
                    mend});
  }

  // What the parameter of the same name allows. A value that depends on the direction is a mean,
  // and a layer that varies has a thickness everywhere: these are finite.
  Range RangeOfControl() const {
    for (const ParameterInfo& info : DescribeParameters<KinematicResponseOptions>()) {
      if (info.name == map_.ControlName()) return info.range;
    }
    return {};
  }

  void RequireInRange(double value, bool directed, int u, int v) {
    Range range = range_;
    if (directed || OfFinestOnly(map_.control)) range.infinite = false;
    try {
      if (value == last_in_range_) return;
      if (value > range.lower && value < range.upper && std::isfinite(value)) return;
      const ParameterValues one = {{map_.ControlName(), value}};
      double field = 0.0;
      ParameterBinder(&one).Real(map_.ControlName(), &field, "1", range, "");
      last_in_range_ = value;
    } catch (const BadInput& bad) {
      const std::string place = "vertex " + std::to_string(grid_.Index(u, v)) + " (" +
                                std::to_string(u) + ", " + std::to_string(v) + ") of level " +
                                std::to_string(level_);
      throw BadInput({map_.where,
                      of_ + " on body '" + body_ + "': " + bad.problem().what + " at " + place,
                      bad.problem().mend});
    }
  }

  static double Part(int i, int n, bool wraps) {
    return n == 1 ? 0.0 : static_cast<double>(i) / (wraps ? n : n - 1);
  }

  void SetPlace(int u, int v) {
    const int vertex = grid_.Index(u, v);
    formula_.Set(kU, Part(u, grid_.nu, grid_.wraps_u));
    formula_.Set(kV, Part(v, grid_.nv, grid_.wraps_v));
    for (int c = 0; c < 3; ++c) formula_.Set(kX + c, points_(vertex, c));
    if (stride_ > 0) {
      formula_.Set(kMap, map_.values(map_.values.rows() - 1 - stride_ * v, stride_ * u));
    }
  }

  const BehaviourMap& map_;
  std::string of_, body_;
  GridSize grid_;
  bool is_mesh_;
  int level_;
  const MatrixXd& points_;  // of the level [m]
  Formula formula_;
  int stride_;
  Range range_;
  double last_in_range_ = std::numeric_limits<double>::quiet_NaN();
};

// The levels a map is for.
std::vector<int> LevelsOf(const BehaviourMap& map, const std::string& body, int levels) {
  const bool offsets = map.control == MappedControl::kOffset;
  const bool finest_only = OfFinestOnly(map.control);
  const int least = offsets ? 1 : finest_only ? levels - 1 : 0;
  if (map.level && (*map.level >= levels || *map.level < least)) {
    throw BadInput({map.where + ".level",
                    "map '" + map.name + "': there is no " + map.ControlName() + " of level " +
                        std::to_string(*map.level) + " in the surface of body '" + body + "'",
                    least == levels - 1
                        ? "remove the level"
                        : "give " + std::to_string(least) + " to " + std::to_string(levels - 1)});
  }
  if (map.level) return {*map.level};
  if (offsets || finest_only) return {levels - 1};
  std::vector<int> all;
  for (int level = 0; level < levels; ++level) all.push_back(level);
  return all;
}

void RequireSharing(const BehaviourMap& map, const KinematicResponseOptions& options) {
  if (!options.relative_stiffness.empty()) return;
  throw BadInput({map.where,
                  "map '" + map.name + "' varies relative_stiffness, and no body has one",
                  "give relative_stiffness too, one value for each body"});
}

}  // namespace

SurfaceMaps::SurfaceMaps(const std::vector<BehaviourMap>& maps,
                         const KinematicResponseOptions& options, const std::string& body,
                         int number, const MultiresolutionSurface& model, const GridVectors& points)
    : slowest_(options.slowest) {
  const int stages = options.stages();
  for (const BehaviourMap& map : maps) {
    if (map.body && *map.body != body) continue;
    for (const int level : LevelsOf(map, body, model.levels())) {
      const int size = model.grid(level).size();
      Values& values = values_[{map.control, level}];
      if (values.given.empty()) {
        for (int stage = 0; stage < stages; ++stage) {
          MatrixXd& given = values.given.emplace_back(size, 1);
          switch (map.control) {
            case MappedControl::kOffset:
              given.setZero();
              break;
            case MappedControl::kLayerThickness:
              given = ThicknessAlong(model.finest(), options.layer_thickness);
              break;
            case MappedControl::kRelativeStiffness:
              RequireSharing(map, options);
              given.setConstant(options.relative_stiffness[number]);
              break;
            case MappedControl::kContactStiffness:
              given.setConstant(options.reaction.contact.stiffness);
              break;
            default:
              given.setConstant(
                  AtLevel(ListOf(options, map.control), level, model.levels(), stage));
          }
        }
      }
      const MatrixXd at_rest = model.AtLevel(points, level);
      MapOnLevel on_level(map, body, model, level, at_rest);
      for (MatrixXd& given : values.given) on_level.Evaluate(&given);
    }
  }
}

bool SurfaceMaps::Has(MappedControl control) const {
  return std::any_of(values_.begin(), values_.end(),
                     [control](const auto& entry) { return entry.first.first == control; });
}

void SurfaceMaps::AddOffsets(MultiresolutionSurface* model) const {
  for (const auto& [key, values] : values_) {
    if (key.first == MappedControl::kOffset) {
      model->AddToRest(key.second, values.given.front().col(0));
    }
  }
}

Eigen::VectorXd SurfaceMaps::OfFinest(MappedControl control) const {
  const auto found = std::find_if(values_.begin(), values_.end(), [control](const auto& entry) {
    return entry.first.first == control;
  });
  return found->second.given.front().col(0);
}

void RequireNone(const SurfaceMaps& maps, std::initializer_list<MappedControl> controls,
                 const std::string& body, const std::string& stands, const std::string& why) {
  for (const MappedControl control : controls) {
    if (!maps.Has(control)) continue;
    throw BadInput({"maps", why + ", but body '" + body + "' " + stands,
                    std::string("give those maps the name of another body, or change 'rides'")});
  }
}

// The fractions of controls.h, vertex by vertex.
void SurfaceMaps::Prepare(int stage, double step) {
  for (auto& [key, values] : values_) {
    const MatrixXd& given = values.given[stage];
    switch (key.first) {
      case MappedControl::kDampingTime:
        values.of_step =
            given.unaryExpr([&](double t) { return -std::expm1(-step / std::min(t, slowest_)); });
        break;
      case MappedControl::kRelaxationTime:
        values.of_step = given.unaryExpr([&](double t) {
          return std::exp(-step / (std::isinf(t) ? t : std::min(t, slowest_)));
        });
        break;
      default:
        break;
    }
    values.least = values.Of(stage).minCoeff();
  }
  stage_ = stage;
  step_ = step;
}

void SurfaceMaps::Apply(int stage, double step, std::vector<LevelControls>* controls) {
  if (stage != stage_ || step != step_) Prepare(stage, step);
  for (const auto& [key, values] : values_) {
    LevelControls& level = (*controls)[key.second];
    const VertexValues mapped(values.Of(stage), values.least);
    switch (key.first) {
      case MappedControl::kAbsorption:
        level.absorption = mapped;
        break;
      case MappedControl::kDampingTime:
        level.damping = mapped;
        break;
      case MappedControl::kRelaxationTime:
        level.retention = mapped;
        break;
      case MappedControl::kYield:
        level.yield = mapped;
        break;
      case MappedControl::kAccelerationLimit:
        level.acceleration = mapped;
        break;
      case MappedControl::kFeatureStiffness:
        level.stiffness = mapped;
        break;
      case MappedControl::kLayerThickness:
      case MappedControl::kOffset:
      case MappedControl::kRelativeStiffness:
      case MappedControl::kContactStiffness:
        break;
    }
  }
}

}  // namespace pliant::kinematic_response
