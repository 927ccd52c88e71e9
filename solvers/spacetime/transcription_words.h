// The words for the transcriptions of a jump, in files and parameters.

#ifndef PLIANT_SOLVERS_SPACETIME_TRANSCRIPTION_WORDS_H_
#define PLIANT_SOLVERS_SPACETIME_TRANSCRIPTION_WORDS_H_

#include <string>
#include <utility>
#include <vector>

#include "solvers/spacetime/lamp_samples.h"

namespace pliant {

inline const std::vector<std::pair<std::string, LampTranscription>>& TranscriptionWords() {
  static const std::vector<std::pair<std::string, LampTranscription>> words = {
      {"hermite", LampTranscription::kHermite},
      {"trapezoidal", LampTranscription::kTrapezoidal},
      {"finite-differences", LampTranscription::kFiniteDifferences}};
  return words;
}

}  // namespace pliant

#endif  // PLIANT_SOLVERS_SPACETIME_TRANSCRIPTION_WORDS_H_
