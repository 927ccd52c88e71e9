#include "experiments/files/toml_fault.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <regex>
#include <utility>
#include <vector>

namespace pliant {
namespace {

using std::string_view_literals::operator""sv;

constexpr auto kNowhere = std::string_view::npos;
constexpr std::string_view kDividers = " ,'";  // of the digits of a number
// What is longer was not written by hand, and would fill the screen.
constexpr size_t kLongestMended = 200;

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsLetter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const size_t begin = text.find_first_not_of(kBlanks);
  if (begin == kNowhere) return "";
  return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

std::string_view LineOf(std::string_view text, int line) {
  for (; line > 1; --line) text.remove_prefix(std::min(text.find('\n') + 1, text.size()));
  return text.substr(0, text.find('\n'));
}

// Columns count characters, of which those of UTF-8 have several bytes.
size_t ByteOf(std::string_view line, int column) {
  size_t byte = 0;
  for (; byte < line.size(); ++byte) {
    if ((static_cast<unsigned char>(line[byte]) & 0xC0) != 0x80 && --column == 0) break;
  }
  return byte;
}

int ColumnOf(std::string_view line, size_t byte) {
  const auto is_begin = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  return 1 + static_cast<int>(std::count_if(line.begin(), line.begin() + byte, is_begin));
}

// A line as far as its quotes go: what is quoted has become blank, and a comment is gone.
struct Plain {
  std::string line;
  std::optional<size_t> open;  // where a text begins that has no end on this line
};

Plain PlainOf(std::string_view line) {
  Plain plain{std::string(line), std::nullopt};
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (plain.open) {
      if (c == '\\' && line[*plain.open] == '"') {
        plain.line[i++] = ' ';
      } else if (c == line[*plain.open]) {
        plain.open.reset();
        continue;
      }
      if (i < line.size()) plain.line[i] = ' ';
    } else if (c == '"' || (c == '\'' && (i == 0 || !IsDigit(line[i - 1])))) {  // 1'000
      plain.open = i;
    } else if (c == '#') {
      plain.line.resize(i);
      break;
    }
  }
  return plain;
}

// The number of the first line that is this header, or 0.
int LineOfHeader(std::string_view text, const std::string& header) {
  for (int line = 1; !text.empty(); ++line) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view words = Trimmed(text.substr(0, end));
    const std::string_view rest =
        words.starts_with(header) ? Trimmed(words.substr(header.size())) : "?"sv;
    if (rest.empty() || rest.front() == '#') return line;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return 0;
}

std::string InLine(int line) { return line == 0 ? "" : " in line " + std::to_string(line); }

// "cannot redefine existing table 'scene.nail' as array-of-tables", for one.
TomlFault Redefined(std::string_view text, TomlFault fault, const std::string& description) {
  const size_t begin = std::min(description.find('\'') + 1, description.size());
  const std::string name = description.substr(begin, description.rfind('\'') - begin);
  const std::string one = "[" + name + "]", of_several = "[[" + name + "]]";
  if (description.ends_with("as array-of-tables")) {
    const int first = LineOfHeader(text, one);
    if (first == 0) return fault;
    return {first, 1,
            one + " is a single table, but line " + std::to_string(fault.line) +
                " begins another one, " + of_several,
            "write " + of_several + " here"};
  }
  if (description.ends_with("as table")) {
    fault.what = one + " is a single table, but " + of_several + " stands" +
                 InLine(LineOfHeader(text, of_several)) + " already";
    fault.mend = "write " + of_several;
  } else if (description.find("existing table '") != kNowhere) {
    fault.what = one + " stands" + InLine(LineOfHeader(text, one)) + " already";
    fault.mend = "put the keys of both into one";
  } else if (description.ends_with('\'')) {
    fault.what = "'" + name + "' has a value in this table already";
    fault.mend = "remove one, or begin a table of its own above it, as [[scene.body]]";
  }
  return fault;
}

// How far a number goes: sign, digits, at most one point, power of ten.
size_t NumberLength(std::string_view text) {
  const auto digits = [&](size_t from) {
    while (from < text.size() && IsDigit(text[from])) ++from;
    return from;
  };
  const size_t sign = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  size_t end = digits(sign);
  if (end == sign) return 0;
  if (end < text.size() && text[end] == '.') end = digits(end + 1);
  if (end < text.size() && (text[end] == 'e' || text[end] == 'E')) {
    const bool signed_power =
        end + 1 < text.size() && (text[end + 1] == '-' || text[end + 1] == '+');
    const size_t power = digits(end + (signed_power ? 2 : 1));
    if (power > end + (signed_power ? 2 : 1)) end = power;
  }
  return end;
}

bool IsNumber(std::string_view text) { return !text.empty() && NumberLength(text) == text.size(); }

std::string Without(std::string_view text, std::string_view letters) {
  std::string left;
  for (const char c : text) {
    if (letters.find(c) == kNowhere) left += c;
  }
  return left;
}

// Are there three digits, and no more, behind each divider?
bool IsInThousands(std::string_view value) {
  for (size_t at = value.find_first_of(kDividers); at != kNowhere;) {
    const size_t next = value.find_first_not_of("0123456789", at + 1);
    if (std::min(next, value.size()) != at + 4) return false;
    at = value.find_first_of(kDividers, at + 1);
  }
  return true;
}

// "1,5", "1,500,000", "1 500 000": digits with something between them.
std::string MendOfDividedNumber(std::string_view value) {
  const std::string joined = Without(value, kDividers);
  if (joined.size() == value.size() || !IsNumber(joined) || !IsDigit(value.back())) return "";
  const auto commas = std::ranges::count(value, ',');
  if (commas != 1 && !IsInThousands(value)) return "";
  if (commas != 1) return "write " + joined + ", without anything between the digits";
  const size_t comma = value.find(',');
  std::string decimal(value);
  decimal[comma] = '.';
  if (!IsNumber(decimal)) return "";
  const bool thousands =
      value.size() == comma + 4 && joined[0] != '0' && joined.find_first_of("eE") == kNowhere;
  return "write a decimal point: " + decimal + (thousands ? "; or " + joined : "");
}

// "[0,8, 0,04]" has commas of two kinds; where all are alike nobody can tell.
std::string MendOfArray(std::string_view value) {
  std::string points(value);
  bool separated = false, decimal = false;
  for (size_t i = 1; i + 1 < value.size(); ++i) {
    if (value[i] != ',') continue;
    if (IsDigit(value[i - 1]) && IsDigit(value[i + 1])) {
      points[i] = '.';
      decimal = true;
    } else {
      separated = true;
    }
  }
  if (!decimal) return "";
  return separated ? "write decimal points: " + points
                   : "write decimals with a point: 0.5, not 0,5";
}

// "{stiffness = 0,001, mass = 20}".
std::string MendOfInlineTable(std::string_view line) {
  for (size_t equals = line.find('='); equals != kNowhere; equals = line.find('=', equals + 1)) {
    const std::string_view value =
        line.substr(equals + 1, line.find_first_of("=}", equals + 1) - equals - 1);
    const size_t comma = value.find(',');
    if (comma == kNowhere || comma + 1 == value.size() || !IsDigit(value[comma + 1])) continue;
    const std::string_view after =
        value.substr(comma + 1, value.find_first_of(" ,", comma + 1) - comma - 1);
    std::string mend = MendOfDividedNumber(Trimmed(value.substr(0, comma + 1 + after.size())));
    if (!mend.empty()) return mend;
  }
  return "";
}

// A number that has something before or behind it.
std::string MendOfNumber(std::string_view word) {
  if (word.starts_with('.') && IsNumber(word.substr(1))) return "write 0" + std::string(word);
  const size_t end = NumberLength(word);
  if (end == 0) return "";
  const std::string number(word.substr(0, end));
  const std::string_view rest = Trimmed(word.substr(end));
  if (rest.empty()) {
    const size_t sign = IsDigit(number[0]) ? 0 : 1;
    const size_t point = number.find('.');
    if (point != kNowhere && (point + 1 == end || !IsDigit(number[point + 1])))
      return "write " + number.substr(0, point + 1) + "0" + number.substr(point + 1);
    const size_t begins = std::min(number.find_first_not_of('0', sign), number.size() - 1);
    if (begins > sign) return "write " + number.substr(0, sign) + number.substr(begins);
    return "";
  }
  if ("*/+-^("sv.find(rest.front()) != kNowhere) return "write the result: a file does not compute";
  if (IsLetter(rest.front()) || static_cast<signed char>(rest.front()) < 0 || rest.front() == '%') {
    return "write the number alone, in the unit that the manual gives: " + number + "  # " +
           std::string(rest);
  }
  return "";
}

std::string MendOfWord(std::string_view word) {
  std::string lower(word);
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kTruths = {
      {{"true", "true"},
       {"false", "false"},
       {"yes", "true"},
       {"no", "false"},
       {"on", "true"},
       {"off", "false"}}};
  for (const std::string_view nothing : {"null", "none", "nil"}) {
    if (lower == nothing) return "leave the key out";
  }
  for (const auto& [said, meant] : kTruths) {
    if (lower == said) return "write " + std::string(meant);
  }
  std::string straight(word);
  for (const std::string_view quote : {"“", "”", "„", "‘", "’", "«", "»"}) {
    while (straight.find(quote) != kNowhere) straight.erase(straight.find(quote), quote.size());
  }
  if (straight.size() < word.size()) return "write straight quotes: \"" + straight + '"';
  if (word.starts_with('(')) {
    const std::string inside(word.substr(1, word.find(')') - 1));
    return inside.find('=') == kNowhere ? "write square brackets: [" + inside + "]"
                                        : "write braces: {" + inside + "}";
  }
  const bool is_word =
      !word.empty() && IsLetter(word.front()) && std::ranges::all_of(word, [](char c) {
        return IsLetter(c) || IsDigit(c) || "-_./ "sv.find(c) != kNowhere;
      });
  return is_word ? "write texts in quotes: \"" + std::string(word) + '"' : "";
}

// The part of a line around `at` that commas, brackets and `=` enclose.
std::string_view WordAt(std::string_view line, size_t at) {
  const size_t before = at == 0 ? kNowhere : line.find_last_of("=,[{", at - 1);
  const size_t begin = before == kNowhere ? 0 : before + 1;
  return Trimmed(line.substr(begin, line.find_first_of(",]}", std::max(at, begin)) - begin));
}

std::string MendOfLine(std::string_view line, size_t at) {
  const size_t equals = line.find('=');
  const std::string_view value = Trimmed(equals == kNowhere ? line : line.substr(equals + 1));
  if (value.empty() || value.size() > kLongestMended) return "";
  if (equals == kNowhere && at > 0 && IsLetter(value.front())) {
    const size_t colon = value.find(':');
    return "write " + std::string(Trimmed(value.substr(0, std::min(colon, value.find(' '))))) +
           " = and its value";
  }
  std::string mend = MendOfDividedNumber(value);
  if (mend.empty() && value.starts_with('(')) mend = MendOfWord(value);
  const std::string_view word = WordAt(line, std::min(at, line.size()));
  const bool zero_first = word.size() > 1 && word[0] == '0' && IsDigit(word[1]);  // of "0,04"
  if (mend.empty() && value.starts_with('[') && zero_first) mend = MendOfArray(value);
  if (mend.empty() && value.starts_with('{')) mend = MendOfInlineTable(value);
  if (mend.empty()) mend = MendOfNumber(word);
  if (mend.empty()) mend = MendOfWord(word);
  return mend;
}

// Does a line begin a value or a table: `key = …`, `[scene]`, `[[scene.nail]]`?
bool BeginsStatement(const std::string& plain) {
  static const std::regex kStatement(
      R"(\s*([\w.\-]+\s*=.*|\[{1,2}\s*[A-Za-z_][\w.\- ]*\]{1,2}\s*))");
  return plain.size() < kLongestMended && std::regex_match(plain, kStatement);
}

struct OpenBracket {
  int line;
  size_t byte;
};

// The innermost bracket that the value above `line` opens and does not close, where `line` begins another one or
// the file has ended.
std::optional<OpenBracket> BracketLeftOpen(std::string_view text, int line, bool at_end) {
  if (!at_end && !BeginsStatement(PlainOf(LineOf(text, line)).line)) return std::nullopt;
  int first = at_end ? line : line - 1;
  while (first > 0 && !BeginsStatement(PlainOf(LineOf(text, first)).line)) --first;
  if (first == 0) return std::nullopt;
  std::vector<OpenBracket> open;
  for (int i = first; i < (at_end ? line + 1 : line); ++i) {
    const std::string plain = PlainOf(LineOf(text, i)).line;
    for (size_t at = 0; at < plain.size(); ++at) {
      if (plain[at] == '[') open.push_back({i, at});
      if (plain[at] == ']' && !open.empty()) open.pop_back();
    }
  }
  return open.empty() ? std::nullopt : std::optional(open.back());
}

}  // namespace

