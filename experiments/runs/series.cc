#include "experiments/runs/series.h"

#include <array>
#include <functional>
#include <string_view>

#include "experiments/runs/probe_figures.h"
#include "models/scene/contact_pairs.h"
#include "models/scene/metrics.h"
#include "solvers/contact/contact_tally.h"

namespace pliant {
namespace {

constexpr char kOfBody[] = "{body}", kOfPair[] = "{pair}";

using OptionalNumber = std::optional<double>;
using OptionalVector = std::optional<Eigen::Vector3d>;

// The data of a row.
struct Measures {
  explicit Measures(const Observation& observation) : seen(observation) {}
  const Observation& seen;
  OptionalNumber kinetic_energy, gravitational_energy;
  LedgerFigures ledger;
  OptionalVector momentum, about_origin, spin, centre;
  std::optional<EdgeStrain> strain;
  OptionalNumber extent_ratio, signed_extent_ratio, smallest_cell_ratio;
  std::optional<Penetration> penetration;
  ContactMeasures contact;
  std::optional<StepSeconds> step_seconds;
};

using ColumnReader = std::function<OptionalNumber(const Measures&)>;

ColumnReader Seen(OptionalNumber Observation::*value) {
  return [value](const Measures& m) { return m.seen.*value; };
}

ColumnReader WorkOf(WorkClass work_class) {
  return [work_class](const Measures& m) {
    return m.seen.work ? OptionalNumber((*m.seen.work)[work_class]) : std::nullopt;
  };
}

ColumnReader Part(OptionalVector Measures::*vector, int axis) {
  return [vector, axis](const Measures& m) {
    return m.*vector ? OptionalNumber((*(m.*vector))[axis]) : std::nullopt;
  };
}

// A member of a struct that may be absent as a whole.
template <typename Whole>
ColumnReader PartOf(std::optional<Whole> Measures::*whole, double Whole::*value) {
  return [whole, value](const Measures& m) {
    return m.*whole ? OptionalNumber((*(m.*whole)).*value) : std::nullopt;
  };
}

ColumnReader InContact(OptionalNumber ContactMeasures::*value) {
  return [value](const Measures& m) { return m.contact.*value; };
}

ColumnReader InLedger(OptionalNumber LedgerFigures::*value) {
  return [value](const Measures& m) { return m.ledger.*value; };
}

struct CommonColumn {
  SeriesColumn column;
  ColumnReader read;
};

// The columns of every backend, in the order of the file.
const std::vector<CommonColumn>& CommonColumns() {
  static const std::vector<CommonColumn> columns = {
      {{"time_s", "s", "time"}, [](const Measures& m) { return m.seen.time; }},
      {{"kinetic_energy_J", "J",
        "½ Σ m v² of the material points; of the whole continuum where a formulation has mass "
        "between them, as the other sums over the material points"},
       &Measures::kinetic_energy},
      {{"gravitational_energy_J", "J", "−Σ m g·x of the material points"},
       &Measures::gravitational_energy},
      {{"elastic_energy_J", "J", "energy of deformation, as the formulation defines it"},
       Seen(&Observation::elastic_energy)},
      {{"spring_energy_J", "J", "energy of the springs of the scene"},
       Seen(&Observation::spring_energy)},
      {{"contact_energy_J", "J", "energy stored in contacts: penalty springs and barriers"},
       Seen(&Observation::contact_energy)},
      {{"constraint_energy_J", "J", "energy of springs that replace nails and attachments"},
       Seen(&Observation::constraint_energy)},
      {{"total_energy_J", "J", "sum of the six energies"}, InLedger(&LedgerFigures::total_energy)},
      {{"residual_energy_J", "J", "change of the total energy that no work accounts for"},
       InLedger(&LedgerFigures::residual_energy)},
      {{"made_energy_J", "J",
        "energy that passive parts made: the total energy less the work of active elements, above "
        "the lowest value it had before"},
       InLedger(&LedgerFigures::made_energy)},
      {{"numerical_energy_J", "J",
        "energy that the discretisation made or lost: the residual, and the work of constraints, "
        "which do no work in the exact solution"},
       InLedger(&LedgerFigures::numerical_energy)},
      {{"work_force_J", "J", "work of timed forces since the start"}, WorkOf(WorkClass::kForce)},
      {{"work_impulse_J", "J", "work of impulses since the start"}, WorkOf(WorkClass::kImpulse)},
      {{"work_moved_obstacles_J", "J",
        "work of obstacles that move: their force on the material times their velocity"},
       WorkOf(WorkClass::kMovedObstacle)},
      {{"work_moved_nails_J", "J", "work of nails and combinations that move"},
       WorkOf(WorkClass::kMovedNail)},
      {{"work_control_J", "J", "work of servos since the start"}, WorkOf(WorkClass::kControl)},
      {{"work_contact_J", "J",
        "work of friction, restitution and damping of contacts: not above 0"},
       WorkOf(WorkClass::kContact)},
      {{"work_constraint_J", "J",
        "work of nails at rest and of attachments, including drift correction; 0 in the exact "
        "solution"},
       WorkOf(WorkClass::kConstraint)},
      {{"work_damping_J", "J",
        "work of damping, and of impacts on constraints, since the start: not above 0"},
       WorkOf(WorkClass::kDamping)},
      {{"momentum_x_kg_m_s", "kg m/s", "linear momentum of the material points, x"},
       Part(&Measures::momentum, 0)},
      {{"momentum_y_kg_m_s", "kg m/s", "linear momentum of the material points, y"},
       Part(&Measures::momentum, 1)},
      {{"momentum_z_kg_m_s", "kg m/s", "linear momentum of the material points, z"},
       Part(&Measures::momentum, 2)},
      {{"angular_momentum_x_kg_m2_s", "kg m²/s", "angular momentum about the origin, x"},
       Part(&Measures::about_origin, 0)},
      {{"angular_momentum_y_kg_m2_s", "kg m²/s", "angular momentum about the origin, y"},
       Part(&Measures::about_origin, 1)},
      {{"angular_momentum_z_kg_m2_s", "kg m²/s", "angular momentum about the origin, z"},
       Part(&Measures::about_origin, 2)},
      {{"momentum_residual_kg_m_s", "kg m/s",
        "change of linear momentum that no impulse accounts for, magnitude"},
       InLedger(&LedgerFigures::momentum_residual)},
      {{"angular_momentum_residual_kg_m2_s", "kg m²/s",
        "change of angular momentum about the origin that no impulse accounts for, magnitude"},
       InLedger(&LedgerFigures::angular_momentum_residual)},
      {{"spin_x_kg_m2_s", "kg m²/s", "angular momentum about the centre of mass, x"},
       Part(&Measures::spin, 0)},
      {{"spin_y_kg_m2_s", "kg m²/s", "angular momentum about the centre of mass, y"},
       Part(&Measures::spin, 1)},
      {{"spin_z_kg_m2_s", "kg m²/s", "angular momentum about the centre of mass, z"},
       Part(&Measures::spin, 2)},
      {{"centre_x_m", "m", "centre of mass of the material points, x"}, Part(&Measures::centre, 0)},
      {{"centre_y_m", "m", "centre of mass of the material points, y"}, Part(&Measures::centre, 1)},
      {{"centre_z_m", "m", "centre of mass of the material points, z"}, Part(&Measures::centre, 2)},
      {{"edge_strain_max", "1", "largest magnitude of the strain of an edge"},
       PartOf(&Measures::strain, &EdgeStrain::max)},
      {{"edge_strain_rms", "1", "root mean square of the strain of all edges"},
       PartOf(&Measures::strain, &EdgeStrain::rms)},
      {{"extent_ratio", "1",
        "volume (blocks) or area (sheets, profiles) divided by its value at rest"},
       &Measures::extent_ratio},
      {{"signed_extent_ratio", "1",
        "the same with its sign, of closed surfaces and in the plane: below 0 inside out"},
       &Measures::signed_extent_ratio},
      {{"cell_ratio_min", "1",
        "smallest signed cell divided by its extent at rest, of blocks and in the plane: below 0 "
        "inverted"},
       &Measures::smallest_cell_ratio},
      {{"constraint_error_m", "m",
        "largest gap of a constraint: nails, attachments, limits, lengths that the method holds"},
       Seen(&Observation::constraint_error)},
      {{"constraint_rate_m_s", "m/s", "largest rate of a gap"},
       Seen(&Observation::constraint_rate)},
      {{"penetration_m", "m", "depth of the deepest point inside an obstacle"},
       PartOf(&Measures::penetration, &Penetration::max)},
      {{"penetration_rms_m", "m", "root mean square depth over all points"},
       PartOf(&Measures::penetration, &Penetration::rms)},
      {{"obstacle_depth_m", "m",
        "depth of the deepest place of a flat face, straight edge or point of the scene inside an "
        "obstacle; finite elements are curved between the points"},
       InContact(&ContactMeasures::obstacle_depth)},
      {{"body_depth_m", "m",
        "depth of the deepest point, middle of a straight edge or middle of a flat face of a body "
        "inside another; finite elements are curved between the points"},
       InContact(&ContactMeasures::body_depth)},
      {{"self_crossings", "1",
        "pairs of a straight edge and a flat face (in the plane: of two edges) of one body that "
        "cross, and do not at rest"},
       InContact(&ContactMeasures::self_crossings)},
      {{"body_crossings", "1", "the same of two bodies"},
       InContact(&ContactMeasures::body_crossings)},
      {{"condition_number", "1", "condition number of a matrix of the formulation"},
       Seen(&Observation::condition_number)},
      {{"regularisation", "1", "amount added to a matrix to make it regular"},
       Seen(&Observation::regularisation)},
      {{"iterations", "1", "sweeps or evaluations since the start"},
       [](const Measures& m) {
         return m.seen.iterations ? OptionalNumber(static_cast<double>(*m.seen.iterations))
                                  : std::nullopt;
       }},
      {{"step_time_s", "s", "wall time of a step, mean since the last row"},
       PartOf(&Measures::step_seconds, &StepSeconds::wall)},
      {{"step_cpu_time_s", "s", "CPU time of a step, mean since the last row"},
       PartOf(&Measures::step_seconds, &StepSeconds::cpu)},
  };
  return columns;
}

}  // namespace

std::string UnitSuffix(const std::string& unit) {
  if (unit == "1") return "";
  std::string suffix = "_" + unit;
  for (const auto& [printed, spelled] :
       {std::pair("²", "2"), std::pair("³", "3"), std::pair(" ", "_"), std::pair("/", "_")}) {
    for (size_t at; (at = suffix.find(printed)) != std::string::npos;) {
      suffix.replace(at, std::string_view(printed).size(), spelled);
    }
  }
  return suffix;
}

namespace {

// With "{pair}".
std::vector<SeriesColumn> ImpulsesToSum(const BackendInfo& info) {
  const auto has = [&info](std::string_view beginning) {
    return std::ranges::any_of(
        info.extras, [&](const SeriesColumn& extra) { return extra.name.starts_with(beginning); });
  };
  if (!has("contact_force.") || has("contact_impulse_")) return {};
  const std::array<SeriesColumn, 3> columns = ContactImpulseColumns();
  return {columns.begin(), columns.end()};
}

}  // namespace

std::vector<SeriesColumn> ImpulseColumnsToSum(const BackendInfo& info, const Scene& scene) {
  BackendInfo summed;
  summed.extras = ImpulsesToSum(info);
  return ExtrasOf(summed, scene);
}

std::vector<SeriesColumn> SeriesColumns(const BackendInfo& info) {
  std::vector<SeriesColumn> columns;
  for (const CommonColumn& common : CommonColumns()) {
    columns.push_back(common.column);
    if (common.column.name != "condition_number") continue;
    if (!info.condition_of.empty()) {
      columns.back().meaning = "of " + info.condition_of;
    } else if (!info.name.empty()) {
      columns.back().meaning = "not defined for this formulation";
    }
  }
  for (const SeriesColumn& extra : info.extras) {
    columns.push_back(extra);
    if (extra.name.starts_with("contact_force.")) columns.back().meaning = kContactForceMeaning;
  }
  for (SeriesColumn& impulse : ImpulsesToSum(info)) columns.push_back(std::move(impulse));
  return columns;
}

std::vector<SeriesColumn> SeriesColumns(const BackendInfo& info, const Scene& scene,
                                        const std::vector<Probe>& probes) {
  BackendInfo of_scene = info;
  for (SeriesColumn& impulse : ImpulsesToSum(info)) of_scene.extras.push_back(std::move(impulse));
  of_scene.extras = ExtrasOf(of_scene, scene);
  std::vector<SeriesColumn> columns = SeriesColumns(of_scene);
  for (const Probe& probe : probes) columns.push_back(ProbeColumn(probe));
  return columns;
}

std::vector<SeriesColumn> ExtrasOf(const BackendInfo& info, const Scene& scene) {
  const auto named = [](std::string text, const std::string& pattern, const std::string& name) {
    const size_t at = text.find(pattern);
    return at == std::string::npos ? text : text.replace(at, pattern.size(), name);
  };
  std::vector<std::string> bodies, pairs;
  for (const Body& body : scene.bodies) bodies.push_back(body.name);
  for (const ContactPair& pair : ContactPairs(scene)) pairs.push_back(NameOf(scene, pair));
  std::vector<SeriesColumn> extras;
  for (const SeriesColumn& extra : info.extras) {
    const bool of_body = extra.name.find(kOfBody) != std::string::npos;
    const std::string pattern = of_body ? kOfBody : kOfPair;
    if (extra.name.find(pattern) == std::string::npos) {
      extras.push_back(extra);
      continue;
    }
    for (const std::string& name : of_body ? bodies : pairs) {
      extras.push_back(
          {named(extra.name, pattern, name), extra.unit, named(extra.meaning, pattern, name)});
    }
  }
  return extras;
}

bool IsTiming(const std::string& column) {
  return column == "step_time_s" || column == "step_cpu_time_s";
}

std::vector<std::string> ColumnNames(const std::vector<SeriesColumn>& columns) {
  std::vector<std::string> names;
  names.reserve(columns.size());
  for (const SeriesColumn& column : columns) names.push_back(column.name);
  return names;
}

SeriesRecorder::SeriesRecorder(std::shared_ptr<const Scene> scene, const BackendInfo& info,
                               std::vector<Probe> probes)
    : scene_(std::move(scene)),
      forces_(*scene_),
      columns_(SeriesColumns(info, *scene_, probes)),
      ledger_(*scene_),
      summed_(ImpulseColumnsToSum(info, *scene_).size()),
      contact_meter_(scene_),
      passages_(scene_),
      sinking_(scene_),
      mean_contact_forces_(columns_),
      probe_meter_(*scene_, std::move(probes)) {
  const auto column = std::ranges::find(columns_, kElementDeterminant, &SeriesColumn::name);
  if (column != columns_.end())
    determinant_column_ = static_cast<size_t>(column - columns_.begin());
}

SeriesRow SeriesRecorder::Row(const Observation& o, const std::optional<StepSeconds>& step_seconds,
                              const ProbeForces* forces) {
  const Eigen::VectorXd& masses = forces_.masses();
  Measures m(o);
  m.centre = CentreOfMass(masses, o.points);
  if (o.gravity_acts) m.gravitational_energy = forces_.GravitationalEnergy(o.points);
  if (o.sums) {
    m.centre = o.sums->centre;
    if (o.gravity_acts) m.gravitational_energy = o.sums->gravitational_energy;
    m.kinetic_energy = o.sums->kinetic_energy;
    m.momentum = o.sums->momentum;
    m.about_origin = o.sums->angular_momentum;
    m.spin = *m.about_origin - m.centre->cross(*m.momentum);
  } else if (o.velocities) {
    m.kinetic_energy = KineticEnergy(masses, *o.velocities);
    m.momentum = LinearMomentum(masses, *o.velocities);
    m.about_origin = AngularMomentum(masses, o.points, *o.velocities, Eigen::Vector3d::Zero());
    m.spin = AngularMomentum(masses, o.points, *o.velocities, *m.centre);
  }
  if (m.kinetic_energy) {
    m.ledger =
        ledger_.Add(o, {*m.kinetic_energy, m.gravitational_energy, *m.momentum, *m.about_origin});
  }
  if (!inside_out_) {
    if (const auto body = TurnedInsideOut(*scene_, o.points)) inside_out_ = {*body, o.time};
  }
  m.strain = MeasureEdgeStrain(*scene_, o.points);
  m.extent_ratio = ExtentRatio(*scene_, o.points);
  m.signed_extent_ratio = SignedExtentRatio(*scene_, o.points);
  m.smallest_cell_ratio = SmallestCellRatio(*scene_, o.points);
  m.penetration = MeasurePenetration(*scene_, o.time, o.points);
  m.contact = contact_meter_.Measure(o.time, o.points);
  passages_.Add(o.time, o.points);
  if (m.penetration) sinking_.Add(o.time, o.points, m.penetration->max);
  if (m.contact.deepest_in >= 0) {
    sinking_.AddBodies(o.time, m.contact.deepest_body, m.contact.deepest_in, m.contact.deepest);
  }
  m.step_seconds = step_seconds;

  SeriesRow row;
  row.reserve(columns_.size());
  for (const CommonColumn& common : CommonColumns()) row.push_back(common.read(m));
  row.insert(row.end(), o.extras.begin(), o.extras.end());
  for (size_t i = 0; i < summed_; ++i) {
    const auto pairs = static_cast<Eigen::Index>(summed_ / 3), at = static_cast<Eigen::Index>(i);
    const bool known = forces != nullptr && forces->contact_impulse.pairs;
    row.push_back(known ? std::optional((*forces->contact_impulse.pairs)(at / pairs, at % pairs))
                        : std::nullopt);
  }
  for (size_t probe = 0; probe < probe_meter_.probes().size(); ++probe) {
    row.push_back(
        probe_meter_.Measure(probe, o.points, o.velocities ? &*o.velocities : nullptr, forces));
  }
  mean_contact_forces_.Apply(o.time, &row);
  if (determinant_column_ && !inverted_element_) {
    const std::optional<double>& determinant = row[*determinant_column_];
    if (determinant && !(*determinant > 0.0)) inverted_element_ = {*determinant, o.time};
  }
  return row;
}

}  // namespace pliant
