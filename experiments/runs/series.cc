#include "experiments/runs/series.h"

#include "models/scene/metrics.h"

namespace pliant {
namespace {

constexpr char kOfBody[] = "{body}";

std::optional<double> WorkOf(const Observation& observation, WorkClass work_class) {
  if (!observation.work) return std::nullopt;
  return (*observation.work)[work_class];
}

// The unit an extra carries as the suffix of its name.
std::string UnitOfExtra(const std::string& name) {
  static const std::vector<std::string> units = {"kg m²/s", "kg m/s", "N² m² s", "rad²/s³", "rad/s",
                                                 "m/s²",    "m/s",    "N m",     "rad",     "N",
                                                 "J",       "m²",     "m³",      "m",       "s"};
  for (const std::string& unit : units) {
    if (name.ends_with(UnitSuffix(unit))) return unit;
  }
  return "1";
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

std::vector<SeriesColumn> SeriesColumns(const BackendInfo& info) {
  std::vector<SeriesColumn> columns = {
      {"time_s", "s", "time"},
      {"kinetic_energy_J", "J", "½ Σ m v² of the material points"},
      {"gravitational_energy_J", "J", "−Σ m g·x of the material points"},
      {"elastic_energy_J", "J", "energy of deformation, as the formulation defines it"},
      {"spring_energy_J", "J", "springs of the scene and those that stand in for constraints"},
      {"total_energy_J", "J", "sum of the four energies"},
      {"residual_energy_J", "J", "change of total energy that no work accounts for"},
      {"work_force_J", "J", "work of timed forces since the start"},
      {"work_impulse_J", "J", "work of impulses since the start"},
      {"work_contact_J", "J", "work of obstacles on the material, friction included"},
      {"work_constraint_J", "J", "work of nails and attachments, drift correction included"},
      {"work_control_J", "J", "work of servos since the start"},
      {"work_damping_J", "J", "work of damping since the start"},
      {"momentum_x_kg_m_s", "kg m/s", "linear momentum of the material points, x"},
      {"momentum_y_kg_m_s", "kg m/s", "linear momentum of the material points, y"},
      {"momentum_z_kg_m_s", "kg m/s", "linear momentum of the material points, z"},
      {"angular_momentum_x_kg_m2_s", "kg m²/s", "angular momentum about the origin, x"},
      {"angular_momentum_y_kg_m2_s", "kg m²/s", "angular momentum about the origin, y"},
      {"angular_momentum_z_kg_m2_s", "kg m²/s", "angular momentum about the origin, z"},
      {"spin_x_kg_m2_s", "kg m²/s", "angular momentum about the centre of mass, x"},
      {"spin_y_kg_m2_s", "kg m²/s", "angular momentum about the centre of mass, y"},
      {"spin_z_kg_m2_s", "kg m²/s", "angular momentum about the centre of mass, z"},
      {"centre_x_m", "m", "centre of mass of the material points, x"},
      {"centre_y_m", "m", "centre of mass of the material points, y"},
      {"centre_z_m", "m", "centre of mass of the material points, z"},
      {"edge_strain_max", "1", "largest magnitude of the strain of an edge"},
      {"edge_strain_rms", "1", "root mean square of the strain of all edges"},
      {"extent_ratio", "1", "volume (blocks) or area (sheets, profiles) over that at rest"},
      {"constraint_error_m", "m", "largest gap of a nail or attachment"},
      {"constraint_rate_m_s", "m/s", "largest rate of a gap"},
      {"penetration_m", "m", "depth of the deepest point inside an obstacle"},
      {"penetration_rms_m", "m", "root mean square depth over all points"},
      {"condition_number", "1",
       info.condition_of.empty() ? "not defined for this formulation" : "of " + info.condition_of},
      {"regularisation", "1", "what was added to make a matrix regular"},
      {"iterations", "1", "sweeps or evaluations since the start"},
      {"step_time_s", "s", "wall time of a step, mean since the last row"},
  };
  for (const ExtraSeries& extra : info.extras) {
    columns.push_back({extra.name, UnitOfExtra(extra.name), extra.meaning});
  }
  return columns;
}

std::vector<SeriesColumn> SeriesColumns(const BackendInfo& info, const Scene& scene) {
  BackendInfo of_scene = info;
  of_scene.extras = ExtrasOf(info, scene);
  return SeriesColumns(of_scene);
}

std::vector<ExtraSeries> ExtrasOf(const BackendInfo& info, const Scene& scene) {
  const auto named = [](std::string text, const std::string& body) {
    const size_t at = text.find(kOfBody);
    return at == std::string::npos ? text : text.replace(at, sizeof kOfBody - 1, body);
  };
  std::vector<ExtraSeries> extras;
  for (const ExtraSeries& extra : info.extras) {
    if (extra.name.find(kOfBody) == std::string::npos) {
      extras.push_back(extra);
      continue;
    }
    for (const Body& body : scene.bodies) {
      extras.push_back({named(extra.name, body.name), named(extra.meaning, body.name)});
    }
  }
  return extras;
}

std::vector<std::string> ColumnNames(const std::vector<SeriesColumn>& columns) {
  std::vector<std::string> names;
  names.reserve(columns.size());
  for (const SeriesColumn& column : columns) names.push_back(column.name);
  return names;
}

SeriesRecorder::SeriesRecorder(std::shared_ptr<const Scene> scene, const BackendInfo& info)
    : scene_(std::move(scene)), forces_(*scene_), columns_(SeriesColumns(info, *scene_)) {}

SeriesRow SeriesRecorder::Row(const Observation& o, std::optional<double> step_seconds) {
  const Eigen::VectorXd& masses = forces_.masses();
  std::optional<double> kinetic, total, residual;
  std::optional<Eigen::Vector3d> momentum, about_origin, spin;
  const double gravitational = forces_.GravitationalEnergy(o.points);
  const Eigen::Vector3d centre = CentreOfMass(masses, o.points);
  if (o.velocities) {
    kinetic = KineticEnergy(masses, *o.velocities);
    momentum = LinearMomentum(masses, *o.velocities);
    about_origin = AngularMomentum(masses, o.points, *o.velocities, Eigen::Vector3d::Zero());
    spin = AngularMomentum(masses, o.points, *o.velocities, centre);
    total =
        *kinetic + gravitational + o.elastic_energy.value_or(0.0) + o.spring_energy.value_or(0.0);
  }
  if (total && o.work) {
    const double balance = *total - o.work->Sum();
    if (!initial_balance_) initial_balance_ = balance;
    residual = balance - *initial_balance_;
  }
  const std::optional<EdgeStrain> strain = MeasureEdgeStrain(*scene_, o.points);
  const std::optional<Penetration> penetration = MeasurePenetration(*scene_, o.time, o.points);

  SeriesRow row = {o.time,          kinetic, gravitational, o.elastic_energy,
                   o.spring_energy, total,   residual};
  for (WorkClass c : {WorkClass::kForce, WorkClass::kImpulse, WorkClass::kContact,
                      WorkClass::kConstraint, WorkClass::kControl, WorkClass::kDamping}) {
    row.push_back(WorkOf(o, c));
  }
  auto push_vector = [&row](const std::optional<Eigen::Vector3d>& vector) {
    for (int i = 0; i < 3; ++i) {
      row.push_back(vector ? std::optional((*vector)[i]) : std::nullopt);
    }
  };
  push_vector(momentum);
  push_vector(about_origin);
  push_vector(spin);
  push_vector(centre);
  row.push_back(strain ? std::optional(strain->max) : std::nullopt);
  row.push_back(strain ? std::optional(strain->rms) : std::nullopt);
  row.push_back(ExtentRatio(*scene_, o.points));
  row.push_back(o.constraint_error);
  row.push_back(o.constraint_rate);
  row.push_back(penetration ? std::optional(penetration->max) : std::nullopt);
  row.push_back(penetration ? std::optional(penetration->rms) : std::nullopt);
  row.push_back(o.condition_number);
  row.push_back(o.regularisation);
  row.push_back(o.iterations ? std::optional(static_cast<double>(*o.iterations)) : std::nullopt);
  row.push_back(step_seconds);
  for (const std::optional<double>& extra : o.extras) row.push_back(extra);
  return row;
}

}  // namespace pliant
