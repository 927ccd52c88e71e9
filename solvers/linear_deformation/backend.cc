#include "solvers/linear_deformation/backend.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "models/scene/number_text.h"
#include "solvers/backend_with.h"
#include "solvers/contact/outlines.h"
#include "solvers/effective_material.h"
#include "solvers/linear_deformation/arrays_of_scene.h"
#include "solvers/linear_deformation/linear_deformation_simulation.h"
#include "solvers/linear_deformation/translation_record.h"
#include "solvers/parallel/cancellation.h"
#include "solvers/rigid_facts.h"

namespace pliant::linear_deformation {
namespace {

// True if a body fills this many dimensions of the world.
bool SomeBodyFills(const Scene& scene, int least, int most) {
  return std::any_of(scene.bodies.begin(), scene.bodies.end(), [&](const Body& body) {
    const int filled = FindMaterialFrame(body, scene.dimension).dimension();
    return filled >= least && filled <= most;
  });
}

bool NoBodyUsesTheMaterial(const Scene& scene) {
  return std::all_of(scene.bodies.begin(), scene.bodies.end(),
                     [](const Body& body) { return body.material || body.rigid; });
}

struct LinearDeformationOptions {
  int order = 1;
  BasisFamily basis = BasisFamily::kPolynomial;
  Inertia inertia = Inertia::kPoints;
  LinearMaterial material;
  InternalEnergy treatment = InternalEnergy::kExplicit;
  FeedbackOptions feedback;
  IntegratorOptions integrator;
  ContactOptions contact;