TomlFault FaultOf(std::string_view text, int line, int column, const std::string& description) {
  TomlFault fault{line, column, description, ""};
  if (description.find("cannot redefine existing") != kNowhere)
    return Redefined(text, fault, description);
  const bool at_end = description.find("end-of-file") != kNowhere;
  if (at_end || description.find("array") != kNowhere || description.find("value") != kNowhere) {
    if (const auto open = BracketLeftOpen(text, line, at_end)) {
      return {open->line, ColumnOf(LineOf(text, open->line), open->byte),
              "a list begins here and is not closed before the next key or table", "end it with ]"};
    }
  }
  const std::string_view words = LineOf(text, line);
  const Plain plain = PlainOf(words);
  const bool of_text = description.find("string") != kNowhere;
  if (plain.open && of_text) {
    fault.column = ColumnOf(words, *plain.open);
    fault.what = "a text begins here and has no closing quote on its line";
    fault.mend = std::string("end it with ") + words[*plain.open];
  } else if (!of_text && description.find("header") == kNowhere) {
    fault.mend = MendOfLine(plain.line, ByteOf(words, column));
    const bool in_line = plain.line.find('[') != kNowhere;
    if (fault.mend.empty() && in_line && description.find("expected comma") != kNowhere)
      fault.mend = "write a comma between the entries";
  }
  return fault;
}

}  // namespace pliant
