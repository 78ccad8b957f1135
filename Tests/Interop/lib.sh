# What the checks share. Read by each of them, with `set -euo pipefail`; `run` sets the variables:
# SLUICE the program, WORK the temporary folder, OUT the files of make-outputs, ROOT, PYTHON.

here=$ROOT/Tests/Interop
samples=$ROOT/Samples
name=$(basename -- "$0")
mine=$WORK/$name
mkdir -p "$mine"
trap 'kill $(jobs -p) 2>/dev/null || true' EXIT
trap 'exit 143' HUP INT TERM

# check TITLE COMMAND...: runs a command or function and says ok or FAILED with what it printed.
# It runs in a subshell with errexit on: a function stops at its first failing line.
check() {
  local title=$1 status=0
  shift
  (
    set -e
    trap - EXIT
    "$@"
  ) >"$mine/log" 2>&1 &
  wait $! || status=$?
  if ((status == 0)); then
    printf '  ok     %s\n' "$title"
    echo ok >>"$WORK/results"
  else
    printf '  FAILED %s (%s)\n' "$title" "$status"
    head -c 4000 "$mine/log" | head -n 25 | sed 's/^/         /'
    echo failed >>"$WORK/results"
  fi
}

# Says something that is neither passed nor failed.
note() { printf '  note   %s\n' "$*"; }

# convert ARGS...: runs `sluice convert`; 0 and 3 (some records rejected) are fine.
convert() {
  local status=0
  "$SLUICE" convert "$@" || status=$?
  if ((status != 0 && status != 3)); then
    printf 'sluice convert ended with %s\n' "$status"
    return 1
  fi
}

# khal_config FOLDER: writes a configuration of khal, with one collection, into a folder.
khal_config() {
  mkdir -p "$1/outages"
  cat >"$1/config" <<CONFIG
[calendars]
[[outages]]
path = $1/outages
[sqlite]
path = $1/khal.db
[locale]
local_timezone = Europe/Moscow
default_timezone = Europe/Moscow
timeformat = %H:%M
dateformat = %Y-%m-%d
longdateformat = %Y-%m-%d
datetimeformat = %Y-%m-%d %H:%M
longdatetimeformat = %Y-%m-%d %H:%M
[default]
default_calendar = outages
CONFIG
}
