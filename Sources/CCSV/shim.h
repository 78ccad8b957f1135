/* libcsv: quoting of CSV fields. Debian: libcsv-dev. Linked statically. */
#include <csv.h>
