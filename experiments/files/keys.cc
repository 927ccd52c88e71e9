#include "experiments/files/keys.h"

#include <algorithm>

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

std::vector<KeyInfo> DescribeTable(const BindTable& bind) {
  KeyBinder binder;
  bind(binder);
  return binder.infos();
}

void ReadTable(FileValue* table, const ReadContext& context, const BindTable& bind) {
  KeyBinder known(KeyBinder::Task::kDescribe, table, context);
  bind(known);
  RequireKnownKeys(*table, known.title(), NamesOf(known.infos()));
  KeyBinder binder(KeyBinder::Task::kRead, table, context);
  bind(binder);
}

void RequireKnownKeys(const FileValue& table, const std::string& title,
                      const std::vector<std::string>& known) {
  for (const FileValue::Entry& entry : *table.table()) {
    if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
    FailAt(entry.place, "unknown key '" + entry.key + "' in " + title,
           DidYouMean(entry.key, known));
  }
}

std::vector<std::string> NamesOf(const std::vector<KeyInfo>& infos) {
  std::vector<std::string> names;
  for (const KeyInfo& info : infos) names.push_back(info.name);
  return names;
}

}  // namespace pliant
