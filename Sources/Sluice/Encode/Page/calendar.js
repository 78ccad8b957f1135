// The addresses of calendars, from the page's own, and a calendar with reminders, made here.
(function () {
  "use strict";
  const sluice = (window.sluice = window.sluice || {});

  /** Whether the page came from a server, so that others can ask there. */
  const isServed = () => location.protocol === "http:" || location.protocol === "https:";

  /** The address of a file of the site; null if it leaves the site. */
  function addressOf(path) {
    const base = new URL(".", location.href);
    base.search = base.hash = "";
    let address;
    try {
      address = new URL(path, base);
    } catch {
      return null;
    }
    const isInside = address.protocol === base.protocol && address.host === base.host &&
      address.pathname.startsWith(base.pathname);
    return isInside ? address.href : null;
  }

  /** All addresses of a calendar. Those that a server must answer are null for a page from a disk. */
  function links(path, name) {
    const plain = addressOf(path);
    if (plain === null) return null;
    if (!isServed()) return { plain, subscribe: null, google: null, outlook: null };
    const subscribe = plain.replace(/^https?:/, "webcal:");
    return {
      plain, subscribe,
      google: `https://calendar.google.com/calendar/r?cid=${encodeURIComponent(subscribe)}`,
      outlook: "https://outlook.live.com/calendar/0/addfromweb" +
        `?url=${encodeURIComponent(plain)}&name=${encodeURIComponent(name)}`,
    };
  }

  /** An address of data as a link: only that of a page or of mail. Null for anything else. */
  function safeLink(text) {
    if (!/^(https?:\/\/|mailto:|webcal:\/\/)[^\s<>"]+$/i.test(text)) return null;
    try {
      const url = new URL(text);
      return ["http:", "https:", "mailto:", "webcal:"].includes(url.protocol) ? url.href : null;
    } catch {
      return null;
    }
  }

  // Reminders: how long before the start of the first day (RFC 5545, section 3.3.6).
  const TRIGGERS = ["-PT5H", "PT8H", "-P2DT5H", "-P6DT5H"];

  const day = (number) => new Date(number * 864e5).toISOString().slice(0, 10).replaceAll("-", "");
  const escaped = (text) =>
    text.replace(/[\\;,]/g, "\\$&").replace(/\r\n?|\n/g, "\\n")
      .replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, "");

  /** A content line, folded at 75 bytes (section 3.1). */
  function folded(line) {
    const encoder = new TextEncoder();
    let result = "";
    let used = 0;
    for (const letter of line) {
      const length = encoder.encode(letter).length;
      if (used + length > 75) {
        result += "\r\n ";
        used = 1;
      }
      result += letter;
      used += length;
    }
    return result + "\r\n";
  }

  /** A calendar of whole days with a reminder each. `kind` is an index of the reminders. */
  function reminderFile({ feed, key, name, summary, events, kind, now }) {
    const stamp = new Date(now).toISOString().replace(/[-:]|\.\d+/g, "");
    const lines = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//sluice//page//EN", "CALSCALE:GREGORIAN",
    ];
    for (const { first, last } of events) {
      lines.push(
        "BEGIN:VEVENT", `UID:${key}-${day(first)}-reminder@${feed}`, `DTSTAMP:${stamp}`,
        `DTSTART;VALUE=DATE:${day(first)}`, `DTEND;VALUE=DATE:${day(last + 1)}`,
        `SUMMARY:${escaped(summary || name)}`, `LOCATION:${escaped(name)}`, "TRANSP:TRANSPARENT",
        "BEGIN:VALARM", "ACTION:DISPLAY", `DESCRIPTION:${escaped(summary || name)}`,
        `TRIGGER:${TRIGGERS[kind] || TRIGGERS[0]}`, "END:VALARM", "END:VEVENT");
    }
    lines.push("END:VCALENDAR");
    return lines.map(folded).join("");
  }

  sluice.calendar = { isServed, addressOf, links, safeLink, reminderFile };
})();
