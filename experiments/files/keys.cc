#include "experiments/files/keys.h"

#include <algorithm>
#include <optional>

#include "experiments/files/key_catalogue.h"
#include "models/near_word.h"
#include "models/problem.h"
#include "models/scene/number_text.h"

namespace pliant {

void KeyBinder::AtMostOne(std::initializer_list<const char*> keys, const std::string& owner) const {
  if (!reads()) return;
  const char* given = nullptr;
  for (const char* key : keys) {
    if (!Has(key)) continue;
    if (given != nullptr) {
      Fail(key, owner + " has both '" + given + "' and '" + key + "'", "remove one");
    }
    given = key;
  }
}

void KeyBinder::ExactlyOne(std::initializer_list<const char*> keys, const std::string& owner,
                           const std::string& mend) const {
  if (!reads()) return;
  AtMostOne(keys, owner);
  std::string names;
  size_t left = keys.size();
  for (const char* key : keys) {
    if (Has(key)) return;
    names += std::string(names.empty() ? "'" : left == 1 ? " and '" : ", '") + key + "'";
    --left;
  }
  Fail("", owner + " needs one of the keys " + names, mend);
}

void KeyBinder::Ascending(const char* key,
                          const std::optional<std::array<double, 2>>& range) const {
  if (!reads() || !range || range->front() < range->back()) return;
  Fail(key,
       std::string("'") + key + "' is [" + Digits(range->front()) + ", " + Digits(range->back()) +
           "]",
       "give the lower end first, and a higher one");
}

std::vector<KeyInfo> DescribeTable(const BindTable& bind) {
  KeyBinder binder;
  bind(binder);
  return binder.infos();
}

void ReadTable(FileValue* table, const ReadContext& context, const BindTable& bind,
               Mistakes* mistakes) {
  KeyBinder known(KeyBinder::Task::kDescribe, table, context);
  // A wrong value that determines the other keys: nothing can be said of these.
  if (!mistakes->Try([&] { bind(known); })) return;
  KeyBinder binder(table, context,
                   FindUnknownKeys(*table, known.title(), NamesOf(known.infos()), mistakes));
  try {
    bind(binder);
  } catch (const FileError& error) {
    // A complaint about a table in which something else is wrong may follow from that.
    if (!binder.has_mistake()) mistakes->Add(error);
  }
  if (binder.mistakes().any()) mistakes->Add(FileError(binder.mistakes().list()));
}

void ReadTable(FileValue* table, const ReadContext& context, const BindTable& bind) {
  Mistakes mistakes;
  ReadTable(table, context, bind, &mistakes);
  mistakes.ThrowIfAny();
}

std::vector<std::string> FindUnknownKeys(const FileValue& table, const std::string& title,
                                         const std::vector<std::string>& known,
                                         Mistakes* mistakes) {
  std::vector<std::string> meant;
  for (const FileValue::Entry& entry : *table.table()) {
    if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
    const std::string what = "unknown key '" + entry.key + "' in " + title;
    const std::optional<std::string> near = NearestWord(entry.key, known);
    if (near && table.Find(*near) == nullptr) meant.push_back(*near);
    const std::string elsewhere = TablesWithKey(entry.key);
    std::string mend = DidYouMean(entry.key, known);
    if (!elsewhere.empty()) {
      mend =
          "'" + entry.key + "' belongs to " + elsewhere + ", not to " + title +
          (near ? "; or did you mean '" + *near + "'?" : "") +
          // TOML ends the keys of the file itself where its first table begins.
          (elsewhere.starts_with("the experiment") ? ": write it above the first table of the file"
                                                   : "");
    }
    mistakes->Add(FileError(std::vector<Mistake>{{entry.place, what, mend}}));
  }
  return meant;
}

std::string TableSchema(const std::vector<KeyInfo>& infos) {
  std::string properties, required;
  // A file may give what the table does not.
  const bool from_file = std::any_of(infos.begin(), infos.end(), [](const KeyInfo& info) {
    return info.name == "file" || info.name == "drag";
  });
  for (const KeyInfo& info : infos) {
    std::string schema = info.schema ? info.schema() : "{}";
    std::string words = info.meaning;
    if (!info.unit.empty() && info.unit != "1") words += " [" + info.unit + "]";
    if (!info.default_value.empty()) words += "; default: " + info.default_value;
    const std::string described = R"("description":)" + JsonQuoted(words);
    schema.insert(1, described + (schema == "{}" ? "" : ","));
    properties += (properties.empty() ? "" : ",") + JsonQuoted(info.name) + ":" + schema;
    if (!info.required || from_file) continue;
    required += (required.empty() ? "" : ",") + JsonQuoted(info.name);
  }
  return R"({"type":"object","properties":{)" + properties + R"(},"required":[)" + required +
         R"(],"additionalProperties":false})";
}

std::string InlineExample(const std::vector<KeyInfo>& infos) {
  constexpr size_t kMostOptional = 2;
  std::vector<std::string> names;
  for (const KeyInfo& info : infos) {
    if (info.required) names.push_back(info.name);
  }
  if (names.empty()) {
    names = NamesOf(infos);
    names.resize(std::min(names.size(), kMostOptional));
  }
  std::string keys;
  for (const std::string& name : names) keys += (keys.empty() ? "" : ", ") + name + " = …";
  return "{" + keys + "}";
}

std::vector<std::string> NamesOf(const std::vector<KeyInfo>& infos) {
  std::vector<std::string> names;
  for (const KeyInfo& info : infos) names.push_back(info.name);
  return names;
}

}  // namespace pliant
