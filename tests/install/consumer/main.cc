// Reads an experiment and prints what each of its backends would do with its scene.

#include <iostream>

#include "experiments/files/experiment.h"

int main(int, char** argv) {
  const pliant::Experiment experiment = pliant::ReadExperiment(argv[1]);
  std::cout << experiment.title << "\n";
  for (size_t i = 0; i < experiment.backends.size(); ++i) {
    const pliant::Translation translation = pliant::TranslateFor(experiment, i);
    std::cout << experiment.backends[i].label << ": "
              << (translation.simulation ? "runs" : "refused") << "\n";
  }
}
