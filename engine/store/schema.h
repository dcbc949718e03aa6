#pragma once
#include "engine/store/sqlite.h"

namespace halfstep::store {

/// Version of the tables, kept in the file's user_version.
inline constexpr int kSchemaVersion = 3;

/// Makes the tables in an empty file and sets WAL mode; brings tables of an older version up to this one. Throws
/// StoreError if the file was made by a newer version or is some other program's database; such a file is left as it
/// is.
void prepareSchema(Connection& connection);

} // namespace halfstep::store
