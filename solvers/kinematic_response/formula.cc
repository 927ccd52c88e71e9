#include "solvers/kinematic_response/formula.h"

#include <muParser.h>

#include <numbers>

#include "models/problem.h"

namespace pliant::kinematic_response {
namespace {

[[noreturn]] void FailAtColumn(int position, const std::string& what, const std::string& mend) {
  throw BadInput(
      {"", what + " at column " + std::to_string(position + 1) + " of the formula", mend});
}

[[noreturn]] void Fail(const mu::ParserError& error, const std::string& text,
                       const std::vector<std::string>& names) {
  const int end = static_cast<int>(text.size());
  const int position = error.GetPos() < 0 || error.GetPos() > end ? end : error.GetPos();
  std::string token = error.GetToken();
  token.erase(token.find_last_not_of(' ') + 1);
  switch (error.GetCode()) {
    case mu::ecUNASSIGNABLE_TOKEN:
      FailAtColumn(position, "unknown '" + token + "'", DidYouMean(token, names));
    case mu::ecUNEXPECTED_EOF:
      FailAtColumn(end, "a number is missing", "finish the formula");
    case mu::ecMISSING_PARENS:
      FailAtColumn(end, "a ')' is missing", "close every parenthesis");
    case mu::ecMISSING_ELSE_CLAUSE:
      FailAtColumn(end, "a ':' is missing", "write condition ? one : another");
    case mu::ecTOO_MANY_PARAMS:
    case mu::ecTOO_FEW_PARAMS:
      FailAtColumn(position, "wrong number of arguments of '" + token + "'", "");
    default:
      FailAtColumn(position, token.empty() ? "an error" : "unexpected '" + token + "'",
                   "write it as in 0.3 * sin(2 * pi * u)");
  }
}

// The formula could set a variable, which is never intended.
void RequireNoAssignment(const std::string& text) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '=') continue;
    const bool compares = i > 0 && std::string("<>!").find(text[i - 1]) != std::string::npos;
    const bool twice = i + 1 < text.size() && text[i + 1] == '=';
    if (!compares && !twice) FailAtColumn(static_cast<int>(i), "unexpected '='", "compare with ==");
    if (twice) ++i;
  }
}

}  // namespace

Formula::Formula(const std::string& text, const std::vector<std::string>& names)
    : values_(std::make_unique<std::vector<double>>(names.size(), 1.0)),
      parser_(std::make_unique<mu::Parser>()) {
  RequireNoAssignment(text);
  try {
    parser_->ClearConst();
    parser_->DefineConst("pi", std::numbers::pi);
    for (size_t i = 0; i < names.size(); ++i) parser_->DefineVar(names[i], &(*values_)[i]);
    parser_->SetExpr(text);
    parser_->Eval();
    const mu::varmap_type used = parser_->GetUsedVar();
    for (const std::string& name : names) used_.push_back(used.contains(name));
  } catch (const mu::ParserError& error) {
    Fail(error, text, names);
  }
  if (parser_->GetNumResults() != 1) {
    const int comma = static_cast<int>(text.find(','));
    FailAtColumn(comma, "unexpected ','", "give one formula");
  }
}

Formula::~Formula() = default;
Formula::Formula(Formula&&) noexcept = default;
Formula& Formula::operator=(Formula&&) noexcept = default;

double Formula::Value() const { return parser_->Eval(); }

}  // namespace pliant::kinematic_response
