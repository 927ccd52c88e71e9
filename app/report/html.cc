#include "app/report/html.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "models/scene/number_text.h"

namespace pliant {
namespace {

std::string Escaped(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&#39;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string Base64(const std::string& bytes) {
  static constexpr char kDigits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = 0;
    for (size_t k = 0; k < 3; ++k) {
      group = group << 8U | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0U);
    }
    for (size_t k = 0; k < 4; ++k) {
      text += i + k > bytes.size() ? '=' : kDigits[group >> (18U - 6U * k) & 63U];
    }
  }
  return text;
}

}  // namespace

Html::Html(std::string_view text) : markup_(Escaped(text)) {}

Html Html::Raw(std::string markup) {
  Html html;
  html.markup_ = std::move(markup);
  return html;
}

Html& Html::operator+=(const Html& more) {
  markup_ += more.markup_;
  return *this;
}

Html Element(const std::string& name, const Html& inside, const Attributes& attributes) {
  std::string markup = "<" + name;
  for (const auto& [key, value] : attributes) markup += " " + key + "=\"" + Escaped(value) + "\"";
  return Html::Raw(markup + ">" + inside.markup() + "</" + name + ">");
}

Html Row(const std::vector<Html>& cells) {
  Html inside;
  for (const Html& cell : cells) inside += Element("td", cell);
  return Element("tr", inside) + Html::Raw("\n");
}

Html HeadRow(const std::vector<Html>& cells) {
  Html inside;
  for (const Html& cell : cells) inside += Element("th", cell, {{"scope", "col"}});
  return Element("tr", inside) + Html::Raw("\n");
}

Html Table(const Html& rows, const std::string& css_class) {
  return Element("div", Element("table", rows, {{"class", css_class}}), {{"class", "wide"}});
}

Html Number(const std::optional<double>& value, int digits) {
  if (!value) return Element("span", "–", {{"class", "none"}, {"title", "not defined"}});
  if (!std::isfinite(*value)) return Element("strong", std::isnan(*value) ? "NaN" : "infinite");
  if (*value == 0.0) return "0";
  const double magnitude = std::abs(*value);
  std::string number;
  if (magnitude >= 0.01 && magnitude < 1e5) {  // plain digits, as many as matter
    const int before = static_cast<int>(std::floor(std::log10(magnitude))) + 1;
    number = Fixed(*value, std::max(0, digits - before));
  } else {
    number = Scientific(*value, digits - 1);
  }
  const size_t exponent = number.find('e');
  const std::string mantissa = number.substr(0, exponent);
  auto with_minus = [](std::string plain) {
    if (plain.starts_with('-')) plain.replace(0, 1, "−");
    return plain;
  };
  if (exponent == std::string::npos) return with_minus(number);
  const std::string power = std::to_string(std::stoi(number.substr(exponent + 1)));
  return Element("span", Html(with_minus(mantissa) + "×10") + Element("sup", with_minus(power)),
                 {{"class", "number"}});
}

std::string PngUri(const std::string& png) { return "data:image/png;base64," + Base64(png); }

}  // namespace pliant
