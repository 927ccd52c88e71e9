// HTML in which text is always escaped: text becomes Html by escaping, and only elements and Raw()
// make markup.

#ifndef PLIANT_APP_REPORT_HTML_H_
#define PLIANT_APP_REPORT_HTML_H_

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pliant {

class Html {
 public:
  Html() = default;
  // Text, escaped.
  Html(std::string_view text);                                     // NOLINT: meant to be implicit
  Html(const std::string& text) : Html(std::string_view(text)) {}  // NOLINT
  Html(const char* text) : Html(std::string_view(text)) {}         // NOLINT

  // Markup that is not escaped.
  static Html Raw(std::string markup);

  Html& operator+=(const Html& more);
  friend Html operator+(Html a, const Html& b) { return a += b; }

  bool empty() const { return markup_.empty(); }
  const std::string& markup() const { return markup_; }

 private:
  std::string markup_;
};

using Attributes = std::vector<std::pair<std::string, std::string>>;

// <name …>inside</name>; the values of attributes are escaped.
Html Element(const std::string& name, const Html& inside, const Attributes& attributes = {});

// <tr> of <td>, or of <th> for the head of a table.
Html Row(const std::vector<Html>& cells);
Html HeadRow(const std::vector<Html>& cells);

// A table that scrolls by itself where the page is too narrow for it.
Html Table(const Html& rows, const std::string& css_class);

// "3.21×10⁻⁵", "1240", "0.250", or "–" with an explanation where there is no value.
Html Number(const std::optional<double>& value, int digits = 3);

// The data URI of a PNG file with these bytes.
std::string PngUri(const std::string& png);

}  // namespace pliant

#endif  // PLIANT_APP_REPORT_HTML_H_
