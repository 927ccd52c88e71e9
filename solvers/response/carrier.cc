#include "solvers/response/carrier.h"

#include <Eigen/LU>

namespace pliant {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::Vector3d;

Matrix3Xd ColumnsOf(const Scene& scene, int body, const Matrix3Xd& all) {
  return all.middleCols(scene.Offset(body), scene.bodies[body].size());
}

std::variant<RigidProxy, AffineProxy> ProxyOf(const Scene& scene, int body,
                                              const ProxyOptions& options) {
  if (options.kind == ProxyKind::kAffine) {
    return AffineProxy(scene.bodies[body], scene.dimension, options.material);
  }
  return RigidProxy(ColumnsOf(scene, body, scene.InitialPoints()),
                    ColumnsOf(scene, body, scene.InitialVelocities()), scene.bodies[body].mass,
                    scene.dimension, scene.bodies[body].orientation);
}

Matrix3d CrossOf(const Vector3d& w) {
  Matrix3d cross;
  cross << 0, -w.z(), w.y(), w.z(), 0, -w.x(), -w.y(), w.x(), 0;
  return cross;
}

}  // namespace

void ProxyOptions::Bind(ParameterBinder& binder) {
  binder.Choice("proxy", &kind, {{"rigid", ProxyKind::kRigid}, {"affine", ProxyKind::kAffine}},
                "what a body that rides rides on: a rigid body, or one of the linear-deformation "
                "formulation of order 1, which stretches and shears");
  binder.Real("proxy_stretch_stiffness", &material.stretch_stiffness, "J", AtLeast(0.0),
              "k_e of an affine proxy, V_e = k_e ‖mᵀm − 1‖²");
  binder.Real("proxy_volume_stiffness", &material.volume_stiffness, "J", AtLeast(0.0),
              "k_c of an affine proxy, V_c = k_c (det m − 1)²");
  binder.Real("proxy_damping", &material.damping, "1/s", AtLeast(0.0),
              "damping of the strain of an affine proxy");
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

Matrix3d Carrier::map() const {
  const auto* rigid = std::get_if<RigidProxy>(&proxy_);
  return rigid != nullptr ? rigid->axes() : std::get<AffineProxy>(proxy_).map();
}

Matrix3d Carrier::inverse_map() const {
  const auto* rigid = std::get_if<RigidProxy>(&proxy_);
  return rigid != nullptr ? Matrix3d(rigid->axes().transpose())
                          : Matrix3d(std::get<AffineProxy>(proxy_).map().inverse());
}

Matrix3d Carrier::gradient() const {
  const auto* rigid = std::get_if<RigidProxy>(&proxy_);
  if (rigid != nullptr) return CrossOf(rigid->angular_velocity());
  return std::get<AffineProxy>(proxy_).rate() * inverse_map();
}

void Carrier::PlacePoints(Eigen::Ref<Matrix3Xd> x, Eigen::Ref<Matrix3Xd> v) const {
  const Matrix3d A = map(), L = gradient();
  const Vector3d c = centre(), c_dot = velocity();
  for (Eigen::Index i = 0; i < points().cols(); ++i) {
    const Vector3d arm = A * points().col(i);
    x.col(i) = c + arm;
    v.col(i) = c_dot + L * arm;
  }
}

void Carrier::Kick(const Load& load, double h) {
  if (auto* rigid = std::get_if<RigidProxy>(&proxy_)) {
    rigid->Kick(h * load.force, h * load.Moment());
  } else {
    // Σ f yᵀ of Σ f aᵀ, a = A y
    std::get<AffineProxy>(proxy_).Kick(h * load.force,
                                       h * load.moments * inverse_map().transpose());
  }
}

double Carrier::KickByMaterial(double h) {
  auto* affine = std::get_if<AffineProxy>(&proxy_);
  return affine != nullptr ? affine->KickByMaterial(h) : 0.0;
}

void Carrier::Drift(double h) {
  std::visit([h](auto& proxy) { proxy.Drift(h); }, proxy_);
}

std::optional<double> Carrier::ElasticEnergy() const {
  const auto* affine = std::get_if<AffineProxy>(&proxy_);
  if (affine == nullptr) return std::nullopt;
  return affine->ElasticEnergy();
}

double Carrier::Stiffest() const {
  const auto* affine = std::get_if<AffineProxy>(&proxy_);
  return affine != nullptr ? affine->Stiffest() : 0.0;
}

int Carrier::StateSize() const {
  const auto* affine = std::get_if<AffineProxy>(&proxy_);
  return affine != nullptr ? affine->StateSize() : RigidProxy::kStateSize;
}

void Carrier::Save(Eigen::Ref<Eigen::VectorXd> state) const {
  std::visit([&](const auto& proxy) { proxy.Save(state); }, proxy_);
}

void Carrier::Restore(const Eigen::Ref<const Eigen::VectorXd>& state) {
  std::visit([&](auto& proxy) { proxy.Restore(state); }, proxy_);
}

}  // namespace pliant
