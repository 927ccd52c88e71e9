// The data files of control: pose graphs and key frames, bound to the tables of solvers/control.

#ifndef PLIANT_EXPERIMENTS_FILES_CONTROL_KEYS_H_
#define PLIANT_EXPERIMENTS_FILES_CONTROL_KEYS_H_

#include "experiments/files/keys.h"
#include "solvers/control/tables.h"

namespace pliant {

EnumWords<Sensor::Kind> WordsOf(Sensor::Kind);

void Bind(KeyBinder& b, ControlTable::Servo& servo);
void Bind(KeyBinder& b, ControlTable::Transition& transition);
void Bind(KeyBinder& b, ControlTable::Entry& pose);
void Bind(KeyBinder& b, Sensor& sensor);
void Bind(KeyBinder& b, KeyFrameTable::Key& key);

// The keys of one pose graph, of the key frames of one body; or, where the table that is read or
// written has several, the list of them.
void Bind(KeyBinder& b, ControlTable& control);
void Bind(KeyBinder& b, KeyFrameTable& motion);
void BindSeveral(KeyBinder& b, ControlTable& control);
void BindSeveral(KeyBinder& b, KeyFrameTable& motion);

// Throws FileError. An empty table is no control, or no key frames. `file` of the result is left to
// the caller.
template <typename Table>
Table ReadControl(FileValue* table) {
  return table->table()->empty() ? Table() : ReadKeys<Table>(table, {"", 2});
}
template <typename Table>
FileValue WriteControl(const Table& table) {
  return table.empty() ? FileValue{FileValue::Table(), {}} : WriteKeys(table);
}

}  // namespace pliant

#endif  // PLIANT_EXPERIMENTS_FILES_CONTROL_KEYS_H_
