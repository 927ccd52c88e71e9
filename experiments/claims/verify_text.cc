// Verified claims for a terminal and as JSON.

#include "experiments/bundles/json_numbers.h"
#include "experiments/claims/fixed_step.h"
#include "experiments/claims/verify.h"
#include "models/scene/number_text.h"

namespace pliant {
namespace {

std::string Unit(const std::string& unit) { return unit == "1" ? "" : " " + unit; }

// "limit 3.21 ± 0.02 m (3.30 at the file's step, order 1.02, monotone)".
std::string WhatDecides(const VerifiedClaim& verified) {
  std::string text;
  if (verified.convergence && verified.convergence->band) {
    const Convergence& c = *verified.convergence;
    text = LimitText(c, 5) + " ± " + Digits(*c.band, 2) + Unit(verified.unit) + " in the limit";
    if (verified.at_file)
      text += ", " + TextBeside(c.band, *verified.at_file, 5) + " as the file has it";
    text += std::string("; ") + std::string(ToString(c.trend));
    if (c.order && c.monotone()) text += ", order " + Fixed(*c.order, 2);
  }
  if (FixesStep(verified.claim) && verified.at_file)
    text = Digits(*verified.at_file, 5) + Unit(verified.unit) + " at this step";
  if (!verified.why.empty()) text += (text.empty() ? "" : "; ") + verified.why;
  return text;
}

std::string Subject(const Claim& claim) {
  std::string text = claim.of + (claim.figure.empty() ? "" : " " + claim.figure);
  if (claim.difference_to) text += " minus that of " + *claim.difference_to;
  if (claim.ratio_to) text += " over that of " + *claim.ratio_to;
  if (claim.at) text += " at " + Digits(*claim.at) + " s";
  for (const std::string& change : claim.set) text += ", " + change + ",";
  return text + " " + BoundInWords(claim);
}

}  // namespace

std::string ClaimsText(const std::vector<VerifiedClaim>& claims) {
  std::string text;
  for (const VerifiedClaim& verified : claims) {
    text += std::string(ToString(verified.verdict)) + ": " + verified.claim.text + "\n    " +
            Subject(verified.claim) +
            (FixesStep(verified.claim) ? "" : " (in " + verified.axis + ")") + "\n";
    const std::string decision = WhatDecides(verified);
    if (!decision.empty()) text += "    " + decision + "\n";
  }
  return text;
}

std::string ClaimsJson(const std::vector<VerifiedClaim>& claims, const std::string& experiment) {
  Json list = Json::array();
  for (const VerifiedClaim& verified : claims) {
    Json values = Json::array();
    for (const auto& value : verified.values) values.push_back(NumberToJson(value));
    Json entry = {{"text", verified.claim.text},
                  {"number", Subject(verified.claim)},
                  {"in", verified.axis},
                  {"verdict", ToString(verified.verdict)},
                  {"why", verified.why},
                  {"unit", verified.unit},
                  {"values", values},
                  {"as_the_file_has_it", NumberToJson(verified.at_file)}};
    if (verified.convergence) {
      const Convergence& c = *verified.convergence;
      entry["limit"] = NumberToJson(c.value);
      entry["band"] = NumberToJson(c.band);
      entry["order"] = NumberToJson(c.order);
      entry["trend"] = ToString(c.trend);
    }
    list.push_back(entry);
  }
  return Json({{"experiment", experiment}, {"claims", list}}).dump(2) + "\n";
}

}  // namespace pliant
