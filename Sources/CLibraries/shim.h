/* Debian's C libraries. All are linked statically, so that one program can be carried away. */
#include <zlib.h>       /* zlib1g-dev: inflate and deflate (RFC 1951) */
#include <libdeflate.h> /* libdeflate-dev: CRC-32 with carry-less multiplication */
#include <csv.h>        /* libcsv-dev: CSV fields, read and quoted */
#include <sqlite3.h>    /* libsqlite3-dev: databases, and the ledger of nightly runs */
#include <yaml.h>       /* libyaml-dev: the configuration file and documents of feeds */

/* Forbids SQL that can damage the file, such as writes to its schema. Returns a code of SQLite.
   Swift cannot call functions with a variable number of arguments. */
static inline int clibraries_defend(sqlite3 *database) {
  return sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, 1, (int *)0);
}
