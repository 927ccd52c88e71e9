#include "experiments/claims/carried_choice.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <iterator>
#include <optional>
#include <utility>

#include "experiments/claims/mirrored_modes.h"
#include "experiments/claims/planned.h"
#include "experiments/files/chosen_value.h"
#include "solvers/articulated_lamp/hinge_control.h"
#include "solvers/articulated_lamp/lamp_body.h"
#include "solvers/control/binding.h"
#include "solvers/control/tables.h"
#include "solvers/kinematic_response/patch.h"

namespace pliant {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

bool SameNumbers(const std::vector<NamedMatrix>& a, const std::vector<NamedMatrix>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const NamedMatrix& one, const NamedMatrix& other) {
                      return one.values == other.values && one.scalars == other.scalars;
                    });
}

bool SameNumbers(const MatrixTable& a, const MatrixTable& b) {
  if (!SameNumbers(a.entries, b.entries) || a.scalars != b.scalars) return false;
  const auto lattices = [](const MatrixTable& table) {
    const auto found = table.groups.find("lattice");
    return found == table.groups.end() ? std::vector<NamedMatrix>() : found->second;
  };
  return SameNumbers(lattices(a), lattices(b));
}

// Variables of a formula on a grid that is numbered from its other end.
std::string FromTheOtherEnd(const std::string& formula, bool u, bool v, const std::string& where) {
  std::string other, word;
  const auto take = [&] {
    if (word == "x" || word == "y" || word == "z")
      throw BadInput({where, "a formula names places of the scene as it is", ""});
    const bool turns = (word == "u" && u) || (word == "v" && v);
    other += turns ? "(1 - " + word + ")" : word;
    word.clear();
  };
  for (const char c : formula) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.') {
      word += c;
    } else {
      take();
      other += c;
    }
  }
  take();
  return other;
}

class ChoiceCarrier {
 public:
  ChoiceCarrier(const BackendChoice& choice, const Scene& scene, const View& view)
      : scene_(scene),
        view_(view),
        mirrors_(view.linear.determinant() < 0.0),
        stays_(view.linear.isIdentity(0.0) && view.translation.isZero(0.0)),
        carried_(choice) {}

  BackendChoice Carried() {
    if (FollowsPlan(carried_) && !stays_)
      throw BadInput({"controller", "its plan jumps along x from where the character stands", ""});
    const bool lamp = carried_.backend->info().name == "articulated-lamp";
    for (const ParameterInfo& info : carried_.backend->Parameters()) {
      if (info.name == "patch_side" && HasPatch())
        carried_.parameters.try_emplace(info.name, info.default_value);
      CarryParameter(info.name);
    }
    if (lamp && mirrors_) MirrorHinges();
    return carried_;
  }

 private:
  // Also the default side of a patch is one of the frame of its body.
  bool HasPatch() const {
    return std::ranges::any_of(scene_.bodies, [this](const Body& body) {
      return kinematic_response::Patch::Fits(body, scene_.dimension);
    });
  }

  void CarryParameter(const std::string& name) {
    const auto found = carried_.parameters.find(name);
    if (found == carried_.parameters.end()) return;
    ParameterValue& value = found->second;
    if (const auto* matrices = ValueAs<MatrixTable>(value);
        matrices != nullptr && !matrices->empty()) {
      value = CarriedTable(name, *matrices);
    } else if (const auto* control = ValueAs<ControlTable>(value);
               control != nullptr && !control->empty()) {
      value = CarriedControl(*control);
    } else if (const auto* motion = ValueAs<KeyFrameTable>(value);
               motion != nullptr && !motion->empty()) {
      value = CarriedMotion(*motion);
    } else if (auto* numbers = std::get_if<std::vector<double>>(&value)) {
      if (name == "relative_stiffness" && BodiesAreReversed())
        std::reverse(numbers->begin(), numbers->end());
      if (name == "layer_thickness" && numbers->size() > 1 &&
          AlongGrids([](const Turned& turned) { return turned.u; }))
        std::reverse(numbers->begin(), numbers->end());
    } else if (name == "patch_side" && HasPatch()) {
      value = CarriedSide(std::get<std::string>(value));
    }
  }

  bool BodiesAreReversed() const {
    return scene_.bodies.size() > 1 && view_.columns.front() != 0 &&
           view_.scene.bodies.front().name == scene_.bodies.back().name;
  }

  MatrixTable CarriedTable(const std::string& name, const MatrixTable& table) const {
    if (name == "modes" || name == "proxy_modes") return CarriedModes(table);
    if (name == "skeleton") return CarriedSkeleton(table);
    if (name == "strokes") return CarriedStrokes(table);
    if (name == "maps") return CarriedMaps(table);
    if (stays_) return table;
    throw BadInput({name, name + " is given in coordinates of the world", ""});
  }

