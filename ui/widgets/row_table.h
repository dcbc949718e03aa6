#pragma once

class QTableView;

namespace halfstep::ui {

/// Makes `table` one of whole rows, several of which can be selected, that is sorted by its headers and read only:
/// without grid or frame, Tab leaves it, columns can be moved. The model comes before it.
void setUpRowTable(QTableView& table);

} // namespace halfstep::ui
