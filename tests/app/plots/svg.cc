#include "tests/app/plots/svg.h"

#include <gtest/gtest.h>

#include <QXmlStreamReader>

namespace pliant {

std::vector<QString> ElementsOf(const std::string& svg) {
  QXmlStreamReader reader(QByteArray::fromStdString(svg));
  std::vector<QString> elements;
  while (!reader.atEnd()) {
    if (reader.readNext() == QXmlStreamReader::StartElement) {
      elements.push_back(reader.name().toString());
    }
  }
  EXPECT_FALSE(reader.hasError()) << reader.errorString().toStdString();
  return elements;
}

}  // namespace pliant