  // --- Modes: of the frames of bodies.
  MatrixTable CarriedModes(const MatrixTable& table) const {
    std::optional<MatrixTable> first;
    for (const Matrix3d& frame : view_.frames) {
      MatrixTable turned = table;
      for (int axis = 0; axis < 3; ++axis) {
        if (frame(axis, axis) < 0.0) turned = MirroredModes(turned, axis, scene_.dimension);
      }
      if (first && !SameNumbers(*first, turned))
        throw BadInput({"modes", "one table of modes holds for bodies that are turned", ""});
      first = turned;
    }
    return *first;
  }

  // --- Poses: amplitudes of modes stay; hinges see MirrorHinges().
  ControlTable CarriedControl(ControlTable table) const {
    for (ControlTable& one : table.several) one = CarriedControl(one);
    if (!table.several.empty()) return table;
    for (Sensor& sensor : table.sensors) {
      for (int& point : sensor.points) point = PointOf(table.body, point);
      if (sensor.kind != Sensor::Kind::kAbove && sensor.kind != Sensor::Kind::kBelow) continue;
      if (!view_.linear.row(1).isApprox(Vector3d::UnitY().transpose()))
        throw BadInput({"control", "a sensor reads a height of the scene as it is", ""});
      sensor.threshold += view_.translation.y();
    }
    return table;
  }

  // --- Key frames: of bodies in the world, displacements and turns from where they start.
  KeyFrameTable CarriedMotion(KeyFrameTable table) const {
    for (KeyFrameTable& one : table.several) one = CarriedMotion(one);
    for (KeyFrameTable::Key& key : table.keys) {
      key.displacement = view_.linear * key.displacement;
      key.axis = view_.linear * key.axis;
      if (mirrors_) key.turn *= -1.0;
      if (scene_.dimension == 2) {  // about z, in the plane
        key.turn *= key.axis.z();
        key.axis = Vector3d::UnitZ();
      }
      if (key.pin) key.pin = PointOf(table.body, *key.pin);
    }
    return table;
  }

  int PointOf(const std::string& name, int point) const {
    const int body = BodyOfTable(scene_, name), there = BodyOfTable(view_.scene, name);
    return view_.columns[static_cast<size_t>(scene_.Index({body, point}))] -
           view_.scene.Offset(there);
  }

  // --- Hinges of a lamp, clockwise from the link before. In a mirror φ becomes o − φ; the offset o is 0 of the arms and
  // a half turn of the head, which stands at a right angle to its arm.
  void MirrorHinges() {
    namespace lamp = articulated_lamp;
    const auto here = lamp::ReadLampBody(scene_.bodies.front());
    const auto there = lamp::ReadLampBody(view_.scene.bodies.front());
    std::vector<double> offset;
    for (int i = 0; i < lamp::kLampHinges; ++i) offset.push_back(here.q[3 + i] + there.q[3 + i]);
    const auto limits = [this](const std::string& name) {
      for (const ParameterInfo& info : carried_.backend->Parameters()) {
        if (info.name == name) return ChosenValue(carried_, info);
      }
      return ParameterValue();
    };
    auto lower = std::get<std::vector<double>>(limits("hinge_lower"));
    auto upper = std::get<std::vector<double>>(limits("hinge_upper"));
    for (size_t i = 0; i < lower.size() && i < upper.size() && i < offset.size(); ++i) {
      lower[i] = offset[i] - std::exchange(upper[i], offset[i] - lower[i]);
    }
    carried_.parameters["hinge_lower"] = lower;
    carried_.parameters["hinge_upper"] = upper;
    const auto found = carried_.parameters.find("control");
    const auto* control =
        found == carried_.parameters.end() ? nullptr : ValueAs<ControlTable>(found->second);
    if (control != nullptr && !control->empty())
      carried_.parameters["control"] = MirroredHinges(*control, offset);
  }

  static ControlTable MirroredHinges(ControlTable table, const std::vector<double>& offset) {
    for (ControlTable& one : table.several) one = MirroredHinges(one, offset);
    for (ControlTable::Servo& servo : table.servos) {
      const auto* name = std::find(std::begin(articulated_lamp::kHingeNames),
                                   std::end(articulated_lamp::kHingeNames), servo.name);
      if (name == std::end(articulated_lamp::kHingeNames)) continue;  // the backend refuses it
      const double o = offset[static_cast<size_t>(name - articulated_lamp::kHingeNames)];
      servo.lower = o - std::exchange(servo.upper, o - servo.lower);
      for (ControlTable::Entry& pose : table.poses)
        pose.targets[servo.name] = o - pose.targets[servo.name];  // 0 where it leaves it out
    }
    return table;
  }

  // --- Bones and strokes: places of the world.
  MatrixTable CarriedSkeleton(MatrixTable table) const {
    for (NamedMatrix& bone : table.groups["bone"]) {
      for (Eigen::Index i = 0; i < bone.values.rows(); ++i) CarryPlace(bone.values.row(i));
    }
    for (NamedMatrix& turn : table.groups["turn"]) {
      const auto axis = turn.weights.find("axis");
      Vector3d along = Vector3d::UnitZ();  // unless it is given
      if (axis != turn.weights.end()) {
        for (int a = 0; a < 3; ++a) along[a] = axis->second[std::string(1, "xyz"[a])];
      }
      along = view_.linear.determinant() * (view_.linear * along);
      for (int a = 0; a < 3; ++a) turn.weights["axis"][std::string(1, "xyz"[a])] = along[a];
    }
    return table;
  }