  void Bind(ParameterBinder& binder) {
    const auto some_bend = [](const Scene& scene) { return !AllRigid(scene); };
    binder.OnlyWhen("a body is not rigid", some_bend, [&] {
      binder.Integer(
          "order", &order, "1", Between(1, 8),
          "degree of the deformation x = R p(r): with polynomials, 1 is affine and 2 the "
          "second order of the source");
      binder.Choice(
          "basis", &basis,
          {{"polynomial", BasisFamily::kPolynomial}, {"bernstein", BasisFamily::kBernstein}},
          "functions p(r): polynomials up to the total degree 'order', or tensor products of "
          "Bernstein polynomials of that degree (free-form deformation)");
    });
    binder.Choice("inertia", &inertia, {{"points", Inertia::kPoints}, {"box", Inertia::kBox}},
                  "masses that M_b integrates: those of the points, or a uniform box around them, "
                  "for which M_b is regular at any degree");
    const auto own = [](const Scene& scene) { return !NoBodyUsesTheMaterial(scene); };
    binder.OnlyWhen("a body that is not rigid has no material in the scene", own, [&] {
      binder.Choice("material", &material.law,
                    {{"witkin-welch", MaterialLaw::kWitkinWelch},
                     {"st-venant-kirchhoff", MaterialLaw::kStVenantKirchhoff},
                     {"neo-hookean", MaterialLaw::kNeoHookean}},
                    "potential of the deformation: the source's, of stretch_stiffness and "
                    "volume_stiffness, or one of a material, of youngs_modulus and poisson_ratio");
    });
    const auto is_source = [this, own](const Scene& scene) {
      return material.law == MaterialLaw::kWitkinWelch && own(scene);
    };
    const auto is_material = [this, own](const Scene& scene) {
      return material.law != MaterialLaw::kWitkinWelch && own(scene);
    };
    binder.OnlyWhen("material = st-venant-kirchhoff or neo-hookean", is_material, [&] {
      binder.Real("youngs_modulus", &material.youngs_modulus, "Pa", MoreThan(0.0),
                  "E, Young's modulus");
      binder.Real("poisson_ratio", &material.poisson_ratio, "1", Between(0.0, 0.499),
                  "ν, Poisson's ratio");
      const auto some_thin = [](const Scene& scene) { return SomeBodyFills(scene, 1, 2); };
      binder.OnlyWhen("a body is a sheet or a chain", some_thin, [&] {
        binder.Real("thickness", &material.thickness, "m", MoreThan(0.0),
                    "of sheets, in plane stress; a chain has a square cross-section of this side");
      });
    });
    binder.OnlyWhen("material = witkin-welch", is_source, [&] {
      binder.Real("stretch_stiffness", &material.stretch_stiffness, "J", AtLeast(0.0),
                  "k_e of the rigidity energy k_e ‖mᵀm − 1‖², m = ∂x/∂r");
      const auto some_whole = [](const Scene& scene) {
        return SomeBodyFills(scene, scene.dimension, scene.dimension);
      };
      binder.OnlyWhen("a body fills the world, unlike a line or a sheet in 3-D", some_whole, [&] {
        binder.Real("volume_stiffness", &material.volume_stiffness, "J", AtLeast(0.0),
                    "k_c of the volume energy k_c (det m − 1)²");
      });
    });
    binder.OnlyWhen("a body that is not rigid has no material in the scene", own, [&] {
      binder.Real("damping", &material.damping, "1/s", AtLeast(0.0),
                  "rate at which a free dilation slows down; damps strain, never rigid motion");
      binder.Real("source_damping", &material.source_damping, "1/W", AtLeast(0.0),
                  "k_d of the source's damping −k_d V̇ ∂V/∂R, which vanishes towards rest");
      binder.Real("rayleigh_mass", &material.rayleigh_mass, "1/s", AtLeast(0.0),
                  "α of Rayleigh's damping α M + β K; damps every motion, including free fall");
      binder.Real("rayleigh_stiffness", &material.rayleigh_stiffness, "s", AtLeast(0.0),
                  "β of Rayleigh's damping, with the stiffness at rest; never damps rigid motion");
    });
    binder.Choice(
        "internal_energy", &treatment,
        {{"explicit", InternalEnergy::kExplicit},
         {"implicit", InternalEnergy::kImplicit},
         {"linearised", InternalEnergy::kLinearised}},
        "how semi-implicit Euler treats strain and its damping: at the beginning of the step; at "
        "its end, which is stable for bodies of any stiffness; or at its end to first order, which "
        "makes energy where stiff bodies turn. The last two only of bodies of order 1 (affine), "
        "none of which is rigid or damped by mass");
    feedback.Bind(binder, [this](const Scene& scene) { return contact.ByImpulses(scene); });
    integrator.Bind(binder);
    contact.Bind(binder);
  }
};

// Of a body that is rigid: nothing but its constraints resists.
LinearMaterial NoMaterial() {
  LinearMaterial none;
  none.stretch_stiffness = none.volume_stiffness = none.damping = 0.0;
  return none;
}

// The body is strained by exact affine maps.
MaterialProbe Probe(const Body& body, const LinearBody& linear, LinearMaterial material) {
  MaterialProbe probe = ProbeOf(body, linear.world_dimension());
  probe.mass_damping = std::exchange(material.rayleigh_mass, 0.0);
  const auto map = [&linear](const Eigen::Matrix3d& F) {
    return linear.AffineCoordinates(F, Eigen::Vector3d::Zero());
  };
  probe.energy = [&linear, material, map](const Eigen::Matrix3d& F) {
    return std::optional(DeformationEnergy(linear, material, map(F)));
  };
  probe.loss = [&linear, material, map](const Eigen::Matrix3d& rate) {
    Eigen::VectorXd unused = Eigen::VectorXd::Zero(linear.coordinates());
    return -AddMaterialForces(linear, material, map(Eigen::Matrix3d::Identity()), map(rate),
                              unused);
  };
  return probe;
}

class LinearDeformation final : public BackendWith<LinearDeformationOptions> {
 public:
  const BackendInfo& info() const override {
    static const BackendInfo info = {
        "linear-deformation",
        "linear deformations with constrained dynamics",
        "Witkin & Welch 1990",
        "each body is one affine or higher-order map x = R p(r); nails and attachments hold "
        "exactly, by Lagrange multipliers",
        "a body cannot deform locally: contact and nails stretch or bend it as a whole; contact "
        "yields like springs, or acts one step late by impulses; sheets in space and lines pass "
        "through bodies unless contact_between = barrier; rayleigh_mass applies an external drag; "
        "with inertia = box a body has the energies and momenta of a uniform box; contact begins "
        "and "
        "ends within steps, where no scheme is of more than second order, and none of more than "
        "first with contact_damping",
        "the constraint matrix S",
        LinearDeformationExtras(),
        ArrayGroups()};
    return info;
  }

