#include "cscan.h"
