#include "experiments/files/behaviour_script.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "experiments/files/point_names.h"

namespace pliant {
namespace {

using Eigen::Vector3d;

struct Token {
  enum class Kind { kWord, kNumber, kSign, kEnd };
  Kind kind = Kind::kEnd;
  std::string text;
  double number = 0.0;
  FilePlace place;
};

bool BeginsWord(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool IsDecimal(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// The place of column `offset` of a line. The place of the line itself is one column before: in a
// scene file there is a quote.
FilePlace PlaceIn(const FileValue& line, size_t offset) {
  FilePlace place = line.place;
  if (place.source != nullptr && !place.source->is_override) {
    place.column += static_cast<int>(offset) + 1;
  }
  return place;
}

// A word is body.mark, a name of a place, of an action or of a condition; names may have '-'.
void AddTokens(const FileValue& line, std::vector<Token>* tokens) {
  const std::string& text = *line.text();
  size_t at = 0;
  while (at < text.size() && text[at] != '#') {
    const char c = text[at];
    if (std::isspace(static_cast<unsigned char>(c)) != 0) {
      ++at;
      continue;
    }
    Token token;
    token.place = PlaceIn(line, at);
    size_t end = at + 1;
    if (BeginsWord(c)) {
      token.kind = Token::Kind::kWord;
      auto in_word = [&](char d) { return BeginsWord(d) || IsDecimal(d) || d == '-' || d == '.'; };
      while (end < text.size() && in_word(text[end])) ++end;
    } else if (IsDecimal(c) || c == '.' || c == '-' || c == '+') {
      token.kind = Token::Kind::kNumber;
      const char* begin = text.data() + at + (c == '+' ? 1 : 0);
      const auto read = std::from_chars(begin, text.data() + text.size(), token.number);
      if (read.ec != std::errc()) FailAt(token.place, "this is not a number");
      end = static_cast<size_t>(read.ptr - text.data());
    } else if (std::string("()[]{},<>").find(c) != std::string::npos) {
      token.kind = Token::Kind::kSign;
    } else {
      FailAt(token.place, std::string("'") + c + "' is not allowed in a script");
    }
    token.text = text.substr(at, end - at);
    tokens->push_back(token);
    at = end;
  }
}

// Those of all lines of a script, an array of texts, and at last its end.
std::vector<Token> Tokenise(const FileValue& script) {
  std::vector<Token> tokens;
  const FileValue::Array& lines = *script.array();
  for (const FileValue& line : lines) AddTokens(line, &tokens);
  if (tokens.empty()) FailAt(script.place, "the script has no line");
  const FilePlace end = PlaceIn(lines.back(), lines.back().text()->size());
  tokens.push_back({Token::Kind::kEnd, "the end of the script", 0.0, end});
  return tokens;
}

class Parser {
 public:
  Parser(const Scene& scene, const std::map<std::string, Vector3d>& places,
         std::vector<Token> tokens)
      : scene_(scene), places_(places), tokens_(std::move(tokens)) {}

  std::vector<Action> Script() {
    std::vector<Action> actions;
    while (Next().kind != Token::Kind::kEnd) Line(&actions);
    return actions;
  }

 private:
  const Token& Next() const { return tokens_[at_]; }
  bool NextIs(const char* sign) const {
    return Next().kind == Token::Kind::kSign && Next().text == sign;
  }
  bool Accept(const char* sign) {
    if (!NextIs(sign)) return false;
    ++at_;
    return true;
  }
  void Expect(const char* sign) {
    if (!Accept(sign)) {
      FailAt(Next().place, std::string("expected '") + sign + "', not '" + Next().text + "'");
    }
  }
  double Number() {
    if (Next().kind != Token::Kind::kNumber) {
      FailAt(Next().place, "expected a number, not '" + Next().text + "'");
    }
    return tokens_[at_++].number;
  }

  void Line(std::vector<Action>* actions) {
    const Token word = Next();
    if (word.kind != Token::Kind::kWord) {
      FailAt(word.place, "expected an action, not '" + word.text + "'");
    }
    ++at_;
    if (word.text == "Chase" || word.text == "Grab") {
      ReadChase(word.text == "Grab", actions);
    } else if (word.text == "Connect" || word.text == "Disconnect") {
      ReadConnection(word.text == "Connect", actions);
    } else if (word.text == "Wait") {
      Expect("(");
      Action& action = actions->emplace_back();
      action.kind = Action::Kind::kWait;
      action.duration = NotNegative("a wait");
      Expect(")");
    } else if (word.text == "WaitFor") {
      Expect("(");
      Action& action = actions->emplace_back();
      action.kind = Action::Kind::kWaitFor;
      action.condition = ReadCondition();
      Expect(")");
    } else if (word.text == "Repeat" || word.text == "Parallel" || word.text == "Sequence") {
      ReadBlock(word.text, actions);
    } else {
      FailAt(word.place, "there is no action '" + word.text + "'",
             DidYouMean(word.text, {"Chase", "Connect", "Grab", "Disconnect", "Wait", "WaitFor",
                                    "Repeat", "Parallel", "Sequence"}));
    }
  }

  double NotNegative(const std::string& what) {
    const FilePlace place = Next().place;
    const double number = Number();
    if (!(number >= 0.0)) FailAt(place, what + " cannot be negative");
    return number;
  }

  void ReadChase(bool connect, std::vector<Action>* actions) {
    Expect("(");
    Action chase;
    chase.kind = Action::Kind::kChase;
    const FilePlace place = Next().place;
    chase.point = ReadPoint();
    Expect(",");
    chase.goal = ReadGoal();
    Expect(",");
    const FilePlace duration = Next().place;
    chase.duration = Number();
    if (!(chase.duration > 0.0)) FailAt(duration, "a chase must last longer than 0 s");
    if (Accept(",")) chase.final_velocity = ReadVector();
    Expect(")");
    RequireTwoPoints(chase, place);
    Action connection;
    connection.kind = Action::Kind::kConnect;
    connection.point = chase.point;
    connection.goal = chase.goal;
    if (connect) RequireTwoBodies(connection, place);
    actions->push_back(std::move(chase));
    if (connect) actions->push_back(std::move(connection));
  }

  void ReadConnection(bool connect, std::vector<Action>* actions) {
    Expect("(");
    Action& action = actions->emplace_back();
    action.kind = connect ? Action::Kind::kConnect : Action::Kind::kDisconnect;
    const FilePlace place = Next().place;
    action.point = ReadPoint();
    if (connect || NextIs(",")) {
      Expect(",");
      action.goal = ReadGoal();
    }
    Expect(")");
    if (action.goal) RequireTwoPoints(action, place);
    if (connect) RequireTwoBodies(action, place);
  }

  static void RequireTwoPoints(const Action& action, const FilePlace& place) {
    const auto* goal = std::get_if<PointRef>(&*action.goal);
    if (goal == nullptr || !(*goal == action.point)) return;
    FailAt(place, "the point and its goal are the same point", "name two points");
  }
  void RequireTwoBodies(const Action& action, const FilePlace& place) const {
    const auto* goal = std::get_if<PointRef>(&*action.goal);
    if (goal == nullptr || goal->body != action.point.body) return;
    FailAt(place,
           "this would connect body '" + scene_.bodies[action.point.body].name + "' to itself",
           "connect points of two bodies");
  }

  Condition ReadCondition() {
    Condition condition;
    const Token word = Next();
    if (word.kind == Token::Kind::kWord) ++at_;
    if (word.text == "distance") {
      Expect("(");
      condition.point = ReadPoint();
      Expect(",");
      condition.goal = ReadGoal();
      Expect(")");
      if (Accept(">")) {
        condition.kind = Condition::Kind::kFar;
      } else {
        Expect("<");
        condition.kind = Condition::Kind::kNear;
      }
      condition.value = NotNegative("a distance");
    } else if (word.text == "inside") {
      condition.kind = Condition::Kind::kInside;
      Expect("(");
      condition.point = ReadPoint();
      Expect(",");
      const FilePlace corner = Next().place;
      condition.lower = ReadPlace();
      Expect(",");
      condition.upper = ReadPlace();
      Expect(")");
      if (!(condition.lower.array() <= condition.upper.array()).all()) {
        FailAt(corner, "the first corner of a box must be the lower one");
      }
    } else if (word.text == "time") {
      condition.kind = Condition::Kind::kTime;
      Expect(">");
      condition.value = NotNegative("a time");
    } else {
      FailAt(word.place, "there is no condition '" + word.text + "'",
             DidYouMean(word.text, {"distance", "inside", "time"}));
    }
    return condition;
  }

  void ReadBlock(const std::string& word, std::vector<Action>* actions) {
    Action block;
    block.kind = word == "Repeat"     ? Action::Kind::kRepeat
                 : word == "Parallel" ? Action::Kind::kParallel
                                      : Action::Kind::kSequence;
    if (word == "Repeat" && Accept("(")) {
      const FilePlace place = Next().place;
      const double count = Number();
      block.count = static_cast<int>(count);
      if (!(count >= 1.0 && count <= 1e9) || block.count != count) {
        FailAt(place, "the number of repetitions must be whole and at least 1",
               "remove it to repeat for ever");
      }
      Expect(")");
    }
    const FilePlace place = Next().place;
    Expect("{");
    while (!NextIs("}")) {
      if (Next().kind == Token::Kind::kEnd) Expect("}");
      if (block.kind == Action::Kind::kParallel) {
        ReadBeside(&block.actions);
      } else {
        Line(&block.actions);
      }
    }
    Expect("}");
    if (block.actions.empty()) FailAt(place, "this block is empty");
    actions->push_back(std::move(block));
  }

  // One line of a block: a Grab stays the two actions of a sequence.
  void ReadBeside(std::vector<Action>* actions) {
    const Token word = Next();
    std::vector<Action> line;
    Line(&line);
    for (const PointRef& point : LedBy(line)) {
      const std::vector<PointRef> others = LedBy(*actions);
      if (std::find(others.begin(), others.end(), point) == others.end()) continue;
      FailAt(word.place, "this would move a point that another line moves at the same time",
             "chase one goal after the other");
    }
    if (line.size() == 1) {
      actions->push_back(std::move(line.front()));
      return;
    }
    Action sequence;
    sequence.actions = std::move(line);
    actions->push_back(std::move(sequence));
  }
  static std::vector<PointRef> LedBy(const std::vector<Action>& actions) {
    std::vector<PointRef> led;
    for (const Action& action : actions) {
      if (action.kind == Action::Kind::kChase) led.push_back(action.point);
      const std::vector<PointRef> inner = LedBy(action.actions);
      led.insert(led.end(), inner.begin(), inner.end());
    }
    return led;
  }

  // vx, vy[, vz], as many as the scene has dimensions.
  Vector3d ReadVector() {
    Vector3d vector = Vector3d::Zero();
    const auto require = [&](bool right) {
      if (right) return;
      FailAt(Next().place, "expected " + std::to_string(scene_.dimension) +
                               " numbers, as many as the scene has dimensions");
    };
    for (int r = 0; r < scene_.dimension; ++r) {
      require(r == 0 || Accept(","));
      vector[r] = Number();
    }
    require(!NextIs(","));
    return vector;
  }
  Vector3d ReadPlace() {
    Expect("[");
    const Vector3d place = ReadVector();
    Expect("]");
    return place;
  }

  PointRef ReadPoint() {
    const FilePlace place = Next().place;
    const Goal goal = ReadGoal();
    if (const auto* point = std::get_if<PointRef>(&goal)) return *point;
    FailAt(place, "a place in the world cannot move", "name a point: body.mark");
  }

  Goal ReadGoal() {
    if (NextIs("[")) return ReadPlace();
    const Token word = Next();
    if (word.kind != Token::Kind::kWord) {
      FailAt(word.place, "expected a point or a place, not '" + word.text + "'");
    }
    ++at_;
    if (const auto place = places_.find(word.text); place != places_.end()) return place->second;
    const size_t dot = word.text.find('.');
    if (dot == std::string::npos && !NextIs("[")) FailUnknown(word);
    const int body = BodyNamed(scene_, word.text.substr(0, dot), word.place);
    if (dot != std::string::npos) {
      const std::string mark = word.text.substr(dot + 1);
      return PointRef{body, Marked(body, mark, word)};
    }
    PointName value;
    const FilePlace index = Next().place;
    Expect("[");
    std::vector<int> indices;
    do {
      const FilePlace place = Next().place;
      const double number = Number();
      indices.push_back(static_cast<int>(number));
      if (indices.back() != number) FailAt(place, "an index is a whole number");
    } while (Accept(","));
    Expect("]");
    if (indices.size() == 1) {
      value.is = indices.front();
    } else {
      value.is = indices;
    }
    return PointRef{body, OnePointNamed(scene_.bodies[body], value, index)};
  }

  int Marked(int body, const std::string& mark, const Token& word) const {
    std::vector<std::string> names = {"start", "end"};
    for (const auto& [name, point] : scene_.bodies[body].marks) {
      if (name == mark) return point;
      names.push_back(name);
    }
    if (mark == "start" || mark == "end") {
      return OnePointNamed(scene_.bodies[body], {mark}, word.place);
    }
    FailAt(word.place, "body '" + scene_.bodies[body].name + "' has no mark '" + mark + "'",
           DidYouMean(mark, names));
  }

  [[noreturn]] void FailUnknown(const Token& word) const {
    std::vector<std::string> names;
    for (const auto& [name, place] : places_) names.push_back(name);
    for (const Body& body : scene_.bodies) {
      for (const auto& [mark, point] : body.marks) names.push_back(body.name + "." + mark);
      if (body.name != word.text) continue;
      FailAt(word.place, "'" + word.text + "' is a whole body",
             "name one of its points: " + word.text + ".mark or " + word.text + "[0]");
    }
    FailAt(word.place, "there is no place '" + word.text + "'", DidYouMean(word.text, names));
  }

  const Scene& scene_;
  const std::map<std::string, Vector3d>& places_;
  std::vector<Token> tokens_;
  size_t at_ = 0;
};

}  // namespace

std::vector<Action> ParseScript(const FileValue& script, const Scene& scene,
                                const std::map<std::string, Vector3d>& places) {
  return Parser(scene, places, Tokenise(script)).Script();
}

}  // namespace pliant