 private:
  Translation DoTranslate(std::shared_ptr<const Scene> scene,
                          const LinearDeformationOptions& options) const override {
    std::vector<LinearBody> bodies;
    std::vector<LinearMaterial> materials;
    Translation translation{TranslationRecord(*scene), nullptr, {}};
    for (const Body& body : scene->bodies) {
      AtPreparation("body", bodies.size(), scene->bodies.size());
      if (body.rigid) {
        bodies.emplace_back(body, scene->dimension, 1, BasisFamily::kPolynomial, options.inertia);
        materials.push_back(NoMaterial());
        continue;
      }
      bodies.emplace_back(body, scene->dimension, options.order, options.basis, options.inertia);
      const HeldMaterial held = MaterialOf(body, bodies.back(), options.material);
      RequireLaw(bodies.back(), body.name, held.material);
      RecordMaterial(body, bodies.back(), held, &translation.record);
      materials.push_back(held.material);
      if (held.from_scene)
        AddMeasured(body, Probe(body, bodies.back(), held.material), &translation);
    }
    const bool euler = options.integrator.scheme == Scheme::kSemiImplicitEuler;
    const bool linearised = options.treatment == InternalEnergy::kLinearised;
    if (options.treatment != InternalEnergy::kExplicit) {
      const std::string why = euler ? AffineStep::WhyNot(*scene, bodies, materials)
                                    : "it is a treatment of semi-implicit Euler";
      if (!why.empty()) {
        throw BadInput({"internal_energy",
                        std::string("internal_energy = ") +
                            (linearised ? "linearised" : "implicit") +
                            " is not possible here: " + why,
                        "use internal_energy = explicit with a shorter step"});
      }
    }
    WarnOfPassing(*scene, options.contact.penalty.obstacles, &translation.warnings);
    if (options.contact.penalty.between != BodiesMeetBy::kBarrier)
      WarnOfOutlines(*scene, &translation.warnings);
    auto system = std::make_unique<LinearDeformationSystem>(
        *scene, std::move(bodies), materials, options.contact, options.feedback, options.treatment);
    RecordElements(*scene, options.contact, options.treatment, &translation.record);
    if (linearised) {
      translation.warnings.push_back(
          "internal_energy = linearised stretches bodies that turn: a step of h at ω leaves a "
          "strain of (h ω)², whose energy nothing paid for; internal_energy = implicit does not");
    }
    const StableBodyStep bodies_allow =
        RecordBodies(*scene, *system, materials, options.contact, options.integrator,
                     options.feedback, options.treatment, &translation.record);
    RecordConstraints(*scene, system.get(), options.feedback, &translation.record,
                      &translation.warnings);
    if (!translation.record.supported()) return translation;
    std::vector<StepLimit> limits;
    const std::string scheme(NameOf(options.integrator.scheme));
    const auto limit = [&limits](const std::string& of, double step, bool worst = false) {
      if (std::isfinite(step)) limits.push_back({of, step, worst});
    };
    if (options.treatment == InternalEnergy::kExplicit) {
      limit(scheme, bodies_allow.free);
      // A barrier divides steps itself.
      if (system->pushes() && (system->barrier() == nullptr || !scene->obstacles.empty())) {
        limit(scheme + " with every point in contact", bodies_allow.all_contacts, true);
      }
    }
    if (HasMultipliers(*scene)) {
      limit(scheme + " with the feedback of constraints, feedback_frequency = " +
                ThreeDigits(options.feedback.frequency) + " rad/s",
            StableFeedbackStep(options.feedback, options.integrator));
    }
    translation.simulation = std::make_unique<LinearDeformationSimulation>(
        std::move(scene), std::move(system), options.integrator, std::move(limits));
    return translation;
  }
};

}  // namespace

const Backend& TheBackend() {
  static const LinearDeformation backend;
  return backend;
}

}  // namespace pliant::linear_deformation
