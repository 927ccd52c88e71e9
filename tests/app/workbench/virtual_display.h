#ifndef PLIANT_TESTS_APP_WORKBENCH_VIRTUAL_DISPLAY_H_
#define PLIANT_TESTS_APP_WORKBENCH_VIRTUAL_DISPLAY_H_

#include <string>

namespace pliant {

// An X server without a screen, as long as it lives.
class VirtualDisplay {
 public:
  VirtualDisplay();
  ~VirtualDisplay();
  VirtualDisplay(const VirtualDisplay&) = delete;
  VirtualDisplay& operator=(const VirtualDisplay&) = delete;

  const std::string& name() const { return name_; }  // ":1"; empty when it could not be started

 private:
  int process_ = 0;
  std::string name_;
};

}  // namespace pliant

#endif  // PLIANT_TESTS_APP_WORKBENCH_VIRTUAL_DISPLAY_H_
