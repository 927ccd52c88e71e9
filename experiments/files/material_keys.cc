// [body.material]: what a body is made of.

#include "experiments/files/scene_keys.h"

namespace pliant {

EnumWords<ElasticLaw> WordsOf(ElasticLaw) {
  return {{"linear", ElasticLaw::kLinear},
          {"st-venant-kirchhoff", ElasticLaw::kStVenantKirchhoff},
          {"corotated", ElasticLaw::kCorotated},
          {"neo-hookean-log", ElasticLaw::kNeoHookeanLog},
          {"neo-hookean-stable", ElasticLaw::kNeoHookeanStable}};
}

void Bind(KeyBinder& b, MaterialDamping& damping) {
  b.Title("damping");
  b.Default("mass", &damping.mass, "1/s", "rate of damping in proportion to the mass");
  b.Default("stiffness", &damping.stiffness, "s",
            "time of damping in proportion to the stiffness; rigid motion is not damped");
}

void Bind(KeyBinder& b, MaterialTable& table) {
  b.Title("[body.material]");
  Material& material = table.material;
  b.Optional("density", &table.density, "kg/m³",
             "mass by volume; otherwise the body gives its total mass, which the material spreads "
             "over its volume");
  b.Optional("youngs_modulus", &table.youngs_modulus, "Pa",
             "Young's modulus of small strain; **required** unless the body is rigid");
  b.Optional("poisson_ratio", &table.poisson_ratio, "1",
             "Poisson's ratio of small strain; **required** unless the body is rigid");
  b.Default("law", &material.law, "1", "strain energy (docs/materials.md)");
  b.Default("thickness", &material.thickness, "m",
            "of a sheet, surface or profile; side of the square section of a chain or ring");
  b.Default("plane_strain", &material.plane_strain, "1",
            "of a profile, or a sheet of a planar scene: plane strain instead of plane stress");
  MaterialDamping damping{material.mass_damping, material.stiffness_damping};
  b.Default("damping", &damping, "1", "of the material");
  material.mass_damping = damping.mass;
  material.stiffness_damping = damping.stiffness;
}

}  // namespace pliant
