-- What became of each period of each address: `nights` are rows of many nights, with `night`, the
-- day of each. A period that was gone in between has a row for each time that it was there. Days
-- without data are no gap.
with numbered as (
  select night, row_number() over (order by night) as number
  from (select distinct night from nights)
),
seen as (
  select distinct address_id, start_date, end_date, nights.night, number
  from nights join numbered on numbered.night = nights.night
),
-- Of nights that follow each other, the difference stays the same.
spells as (
  select *, number - row_number() over (
    partition by address_id, start_date, end_date order by number) as spell
  from seen
)
select address_id, start_date, end_date,
  min(night) as first_seen, max(night) as last_seen, count(*) as nights
from spells
group by address_id, start_date, end_date, spell
order by address_id, start_date, end_date, first_seen
