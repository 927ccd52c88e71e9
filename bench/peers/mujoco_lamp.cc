// The held lamp as a MuJoCo tree: the base slides and turns in the plane, two small spheres are its
// ends, joints have springs and dampers. Its step is semi-implicit in the dampers, as Pliant's is.

#include <mujoco/mujoco.h>

#include <cstring>
#include <stdexcept>
#include <string>

#include "bench/peers/held_lamp.h"

namespace pliant {
namespace {

std::string Number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}

// A link along its own y axis, at `place` of the link before it.
std::string Link(int j, const std::string& place, const std::string& more) {
  const articulated_lamp::LampLink link = articulated_lamp::LampParameters{}.links[j];
  const std::string inertia = Number(link.inertia);
  return "<body pos=\"0 " + place + " 0\" " + more + "><inertial pos=\"0 " + Number(link.centre) +
         " 0\" mass=\"" + Number(link.mass) + "\" diaginertia=\"" + inertia + " " + inertia + " " +
         inertia + "\"/>";
}

std::string Hinge(int i) {
  return "<joint type=\"hinge\" axis=\"0 0 -1\" stiffness=\"" + Number(kHeldStiffness) +
         "\" damping=\"" + Number(kHeldDamping) + "\" springref=\"" + Number(kHeldPose[i]) + "\"/>";
}

std::string LampDocument() {
  constexpr double kRadius = 0.005;  // of the spheres at the ends
  const articulated_lamp::LampParameters lamp;
  const auto end = [&](double x) {
    return "<geom type=\"sphere\" size=\"" + Number(kRadius) + "\" pos=\"" + Number(x) + " " +
           Number(kRadius) + " 0\" friction=\"" + Number(kHeldFriction) + "\"/>";
  };
  return "<mujoco><compiler angle=\"radian\"/><option timestep=\"" + Number(kHeldStep) +
         "\" gravity=\"0 -9.81 0\"/><worldbody><geom type=\"plane\" size=\"5 5 1\" "
         "zaxis=\"0 1 0\" friction=\"" +
         Number(kHeldFriction) + "\"/>" + Link(0, "0", "") +
         "<joint type=\"slide\" axis=\"1 0 0\"/><joint type=\"slide\" axis=\"0 1 0\"/>"
         "<joint type=\"hinge\" axis=\"0 0 -1\"/>" +
         end(-lamp.half_width) + end(lamp.half_width) + Link(1, Number(lamp.links[0].length), "") +
         Hinge(0) + Link(2, Number(lamp.links[1].length), "") + Hinge(1) +
         Link(3, Number(lamp.links[2].length), "euler=\"0 0 -1.5707963267948966\"") + Hinge(2) +
         "</body></body></body></body></worldbody></mujoco>";
}

void HeldLampMujoco(benchmark::State& state) {
  const std::string text = LampDocument();
  mjVFS files;
  mj_defaultVFS(&files);
  mj_makeEmptyFileVFS(&files, "lamp.xml", static_cast<int>(text.size()));
  std::memcpy(files.filedata[0], text.data(), text.size());
  char error[500] = "";
  mjModel* model = mj_loadXML("lamp.xml", &files, error, sizeof error);
  mj_deleteVFS(&files);
  if (model == nullptr) throw std::runtime_error(error);
  mjData* data = mj_makeData(model);
  for (int i = 0; i < articulated_lamp::kLampHinges; ++i) data->qpos[3 + i] = kHeldPose[i];
  HoldLamp(
      state, [&] { mj_step(model, data); },
      [&] {
        return articulated_lamp::LampVector(
            Eigen::Map<const articulated_lamp::LampVector>(data->qpos));
      });
  mj_deleteData(data);
  mj_deleteModel(model);
}
BENCHMARK(HeldLampMujoco);

}  // namespace
}  // namespace pliant
