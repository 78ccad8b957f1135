// A place: what is now, its season, all its days, its calendars and a reminder.
(function () {
  "use strict";
  const sluice = (window.sluice = window.sluice || {});
  const {
    t, count, choose, daysText, dayText, localSeconds, localText, distanceText, number,
  } = sluice.texts;
  const { element, sign, squares, outside } = sluice.elements;
  const { links, safeLink, isServed, reminderFile } = sluice.calendar;

  /** How many days of a place are shown at first. */
  const SHOWN = 12;

  /** Makes a view of places in `root`. `actions` are: close(), store, list, address(place), now(). */
  function makePlaceView(root, model, actions) {
    const { data, today } = model;

    /** What happens, in the words of the feed; empty if it has none. */
    const summary = () => choose(data.summary);

    function head(place) {
      const { where, title, house } = model.nameOf(place);
      return element(
        "header", { class: "place-head" },
        element(
          "a", { class: "back", href: "#", onclick: actions.close }, sign("back"), t("back")),
        element(
          "h2", { class: "place-name" },
          where ? element("span", { class: "row-where", text: where }) : null, where ? " " : null,
          element("span", { class: "row-title", text: title }), house ? " " : null,
          house ? element("span", { class: "row-house", text: house }) : null),
        actions.list.star(place));
    }

    /** The state in large letters. */
    function hero(place) {
      const { kind, event, others } = place.state;
      if (!event) {
        const gone = model.cancelled(place) !== undefined;
        return model.hasDays
          ? element("div", { class: "hero hero-none" }, element(
            "p", { class: "hero-main" }, sign("none"), t(gone ? "cancelled" : "noDays")))
          : null;
      }
      const isOne = event.first === event.last;
      const distance = distanceText(event.first, event.last, today);
      const day = kind === "over" || isOne ? daysText(event.first, event.last)
        : kind === "now" ? t("until", { day: dayText(event.last) })
          : t("from", { day: dayText(event.first) });
      return element(
        "div", { class: `hero hero-${kind}` },
        element("p", { class: "hero-what" }, summary() || t(kind)),
        element("p", { class: "hero-main" }, sign(kind), element("span", { text: distance })),
        element("p", { class: "hero-days", text: day }),
        element("p", { class: "hero-more", text: model.snippet(event) }),
        others ? element("p", { class: "hero-more", text: count(others, "more1") }) : null);
    }

    // Days and details.

    /** A value of a row as people read it. */
    function value(text, kind) {
      if (kind === "flag" && (text === "true" || text === "false")) {
        return t(text === "true" ? "yes" : "no");
      }
      if (kind === "day" && /^\d{4}-\d\d-\d\d$/.test(text)) {
        return dayText(Date.parse(text) / 864e5);
      }
      if (kind === "instant" && !Number.isNaN(localSeconds(text))) {
        return localText(localSeconds(text));
      }
      const address = safeLink(text);
      return address === null ? text : outside(address, { class: "value-link", text });
    }

    const isNumber = (kind) => kind === "decimal" || kind === "integer";
    const textOf = (event, index) => data.texts[event.row[3 + index]] || "";

    /** The details that say something of any of these events. */
    function usedDetails(events) {
      return (data.details || []).map((detail, index) => ({ ...detail, index }))
        .filter(({ index }) => events.some((event) => textOf(event, index) !== ""));
    }

    function daysLine(event) {
      const length = event.last - event.first + 1;
      return [
        element("span", { class: "days-text", text: daysText(event.first, event.last) }), " ",
        element("span", {
          class: "days-more",
          text: (length > 1 ? `${count(length, "days")}, ` : "") +
            distanceText(event.first, event.last, today),
        }),
      ];
    }

    const kindOf = (event) =>
      event.last < today ? "over" : event.first <= today ? "now" : "soon";

    /** All days with what is known of them: what was moved, cancelled, or is gone. */
    function daysList(place) {
      const lines = [];
      const moved = place.history.filter((change) => change.kind === "moved");
      for (const event of place.events) {
        if (event.first === null) continue;
        const change = moved.find((one) => one.first === event.first && one.last === event.last);
        lines.push([event.first, element(
          "li", { class: `days days-${kindOf(event)}` }, sign(kindOf(event)),
          element(
            "div", null, ...daysLine(event),
            change && change.oldFirst !== null ? element("p", {
              class: "days-change",
              text: t("moved", { days: daysText(change.oldFirst, change.oldLast) }),
            }) : null))]);
      }
      for (const change of place.history) {
        if (change.kind === "moved" || change.first === null) continue;
        const isCancelled = change.kind === "cancelled";
        const days = daysText(change.first, change.last);
        lines.push([change.first, element(
          "li", { class: `days days-${isCancelled ? "cancelled" : "ended"}` },
          sign(isCancelled ? "close" : "over"),
          element(
            "div", null,
            element(isCancelled ? "del" : "span", { class: "days-text", text: days }), " ",
            element("span", { class: "days-more", text: t(isCancelled ? "cancelled" : "wasGone") })))]);
      }
      lines.sort((a, b) => a[0] - b[0]);
      return folded(element("ul", { class: "days-list" }), lines.map(([, line]) => line));
    }

    /** A list whose end is made when it is asked for. */
    function folded(list, lines) {
      const part = lines.slice(0, lines.length > SHOWN + 3 ? SHOWN : lines.length);
      list.append(...part);
      if (part.length === lines.length) return [list];
      const more = element("button", {
        class: "more", type: "button", text: t("more2", { n: number(lines.length) }),
        onclick: () => {
          list.append(...lines.slice(part.length));
          more.remove();
        },
      });
      return [list, more];
    }

    /** The details of one row as a list of names and values. */
    function detailList(event, details) {
      const list = element("dl", { class: "details" });
      for (const detail of details) {
        list.append(
          element("dt", { text: model.labelOf(detail) }),
          element("dd", null, value(textOf(event, detail.index), detail.kind)));
      }
      return list;
    }

    /** The details of several rows as a table, with their days. */
    function detailTable(events, details) {
      const hasDays = events.some((event) => event.first !== null);
      const body = element("tbody");
      const rows = events.map((event) => element(
        "tr", null,
        hasDays ? element("th", { scope: "row" }, event.first === null
          ? "" : daysText(event.first, event.last)) : null,
        ...details.map((detail) => element(
          "td", { class: isNumber(detail.kind) ? "number" : null },
          value(textOf(event, detail.index), detail.kind)))));
      const [, more] = folded(body, rows);
      const table = element(
        "table", null,
        element("thead", null, element(
          "tr", null, hasDays ? element("th", { scope: "col", text: t("date") }) : null,
          ...details.map((detail) => element("th", {
            scope: "col", text: model.labelOf(detail), class: isNumber(detail.kind) ? "number" : null,
          })))),
        body);
      // What is wider than a phone is moved by keyboard too.
      return [element(
        "div", { class: "table", tabindex: "0", role: "region", "aria-label": t("details") }, table),
      more];
    }

    function section(title, sign, ...children) {
      return element(
        "section", { class: "card" }, element("h3", { class: "card-title" }, sign, title),
        ...children);
    }

    function facts(place) {
      const details = usedDetails(place.events);
      const isTable = details.length > 0 && place.events.length > 1;
      const table = !isTable ? [] : [
        ...sluice.chart.charts(model, place.events, details), ...detailTable(place.events, details),
      ];
      const hasDays = place.history.length || place.events.some((event) => event.first !== null);
      if (!hasDays) return details.length ? [section(t("details"), null, ...rows())] : [];
      const days = section(
        t("periods"), null, sluice.timeline.timeline(model, place),
        // A table has the days already, but not what the ledger knows.
        ...(isTable && !place.history.length ? table : daysList(place)));
      if (!details.length || isTable && !place.history.length) return [days];
      return [days, section(t("details"), null, ...rows())];

      function rows() {
        return isTable ? table : [detailList(place.events[0], details)];
      }
    }

    // Calendars.

    function button(address, text, signName, isFirst) {
      const of = { class: isFirst ? "button button-first" : "button", href: address };
      const inner = [signName ? sign(signName) : null, text];
      return /^https:\/\/(calendar\.google|outlook\.live)/.test(address)
        ? outside(address, of, ...inner) : element("a", of, ...inner);
    }

    /** The ways to take a calendar along. */
    function calendarLinks(path, name, texts) {
      const all = links(path, name);
      if (!all) return null;
      const download = element(
        "a", { class: "button", href: all.plain, download: true }, sign("download"),
        texts.download);
      if (!all.subscribe) return element("div", { class: "buttons" }, download);
      return element(
        "div", { class: "buttons" },
        button(all.subscribe, texts.subscribe, "calendar", texts.isFirst),
        texts.isFirst ? button(all.google, t("google")) : null,
        texts.isFirst ? button(all.outlook, t("outlook")) : null, download);
    }

    /** An address to copy; it can be selected where a browser lets no page copy. */
    function copyField(address, label) {
      const field = element("input", {
        type: "text", readonly: true, value: address, "aria-label": label,
        onfocus: () => field.select(),
      });
      const copy = element("button", {
        class: "button", type: "button", text: t("copy"),
        onclick: async () => {
          field.select();
          try {
            await navigator.clipboard.writeText(address);
            copy.textContent = t("copied");
          } catch {
            // It stays selected, to be copied by hand.
          }
        },
      });
      return element("div", { class: "copy" }, field, copy);
    }

    /** A QR code of the place's page, or of its calendar. */
    function qrCode(place, calendar) {
      const page = new URL(actions.address(place), location.href);
      page.search = "";
      const pageText = page.href;
      const holder = element("div", { class: "qr-holder" });
      const show = (text) => {
        const matrix = sluice.qr.matrix(text);
        holder.replaceChildren(...(matrix ? [squares(matrix, t("qrAlt", { text }))] : []));
      };
      show(pageText);
      const choices = [["qrPage", pageText], ["qrCalendar", calendar]].filter(([, text]) => text);
      const choice = choices.length < 2 ? null : element(
        "div", { class: "qr-choice", role: "radiogroup", "aria-label": t("qr") },
        ...choices.map(([key, text], index) => element(
          "label", null,
          element("input", {
            type: "radio", name: "qr", checked: index === 0, onchange: () => show(text),
          }), t(key))));
      return element(
        "div", { class: "qr-box" }, holder,
        element("div", { class: "qr-side" }, choice, copyField(pageText, t("share"))));
    }

    function calendars(place) {
      const name = model.fullName(place);
      const file = place.id === null ? null : `house/${encodeURIComponent(place.id)}.ics`;
      const street = model.streetFile(place);
      const parts = [];
      if (file) {
        parts.push(
          calendarLinks(file, name, {
            subscribe: t("subscribe"), download: t("download"), isFirst: true,
          }),
          isServed() ? element("p", { class: "small screen", text: t("subscribeMore") }) : null);
      }
      if (street) {
        parts.push(
          element("h4", { class: "screen", text: t("street") }),
          calendarLinks(street, name, {
            subscribe: t("subscribeStreet"), download: t("downloadStreet"), isFirst: !file,
          }));
      }
      if (isServed()) {
        const all = file ? links(file, name) : null;
        parts.push(
          all ? element("h4", { text: t("address") }) : null,
          all ? copyField(all.plain, t("address")) : null,
          element("h4", { text: t("share") }), qrCode(place, all && all.subscribe));
      } else {
        parts.push(element("p", { class: "small", text: t("offline") }));
      }
      if (!file && !street) return section(t("share"), null, ...parts.slice(-1));
      return section(t("calendar"), sign("calendar"), ...parts);
    }

    /** A file with a reminder for each day to come; null if none is. */
    function reminder(place) {
      const events = place.events.filter((event) => event.first !== null && event.first >= today);
      if (!events.length) return null;
      const select = element(
        "select", { id: "remind" }, ...[0, 1, 2, 3].map((kind) => element("option", {
          value: String(kind), text: t(`reminder${kind}`),
        })));
      const get = element("button", {
        class: "button", type: "button",
        onclick: () => {
          const text = reminderFile({
            feed: String(data.feed).replace(/[^\w.-]/g, "_"),
            key: place.id === null ? `place-${model.signature(place)}-${place.index}` : place.id,
            name: model.fullName(place), summary: summary(), events, kind: Number(select.value),
            now: Date.now(),
          });
          const address = URL.createObjectURL(new Blob([text], { type: "text/calendar" }));
          element("a", { href: address, download: "reminder.ics" }).click();
          setTimeout(() => URL.revokeObjectURL(address), 60000);
        },
      }, sign("download"), t("getReminder"));
      const made = section(
        t("reminder"), sign("bell"),
        element(
          "div", { class: "buttons" }, element("label", { for: "remind", text: t("remindMe") }),
          select, get),
        element("p", { class: "small", text: t("reminderMore") }));
      made.classList.add("screen");
      return made;
    }

    /** Shows a place. */
    function show(place) {
      root.replaceChildren(
        head(place),
        ...[hero(place), ...facts(place), calendars(place), reminder(place)].filter(Boolean));
    }

    /** Shows what all places have in common, where no place is chosen. */
    function showOverview() {
      const crowd = model.hasDays ? sluice.timeline.crowd(model) : null;
      root.replaceChildren(element(
        "div", { class: "overview" },
        element("h2", { class: "overview-title", text: t("pick") }),
        element("p", { class: "small", text: t("pickMore") }),
        crowd ? section(t("overview", { day: dayText(today) }), null, element(
          "dl", { class: "tiles" }, ...["now", "soon", "later", "over"].map((kind) => element(
            "div", { class: `tile tile-${kind}` },
            element("dt", null, sign(kind), t(kind)),
            element("dd", { text: number(model.counts[kind]) })))), crowd) : null));
    }

    return { show, showOverview };
  }

  sluice.place = { makePlaceView };
})();
