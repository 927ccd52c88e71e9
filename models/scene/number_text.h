// Numbers as text. Everything that Pliant prints or writes formats its numbers here.

#ifndef PLIANT_MODELS_SCENE_NUMBER_TEXT_H_
#define PLIANT_MODELS_SCENE_NUMBER_TEXT_H_

#include <string>

namespace pliant {

// The shortest text that reads back as the same double, for files: "0.1", "1e+300", "inf", "nan".
std::string RoundTrip(double value);

// A number of significant digits, without trailing zeros, for messages: "0.333333", "1e-06".
std::string Digits(double value, int digits = 6);

// Three significant digits, as translation records state numbers; no power of ten below 1e5.
std::string ThreeDigits(double value);

// A number of digits after the point, for tables: "0.30".
std::string Fixed(double value, int decimals);

// A number of digits after the point and a power of ten: "3.0e-01".
std::string Scientific(double value, int decimals);

}  // namespace pliant

#endif  // PLIANT_MODELS_SCENE_NUMBER_TEXT_H_
