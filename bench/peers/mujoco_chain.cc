// MuJoCo's hinge tree in reduced coordinates.

#include <mujoco/mujoco.h>

#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "bench/peers/chain.h"

namespace pliant {
namespace {

std::string Document(int bars) {
  char number[64];
  std::snprintf(number, sizeof number, "timestep=\"%g\" gravity=\"0 %g 0\"", kChainStep,
                -kChainGravity);
  std::string text = "<mujoco><option " + std::string(number) +
                     " integrator=\"Euler\"><flag contact=\"disable\" energy=\"enable\"/></option>"
                     "<worldbody>";
  for (int i = 0; i < bars; ++i) {
    text += std::string("<body pos=\"") + (i == 0 ? "0" : "1") +
            " 0 0\"><joint type=\"hinge\" axis=\"0 0 1\"/><inertial pos=\"0.5 0 0\" mass=\"1\" "
            "diaginertia=\"1e-3 0.0833333333333333 0.0833333333333333\"/>";
  }
  for (int i = 0; i < bars; ++i) text += "</body>";
  return text + "</worldbody></mujoco>";
}

mjModel* Load(int bars) {
  const std::string text = Document(bars);
  mjVFS files;
  mj_defaultVFS(&files);
  mj_makeEmptyFileVFS(&files, "chain.xml", static_cast<int>(text.size()));
  std::memcpy(files.filedata[0], text.data(), text.size());
  char error[500] = "";
  mjModel* model = mj_loadXML("chain.xml", &files, error, sizeof error);
  mj_deleteVFS(&files);
  if (model == nullptr) throw std::runtime_error(error);
  return model;
}

class MujocoChain final : public Chain {
 public:
  explicit MujocoChain(int bars) : model_(Load(bars)), data_(mj_makeData(model_)) {
    mj_forward(model_, data_);
  }
  ~MujocoChain() override {
    mj_deleteData(data_);
    mj_deleteModel(model_);
  }
  MujocoChain(const MujocoChain&) = delete;
  MujocoChain& operator=(const MujocoChain&) = delete;

  void Step() override { mj_step(model_, data_); }
  double Stretch() const override { return 0.0; }
  double KineticEnergy() const override {
    Update();
    return data_->energy[1];
  }
  double PotentialEnergy() const override {
    Update();
    return data_->energy[0];
  }

 private:
  void Update() const { mj_forward(model_, data_); }

  mjModel* model_;
  mjData* data_;
};

// Its reader takes elements nested a hundred deep.
const RegisterChainEngine kMujoco({"mujoco-hinges", 97,
                                   [](int bars) { return std::make_unique<MujocoChain>(bars); }});

}  // namespace
}  // namespace pliant
