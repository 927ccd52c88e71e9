// Tables that a parameter may hold, each read from a data file of its own: modes, poses, key frames.
//
// A parameter knows only that it holds a table. Which kinds there are is known to the rooms that
// define them, as structs derived from DataTable, and to the readers and writers of their files
// (experiments/files/parameter_values.cc).

#ifndef PLIANT_SOLVERS_DATA_TABLE_H_
#define PLIANT_SOLVERS_DATA_TABLE_H_

#include <concepts>
#include <map>
#include <memory>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#include <Eigen/Core>

namespace pliant {

struct DataTable {
  std::string file;  // where it was read; empty when written in place
};

// A table of any kind, by value: copies share what none of them can change.
class TableValue {
 public:
  template <std::derived_from<DataTable> Table>
  TableValue(Table table)  // NOLINT(google-explicit-constructor): a table is a value
      : kind_(&typeid(Table)),
        empty_(table.empty()),
        table_(std::make_shared<const Table>(std::move(table))) {}

  bool empty() const { return empty_; }

  // Null when it is of another kind.
  template <std::derived_from<DataTable> Table>
  const Table* As() const {
    return *kind_ == typeid(Table) ? static_cast<const Table*>(table_.get()) : nullptr;
  }

 private:
  const std::type_info* kind_;
  bool empty_;
  std::shared_ptr<const DataTable> table_;
};

// Named matrices: deformation modes, controls that vary over a surface.
struct NamedMatrix {
  std::string name;
  Eigen::MatrixXd values;                         // 0×0 when words define it instead
  std::map<std::string, double> scalars;          // numbers that go with it, such as a stiffness
  std::map<std::string, std::string> texts = {};  // words that go with it, such as a shape
  // Numbers by name, such as the weights of a blend.
  std::map<std::string, std::map<std::string, double>> weights = {};
};
struct MatrixTable : DataTable {
  std::map<std::string, double> scalars;          // numbers that hold for the whole table
  std::map<std::string, std::string> texts = {};  // words that do
  std::vector<NamedMatrix> entries;
  std::map<std::string, std::vector<NamedMatrix>> groups;  // entries of other kinds, by kind

  bool empty() const {
    return scalars.empty() && texts.empty() && entries.empty() && groups.empty();
  }
};

}  // namespace pliant

#endif  // PLIANT_SOLVERS_DATA_TABLE_H_
