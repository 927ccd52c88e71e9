#include "app/python/values.h"

#include <pybind11/stl.h>

#include <type_traits>
#include <variant>

#include "models/problem.h"

namespace pliant {
namespace py = pybind11;

py::object ToPython(const FileValue& value) {
  return std::visit(
      [](const auto& data) -> py::object {
        using T = std::decay_t<decltype(data)>;
        if constexpr (std::is_same_v<T, FileValue::Array>) {
          py::list list;
          for (const FileValue& element : data) list.append(ToPython(element));
          return list;
        } else if constexpr (std::is_same_v<T, FileValue::Table>) {
          py::dict dict;
          for (const FileValue::Entry& entry : data)
            dict[py::str(entry.key)] = ToPython(entry.value);
          return dict;
        } else {
          return py::cast(data);
        }
      },
      value.data);
}

FileValue ToFileValue(py::handle object, const FilePlace& place, const std::string& what) {
  if (py::isinstance<py::bool_>(object)) return {object.cast<bool>(), place};
  if (py::isinstance<py::int_>(object)) {
    int overflow = 0;
    const long long number = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
    if (overflow != 0) {
      throw BadInput({"", what + " is a whole number that 64 bits cannot hold", "use a float"});
    }
    return {std::int64_t{number}, place};
  }
  if (py::isinstance<py::float_>(object)) return {object.cast<double>(), place};
  if (py::isinstance<py::str>(object)) return {object.cast<std::string>(), place};
  if (py::isinstance<py::dict>(object)) {
    FileValue::Table table;
    for (const auto& [key, value] : py::reinterpret_borrow<py::dict>(object)) {
      if (!py::isinstance<py::str>(key)) {
        throw BadInput({"",
                        "a key of " + what + " is no text: " + py::repr(key).cast<std::string>(),
                        "keys of a table are texts"});
      }
      const auto name = key.cast<std::string>();
      table.push_back({name, place, ToFileValue(value, place, what + "[\"" + name + "\"]")});
    }
    return {std::move(table), place};
  }
  if (py::isinstance<py::list>(object) || py::isinstance<py::tuple>(object)) {
    FileValue::Array array;
    for (const py::handle element : object) {
      array.push_back(ToFileValue(element, place, what + "[" + std::to_string(array.size()) + "]"));
    }
    return {std::move(array), place};
  }
  if (py::hasattr(object, "tolist")) return ToFileValue(object.attr("tolist")(), place, what);
  if (py::hasattr(object, "__fspath__")) {
    return {py::str(object.attr("__fspath__")()).cast<std::string>(), place};
  }
  if (object.is_none()) {
    throw BadInput({"", what + " is None, which no file can hold", "delete the key instead"});
  }
  throw BadInput({"",
                  what + " is of type " + py::type::of(object).attr("__name__").cast<std::string>(),
                  "use bool, int, float, str, list, dict or a NumPy array"});
}

py::object ToPython(const std::optional<double>& value) {
  if (!value) return py::none();
  return py::float_(*value);
}

py::dict ToPython(const FindingTable& table) {
  py::dict dict;
  dict["title"] = table.title;
  dict["columns"] = table.columns;
  dict["rows"] = table.rows;
  dict["remark"] = table.remark;
  return dict;
}

py::list ToPython(const std::vector<TranslatedElement>& entries) {
  py::list list;
  for (const TranslatedElement& entry : entries) {
    list.append(py::make_tuple(entry.element, std::string(ToString(entry.fidelity)), entry.reason));
  }
  return list;
}

}  // namespace pliant
