#include "experiments/manual/json_schema.h"

#include <map>
#include <nlohmann/json.hpp>
#include <vector>

#include "experiments/files/experiment_keys.h"
#include "experiments/files/key_catalogue.h"
#include "experiments/files/probe_keys.h"
#include "experiments/files/scene_keys.h"
#include "experiments/files/sweep_plan.h"
#include "experiments/searches/search_keys.h"
#include "solvers/backends.h"
#include "solvers/search/search_methods.h"

namespace pliant {
namespace {

using Keys = std::vector<KeyInfo>;

// The schema of a table of which some keys have schemas of their own.
std::string SchemaOf(Keys keys, const std::map<std::string, std::string>& of_keys = {}) {
  for (KeyInfo& key : keys) {
    const auto own = of_keys.find(key.name);
    if (own != of_keys.end()) key.schema = [schema = own->second] { return schema; };
  }
  return TableSchema(keys);
}

Keys Joined(Keys keys, const Keys& more) {
  keys.insert(keys.end(), more.begin(), more.end());
  return keys;
}

std::string Word(const std::string& word) { return R"({"const":)" + JsonQuoted(word) + "}"; }

std::string AnyOf(const std::vector<std::string>& schemas) {
  std::string list;
  for (const std::string& schema : schemas) list += (list.empty() ? "" : ",") + schema;
  return R"({"anyOf":[)" + list + "]}";
}

std::string EachOf(const std::string& schema) {
  return R"({"type":"object","additionalProperties":)" + schema + "}";
}

// Elements with a shape have the keys of all and those of their shape.
template <typename Shapes, typename Describe>
std::string ShapedSchema(const Keys& common, const Shapes& shapes, const Describe& describe) {
  std::string of_shapes;
  for (const auto& shape : shapes) {
    const Keys own = DescribeTable([&](KeyBinder& b) { describe(shape, b); });
    of_shapes += (of_shapes.empty() ? "" : ",") +
                 SchemaOf(Joined(common, own), {{"shape", Word(shape.word)}});
  }
  return ArraySchema(R"({"type":"object","required":["name","shape"],"oneOf":[)" + of_shapes +
                     "]}");
}

std::string TableOfScene() {
  std::map<std::string, std::string> of_keys;
  for (const ElementKind& kind : ElementKinds()) {
    of_keys[kind.name] = ArraySchema(SchemaOf(kind.describe()));
  }
  of_keys["body"] = ShapedSchema(DescribeBody(), BodyShapes(),
                                 [](const BodyShape& s, KeyBinder& b) { s.bind(b, ""); });
  of_keys["obstacle"] = ShapedSchema(DescribeObstacle(), ObstacleWords(),
                                     [](const ObstacleWord& s, KeyBinder& b) { s.bind(b); });
  of_keys["contact"] = EachOf(EachOf(SchemaOf(DescribeKeys<BodyContact>())));
  return SchemaOf(DescribeKeys<SceneTables>(), of_keys);
}

// A label is the name of a formulation, or the table names it.
std::string TableOfBackends() {
  const Keys common = DescribeKeys<BackendKeys>();
  std::string by_name;
  std::vector<std::string> labelled;
  for (const Backend* backend : Backends()) {
    const std::string& name = backend->info().name;
    Keys keys = Joined(common, DescribeParameters(backend->Parameters()));
    const std::string plain = SchemaOf(keys, {{"formulation", Word(name)}});
    for (KeyInfo& key : keys) key.required = key.name == "formulation";
    labelled.push_back(SchemaOf(keys, {{"formulation", Word(name)}}));
    by_name += (by_name.empty() ? "" : ",") + JsonQuoted(name) + ":" +
               AnyOf({plain, R"({"$ref":"#/definitions/labelled"})"});
  }
  return R"({"type":"object","properties":{)" + by_name +
         R"(},"additionalProperties":{"$ref":"#/definitions/labelled"},"labelled":)" +
         AnyOf(labelled) + "}";
}

std::string TableOfSearch() {
  std::vector<std::string> methods;
  for (const SearchMethod* method : SearchMethods()) {
    methods.push_back(
        SchemaOf(Joined(DescribeKeys<MethodKeys>(), DescribeParameters(method->Parameters()))));
  }
  return SchemaOf(DescribeKeys<SearchKeys>(), {{"methods", EachOf(AnyOf(methods))}});
}

nlohmann::ordered_json Parsed(const std::string& schema) {
  return nlohmann::ordered_json::parse(schema);
}

std::string Page(const std::string& title, const nlohmann::ordered_json& table) {
  nlohmann::ordered_json page = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                                 {"title", title}};
  page.update(table);
  return page.dump(1) + "\n";
}

}  // namespace

std::string SceneSchema() { return Page("A scene of Pliant", Parsed(TableOfScene())); }

std::string ExperimentSchema() {
  nlohmann::ordered_json backends = Parsed(TableOfBackends());
  const nlohmann::ordered_json labelled = backends.at("labelled");
  backends.erase("labelled");
  nlohmann::ordered_json table = Parsed(SchemaOf(
      DescribeKeys<ExperimentKeys>(), {{"scene", AnyOf({R"({"type":"string"})", TableOfScene()})},
                                       {"probe", ArraySchema(SchemaOf(DescribeKeys<Probe>()))},
                                       {"backends", backends.dump()},
                                       {"sweep", SchemaOf(DescribeKeys<SweepPlan>())},
                                       {"optimize", TableOfSearch()}}));
  table["definitions"] = {{"labelled", labelled}};
  return Page("An experiment of Pliant", table);
}

}  // namespace pliant