  MatrixTable CarriedStrokes(MatrixTable table) const {
    for (NamedMatrix& stroke : table.entries) {
      const auto body = stroke.texts.find("body");
      if (body == stroke.texts.end() && scene_.bodies.size() > 1 && !stays_)
        throw BadInput({"strokes", "a stroke is of several bodies", ""});
      const std::string name = body == stroke.texts.end() ? scene_.bodies[0].name : body->second;
      if (OtherSide(view_.frames[static_cast<size_t>(BodyOfTable(scene_, name))]))
        stroke.scalars["depth"] *= -1.0;  // along the normal of the side that is seen
      for (Eigen::Index i = 0; i < stroke.values.rows(); ++i)
        CarryPlace(stroke.values.row(i).tail(stroke.values.cols() - 1));
    }
    return table;
  }

  void CarryPlace(Eigen::Ref<Eigen::RowVectorXd, 0, Eigen::InnerStride<>> row) const {
    Vector3d place = Vector3d::Zero();
    place.head(row.size()) = row.transpose();
    place = view_.linear * place + view_.translation;
    row = place.head(row.size()).transpose();
  }

  // --- Lists and maps along the grid of a body, which is numbered from other ends where the body is renumbered.
  struct Turned {
    bool u = false, v = false;  // counted from the other end
    bool normal = false;        // on the other side
    bool operator==(const Turned&) const = default;
  };

  // Does a surface show its other side? Its normal is along z of its frame, that of a curve in the plane along y.
  bool OtherSide(const Matrix3d& frame) const {
    const int normal = scene_.dimension - 1;
    return frame(normal, normal) < 0.0;
  }

  Turned TurnedGrid(size_t b) const {
    const Body& body = scene_.bodies[b];
    const Matrix3d& frame = view_.frames[b];
    if (frame.isIdentity(0.0)) return {};
    const bool grid = body.grid[0] > 1 && body.grid[2] <= 1 &&
                      (body.shape == ShapeKind::kSheet || body.shape == ShapeKind::kChain);
    const int first = view_.columns[static_cast<size_t>(scene_.Offset(static_cast<int>(b)))];
    const bool renumbered = first != view_.scene.Offset(static_cast<int>(b));
    if (!grid || !renumbered)
      throw BadInput({"maps", "controls vary over a surface whose numbering is not mirrored", ""});
    return {frame(0, 0) < 0.0, frame(1, 1) < 0.0, OtherSide(frame)};
  }

  // What is the same for all bodies.
  bool AlongGrids(const std::function<bool(const Turned&)>& what) const {
    std::optional<bool> first;
    for (size_t b = 0; b < scene_.bodies.size(); ++b) {
      const bool here = what(TurnedGrid(b));
      if (first && *first != here)
        throw BadInput({"maps", "controls vary alike over bodies that are turned", ""});
      first = here;
    }
    return *first;
  }

  MatrixTable CarriedMaps(MatrixTable table) const {
    const Turned turned{AlongGrids([](const Turned& t) { return t.u; }),
                        AlongGrids([](const Turned& t) { return t.v; }),
                        AlongGrids([](const Turned& t) { return t.normal; })};
    if (turned == Turned{}) return table;
    for (NamedMatrix& map : table.entries) {
      if (turned.u) map.values = map.values.rowwise().reverse().eval();
      if (turned.v) map.values = map.values.colwise().reverse().eval();
      std::string formula = "map";
      if (const auto given = map.texts.find("formula"); given != map.texts.end())
        formula = FromTheOtherEnd(given->second, turned.u, turned.v, "maps");
      const auto control = map.texts.find("control");
      if (turned.normal && control != map.texts.end() && control->second == "offset")
        formula = "-(" + formula + ")";
      map.texts["formula"] = formula;
    }
    return table;
  }

  std::string CarriedSide(std::string side) const {
    std::optional<std::string> first;
    for (const Matrix3d& frame : view_.frames) {
      std::string turned = side;
      const int axis = side[1] - 'x';
      if (frame(axis, axis) < 0.0) turned[0] = side[0] == '+' ? '-' : '+';
      if (first && *first != turned)
        throw BadInput({"patch_side", "one side holds for bodies that are turned", ""});
      first = turned;
    }
    return *first;
  }

  const Scene& scene_;
  const View& view_;
  const bool mirrors_, stays_;
  BackendChoice carried_;
};

}  // namespace

BackendChoice CarriedChoice(const BackendChoice& choice, const Scene& scene, const View& view) {
  return ChoiceCarrier(choice, scene, view).Carried();
}

}  // namespace pliant
