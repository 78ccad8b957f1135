#!/bin/sh
# The feed as CSV, with jq for the envelope, base64, funzip and Miller (no address_id):
#
#   with_miller.sh FEED OUTPUT
#
# Parts of strings by place are faster in Miller than its splits and captures.
set -e
names='Населенный пункт,locality,Адрес жилого здания,street,№ дома,house,корпус,building'
names="$names,литер,letter,Период отключения ГВС,period"
jq -r '.responseData.classifiers[] | select(.classifierId == 4) | .file' "$1" |
  base64 -d | funzip | mlr -S --ijson --ocsv rename "$names" then put '
  $locality = strip($locality);
  $street = strip($street);
  $house = strip($house);
  $building = strip($building);
  $letter = strip($letter);
  days = strip($period);
  unset $period;
  $start_date = days[7:10] . "-" . days[4:5] . "-" . days[1:2];
  $end_date = days[18:21] . "-" . days[15:16] . "-" . days[12:13]' >"$2"
