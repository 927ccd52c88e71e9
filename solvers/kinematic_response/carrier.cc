#include "solvers/kinematic_response/carrier.h"

#include <Eigen/LU>

namespace pliant::kinematic_response {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::Vector3d;

std::variant<RigidProxy, AffineProxy, FreeFormProxy> ProxyOf(const Scene& scene, int body,
                                                             const ProxyOptions& options) {
  if (options.kind == ProxyKind::kFreeForm) return FreeFormProxy(scene, body, *options.free_form);
  if (options.kind == ProxyKind::kAffine) {
    return AffineProxy(scene.bodies[body], scene.dimension, options.material);
  }
  const Body& start = scene.bodies[body];
  return RigidProxy(start.InitialPoints(), start.InitialVelocities(), start.mass, scene.dimension,
                    start.orientation);
}

Matrix3d CrossOf(const Vector3d& w) {
  Matrix3d cross;
  cross << 0, -w.z(), w.y(), w.z(), 0, -w.x(), -w.y(), w.x(), 0;
  return cross;
}

}  // namespace

void ProxyOptions::Bind(ParameterBinder& binder) {
  binder.Choice("proxy", &kind,
                {{"rigid", ProxyKind::kRigid},
                 {"affine", ProxyKind::kAffine},
                 {"free-form", ProxyKind::kFreeForm}},
                "kind of proxy that a riding body uses: a rigid body; an affine body of the "
                "linear-deformation formulation, which stretches and shears; or a free-form body "
                "of the dynamic-ffd formulation, which deforms by its modes");
  const auto is = [this](ProxyKind wanted) {
    return [this, wanted](const Scene&) { return kind == wanted; };
  };
  binder.OnlyWhen("proxy = affine", is(ProxyKind::kAffine), [&] {
    binder.Real("proxy_stretch_stiffness", &material.stretch_stiffness, "J", AtLeast(0.0),
                "k_e of an affine proxy, V_e = k_e ‖mᵀm − 1‖²");
    binder.Real("proxy_volume_stiffness", &material.volume_stiffness, "J", AtLeast(0.0),
                "k_c of an affine proxy, V_c = k_c (det m − 1)²");
    binder.Real("proxy_damping", &material.damping, "1/s", AtLeast(0.0),
                "damping of the strain of an affine proxy");
  });
  binder.OnlyWhen("proxy = free-form", is(ProxyKind::kFreeForm), [&] {
    binder.Table("proxy_modes", &modes,
                 "deformation modes of a free-form proxy, as the parameter modes of dynamic-ffd");
  });
}

std::string ProxyOptions::InWords() const {
  if (kind == ProxyKind::kRigid) return "rigid proxy";
  return kind == ProxyKind::kAffine ? "affine proxy" : "free-form proxy";
}

Carrier::Carrier(const Scene& scene, int body, const ProxyOptions& options)
    : proxy_(ProxyOf(scene, body, options)) {}

const Matrix3Xd& Carrier::points() const {
  return std::visit([](const auto& proxy) -> const Matrix3Xd& { return proxy.points(); }, proxy_);
}

Vector3d Carrier::centre() const {
  return std::visit([](const auto& proxy) -> Vector3d { return proxy.centre(); }, proxy_);
}

Vector3d Carrier::velocity() const {
  return std::visit([](const auto& proxy) -> Vector3d { return proxy.velocity(); }, proxy_);
}

double Carrier::Fastest() const {
  return std::visit([](const auto& proxy) { return proxy.Fastest(); }, proxy_);
}

bool Carrier::upright() const {
  if (const auto* free_form = std::get_if<FreeFormProxy>(&proxy_)) return free_form->upright();
  return map().determinant() > 0.0;
}

Matrix3d Carrier::map() const {
  const auto* rigid = std::get_if<RigidProxy>(&proxy_);
  return rigid != nullptr ? rigid->axes() : std::get<AffineProxy>(proxy_).map();
}

Matrix3d Carrier::gradient() const {
  if (const auto* affine = std::get_if<AffineProxy>(&proxy_)) {
    return affine->rate() * affine->map().inverse();
  }
  const auto* rigid = std::get_if<RigidProxy>(&proxy_);
  return CrossOf(rigid != nullptr ? rigid->angular_velocity()
                                  : std::get<FreeFormProxy>(proxy_).angular_velocity());
}

AffineMap Carrier::MapAt(int point) const {
  if (const auto* free_form = std::get_if<FreeFormProxy>(&proxy_)) return free_form->MapAt(point);
  return {centre(), map()};
}

AffineMap Carrier::RateAt(int point) const {
  if (const auto* free_form = std::get_if<FreeFormProxy>(&proxy_)) return free_form->RateAt(point);
  return {velocity(), gradient() * map()};
}

