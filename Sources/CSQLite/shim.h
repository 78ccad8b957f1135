/* SQLite: the ledger of nightly runs. Debian: libsqlite3-dev. Linked statically. */
#include <sqlite3.h>
