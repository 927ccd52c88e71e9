#include "solvers/constrained_dynamics/backend.h"

#include <utility>

#include "solvers/constrained_dynamics/deformable_simulation.h"
#include "solvers/constrained_dynamics/record.h"

namespace pliant {
namespace {

struct LinearDeformationOptions {
  int order = 1;
  LinearMaterial material;
  FeedbackOptions feedback;
  IntegratorOptions integrator;
  PenaltyOptions contact;

  void Bind(ParameterBinder& binder) {
    binder.Integer("order", &order, "1", Between(1, 2),
                   "degree of the deformation x = R p(r): 1 affine, 2 second order");
    binder.Real("stretch_stiffness", &material.stretch_stiffness, "J", AtLeast(0.0),
                "k_e of the rigidity energy k_e ‖mᵀm − 1‖², m = ∂x/∂r");
    binder.Real("volume_stiffness", &material.volume_stiffness, "J", AtLeast(0.0),
                "k_c of the volume energy k_c (det m − 1)²; only for bodies that fill the world, "
                "not for lines and for sheets in 3-D");
    binder.Real("damping", &material.damping, "1/s", AtLeast(0.0),
                "rate at which a free dilation slows down; damps strain, never rigid motion");
    binder.Real("source_damping", &material.source_damping, "1/W", AtLeast(0.0),
                "k_d of the source's damping −k_d V̇ ∂V/∂R, which vanishes towards rest");
    feedback.Bind(binder);
    integrator.Bind(binder);
    contact.Bind(binder);
  }
};

class LinearDeformation final : public Backend {
 public:
  const BackendInfo& info() const override {
    static const BackendInfo info = {
        "linear-deformation",
        "linear deformations with constrained dynamics",
        "Witkin & Welch 1990",
        "each body is one affine or second-order map x = R p(r); nails and attachments hold "
        "exactly, by Lagrange multipliers",
        "a body cannot deform locally: contact and nails stretch or bend it as a whole; contact "
        "gives way like springs",
        "the constraint matrix S",
        DeformableExtras()};
    return info;
  }

  std::vector<ParameterInfo> Parameters() const override {
    return DescribeParameters<LinearDeformationOptions>();
  }

  Translation Translate(std::shared_ptr<const Scene> scene,
                        const ParameterValues& parameters) const override {
    const auto options = BindParameters<LinearDeformationOptions>(parameters);
    std::vector<LinearBody> bodies;
    for (const Body& body : scene->bodies) {
      bodies.emplace_back(body, scene->dimension, options.order);
    }
    auto system = std::make_unique<DeformableSystem>(*scene, std::move(bodies), options.material,
                                                     options.contact, options.feedback);
    Translation translation{TranslationRecord(*scene), nullptr, {}};
    const bool euler = options.integrator.scheme == Scheme::kSemiImplicitEuler;
    RecordElements(*scene, options.contact, &translation.record);
    RecordBodies(*scene, *system, options.material, options.contact, euler, &translation.record,
                 &translation.warnings);
    RecordConstraints(*scene, system.get(), options.feedback, &translation.record,
                      &translation.warnings);
    translation.simulation = std::make_unique<DeformableSimulation>(
        std::move(scene), std::move(system), options.integrator);
    return translation;
  }
};

}  // namespace

const Backend& LinearDeformationBackend() {
  static const LinearDeformation backend;
  return backend;
}

}  // namespace pliant
