// The tables of an experiment file, each with its keys.

#ifndef PLIANT_EXPERIMENTS_FILES_EXPERIMENT_KEYS_H_
#define PLIANT_EXPERIMENTS_FILES_EXPERIMENT_KEYS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

#include "experiments/files/keys.h"

namespace pliant {

struct RunKeys {
  static constexpr char kTitle[] = "[run]";
  double duration = 0.0;
  double step = 0.0;
  double record_every = 0.0;
  std::int64_t seed = 1;
  void Bind(KeyBinder& b);
};

struct ExperimentKeys {
  static constexpr char kTitle[] = "the experiment";
  std::optional<std::string> name, title;
  std::string description;
  std::variant<std::string, FileValue*> scene;
  std::optional<FileValue*> set;
  RunKeys run;
  FileValue* backends = nullptr;
  std::optional<std::string> reference;
  std::optional<FileValue*> optimize;  // read by experiments/optimize
  std::optional<FileValue*> sweep;
  void Bind(KeyBinder& b);
};

// The keys of a backend beside its parameters.
struct BackendKeys {
  static constexpr char kTitle[] = "[backends.LABEL]";
  std::optional<std::string> formulation;
  std::optional<double> step;
  void Bind(KeyBinder& b);
};

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_EXPERIMENT_KEYS_H_
