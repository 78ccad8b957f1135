/* libyaml: the configuration file. Debian: libyaml-dev. Linked statically. */
#include <yaml.h>
