// The tree of experiments, scenes and bundles with a line to search it; a double click, or Return,
// opens a file.

#include <QTreeView>
#include <QVBoxLayout>

#include "app/workbench/pages/library_model.h"
#include "app/workbench/pages/page.h"
#include "app/workbench/pages/page_parts.h"

namespace pliant {
namespace {

class LibraryPage : public Page {
 public:
  LibraryPage(const PageContext& context, QWidget* parent)
      : Page(parent), home_(context.home), runs_(context.runs), model_(new LibraryModel(this)) {
    tree_ = AddSearchableTree(model_, TightColumn(this), this);
    tree_->setHeaderHidden(true);
    tree_->setMinimumWidth(22 * fontMetrics().averageCharWidth());  // names stay readable
    connect(tree_, &QTreeView::activated, this,
            [open_file = context.open_file](const QModelIndex& index) {
              const QString path = index.data(LibraryModel::kPathRole).toString();
              if (!path.isEmpty()) open_file(path.toStdString());
            });
    Rescan();
  }

  void Rescan() override {
    model_->Load(home_, runs_);
    tree_->expandToDepth(0);
  }

 private:
  std::filesystem::path home_, runs_;
  LibraryModel* model_;
  QTreeView* tree_;
};

}  // namespace

Page* MakeLibraryPage(const PageContext& context, QWidget* parent) {
  return new LibraryPage(context, parent);
}

}  // namespace pliant