void Carrier::PlacePoints(Eigen::Ref<Matrix3Xd> x, Eigen::Ref<Matrix3Xd> v) const {
  AffineMap at = MapAt(0), rate = RateAt(0);
  for (int i = 0; i < static_cast<int>(points().cols()); ++i) {
    if (bends()) at = MapAt(i), rate = RateAt(i);
    x.col(i) = at(points().col(i));
    v.col(i) = rate(points().col(i));
  }
}

void Carrier::FindMaps(std::vector<AffineMap>* maps) const {
  maps->assign(points().cols(), MapAt(0));
  for (int i = 1; bends() && i < static_cast<int>(maps->size()); ++i) (*maps)[i] = MapAt(i);
}

Load Carrier::NoLoad() const {
  Load load;
  if (const auto* free_form = std::get_if<FreeFormProxy>(&proxy_)) {
    load.modes.setZero(free_form->modes());
  }
  return load;
}

Vector3d Carrier::TipVelocity(int point, const Vector3d& y, const Vector3d& beyond) const {
  const Matrix3d L = gradient();
  return RateAt(point)(y) + 0.5 * (L - L.transpose()) * beyond;
}

void Carrier::Add(int point, const Vector3d& y, const Vector3d& beyond, const Vector3d& force,
                  Load* load) const {
  load->Add(force, MapAt(point)(y) - centre());
  load->AddCouple(force, beyond);
  if (const auto* free_form = std::get_if<FreeFormProxy>(&proxy_)) {
    free_form->AddToModes(point, y, force, &load->modes);
  }
}

double Carrier::Power(const Load& load) const {
  double power = load.force.dot(velocity()) + load.moments.cwiseProduct(gradient()).sum();
  if (const auto* free_form = std::get_if<FreeFormProxy>(&proxy_)) {
    power += free_form->PowerOfModes(load.modes);
  }
  return power;
}

void Carrier::Kick(const Load& load, double h) {
  if (auto* rigid = std::get_if<RigidProxy>(&proxy_)) {
    rigid->Kick(h * load.force, h * load.Moment());
  } else if (auto* affine = std::get_if<AffineProxy>(&proxy_)) {
    // Σ f yᵀ of Σ f aᵀ, a = A y
    affine->Kick(h * load.force, h * load.moments * map().inverse().transpose());
  } else {
    std::get<FreeFormProxy>(proxy_).Kick(h * load.force, h * load.Moment(), h * load.modes);
  }
}

double Carrier::KickByMaterial(double h) {
  if (auto* affine = std::get_if<AffineProxy>(&proxy_)) return affine->KickByMaterial(h);
  auto* free_form = std::get_if<FreeFormProxy>(&proxy_);
  return free_form != nullptr ? free_form->KickByMaterial(h) : 0.0;
}

double Carrier::Drift(double h) {
  if (auto* free_form = std::get_if<FreeFormProxy>(&proxy_)) return free_form->Drift(h);
  if (auto* rigid = std::get_if<RigidProxy>(&proxy_)) {
    rigid->Drift(h);
  } else {
    std::get<AffineProxy>(proxy_).Drift(h);
  }
  return 0.0;
}

std::optional<double> Carrier::ElasticEnergy() const {
  if (const auto* affine = std::get_if<AffineProxy>(&proxy_)) return affine->ElasticEnergy();
  const auto* free_form = std::get_if<FreeFormProxy>(&proxy_);
  if (free_form == nullptr) return std::nullopt;
  return free_form->ElasticEnergy();
}

double Carrier::Stiffest() const {
  if (const auto* affine = std::get_if<AffineProxy>(&proxy_)) return affine->Stiffest();
  const auto* free_form = std::get_if<FreeFormProxy>(&proxy_);
  return free_form != nullptr ? free_form->Stiffest() : 0.0;
}

int Carrier::StateSize() const {
  if (const auto* affine = std::get_if<AffineProxy>(&proxy_)) return affine->StateSize();
  const auto* free_form = std::get_if<FreeFormProxy>(&proxy_);
  return free_form != nullptr ? free_form->StateSize() : RigidProxy::kStateSize;
}

StateBlock Carrier::Layout() const {
  if (std::holds_alternative<RigidProxy>(proxy_)) {
    return {"centre, quaternion, momentum and angular momentum of the proxy", StateSize(),
            "m, 1, N s, N m s"};
  }
  if (std::holds_alternative<AffineProxy>(proxy_)) {
    return {"coordinates R of the proxy row by row, and their rates", StateSize(), "m, m/s"};
  }
  return {"pose and amplitudes of the proxy, and their rates", StateSize(),
          "m, 1; m/s, rad/s, 1/s"};
}

void Carrier::Save(Eigen::Ref<Eigen::VectorXd> state) const {
  std::visit([&](const auto& proxy) { proxy.Save(state); }, proxy_);
}

void Carrier::Restore(const Eigen::Ref<const Eigen::VectorXd>& state) {
  std::visit([&](auto& proxy) { proxy.Restore(state); }, proxy_);
}

}  // namespace pliant::kinematic_response
