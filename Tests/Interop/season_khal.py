"""A calendar client that imports every night: what does it show?"""
import datetime
import re
import subprocess

from season_judges import differences
from season_nights import published


def khal(base, command, vdir):
    """Imports each night; the client then shows each outage once, and none that is called off.

    What has left the calendar stays with a client that imports: as cancelled, or in the past.
    """
    seen = set()
    for night, events, _ in published():
        calendar = str(night.folder(base) / "all.ics")
        subprocess.run([*command, "import", "--batch", "-a", "outages", calendar],
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
        held = [item_facts(path) for path in sorted(vdir.iterdir()) if path.suffix == ".ics"]
        seen |= {event.uid for event in events}
        title = f"khal, night {night.number}"
        wrong = differences(f"{title}: UIDs", [item[0] for item in held], seen)
        coming = [item for item in held if item[2] != "CANCELLED" and item[4] > night.today]
        expected = [event.facts()[:5] for event in events
                    if not event.cancelled and event.days[1] >= night.today]
        wrong += differences(f"{title}: what is to come", coming, expected)
        if wrong:
            return "\n".join(wrong)
    shown = subprocess.run(
        [*command, "list", "-a", "outages", "--day-format", "", "--format", "{uid}|{cancelled}",
         str(night.today), "1d"],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    on = [f"{event.uid}|" for event in events
          if not event.cancelled and event.days[0] <= night.today <= event.days[1]]
    print(f"khal holds {len(seen)} events and lists {len(on)} on the last day")
    assert on, "there is nothing to list on the last day"
    wrong = differences(f"{title}: list", [each for each in shown if each[-1] == "|"], on)
    return "\n".join(wrong) if wrong else None


def ghosts(base, command, vdir):
    """Where what vanished is left out instead of cancelled, khal keeps a ghost: that must show."""
    haunted = base / "haunted"
    for night, *_ in published():
        night.folder(haunted).mkdir(parents=True)
        whole = (night.folder(base) / "all.ics").read_bytes().decode("utf-8")
        parts = re.split(r"(BEGIN:VEVENT\r\n.*?END:VEVENT\r\n)", whole, flags=re.DOTALL)
        kept = "".join(part for part in parts if "STATUS:CANCELLED" not in part)
        (night.folder(haunted) / "all.ics").write_bytes(kept.encode("utf-8"))
    wrong = khal(haunted, command, vdir)
    print(wrong)
    return None if wrong and "what is to come" in wrong else "not noticed"


def item_facts(path):
    """UID, SEQUENCE, STATUS, DTSTART and DTEND of a client's one-event file."""
    text = re.sub(r"\r?\n[ \t]", "", path.read_bytes().decode("utf-8"))
    assert text.count("BEGIN:VEVENT") == 1, path
    facts = dict(re.findall(r"^([A-Z-]+)[^:\r\n]*:([^\r\n]*)", text, re.MULTILINE))
    first, last = (datetime.datetime.strptime(facts[key], "%Y%m%d").date()
                   for key in ("DTSTART", "DTEND"))
    return facts["UID"], int(facts["SEQUENCE"]), facts["STATUS"], first, last
