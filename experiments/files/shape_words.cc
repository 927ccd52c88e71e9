#include "experiments/files/shape_words.h"

#include <algorithm>
#include <initializer_list>
#include <string>

namespace pliant {
namespace {

struct OtherWord {
  std::initializer_list<const char*> words;
  const char* here;
};
const OtherWord kOtherWords[] = {
    {{"ball", "sphere"},
     "give shape = \"mesh\" and file = \"ball\", the surface of a ball of radius 1 m that ships, "
     "or "
     "the .msh or .vtk file of a ball of tetrahedra"},
    {{"cube", "box", "cuboid", "beam", "bar"},
     "write shape = \"block\" with size = [1.0, 0.1, 0.1] and points = [11, 2, 2]; in the plane "
     "shape = \"sheet\" with two numbers each"},
    {{"square", "rectangle", "plate", "cloth", "grid"},
     "write shape = \"sheet\" with size = [1.0, 1.0] and points = [9, 9]"},
    {{"rope", "rod", "line", "string"},
     "write shape = \"chain\" with from = [0, 0], to = [1, 0] and points = 11"},
    {{"circle"}, "write shape = \"ring\" with radius = 0.5 and points = 32"},
    {{"cylinder"},
     "write shape = \"tube\", a surface that is open at both ends, or shape = \"mesh\" with a "
     "file"},
};

}  // namespace

void RefuseOtherWords(const FileValue* shape) {
  if (shape == nullptr || shape->text() == nullptr) return;
  for (const OtherWord& other : kOtherWords) {
    if (std::ranges::find(other.words, *shape->text()) == other.words.end()) continue;
    FailAt(shape->place, "'shape' cannot be '" + *shape->text() + "'", other.here);
  }
}

}  // namespace pliant
