// The page: reads the data, the reader's choices and the address, and shows the list and a place.
//
//     index.html            the list, and what all places have in common
//     index.html#/ID        a place by its number; #/~NAME by its name
//     ?today=2020-06-20     the page as of a day
(function () {
  "use strict";
  const sluice = (window.sluice = window.sluice || {});
  const {
    t, choose, count, dayAt, dayText, momentText, number,
  } = sluice.texts;
  const { element, sign, outside } = sluice.elements;
  const { data, status, words } = sluice;
  const at = (id) => document.getElementById(id);

  /** A source that nobody has asked for so long is told of. */
  const UNCHECKED = 3 * 86400;

  // Today, by the feed's clock.

  const asked = new URLSearchParams(location.search).get("today");
  const isAsked = /^\d{4}-\d\d-\d\d$/.test(asked || "") && !Number.isNaN(Date.parse(asked));
  const clock = (data && data.clock) || 0;
  const now = () => Math.floor(Date.now() / 1000);
  const findToday = () =>
    (isAsked ? Date.parse(asked) / 864e5 : dayAt(now(), clock));

  let model = null;
  let finder = null;
  let list = null;
  let view = null;
  let shown = null;
  let query = "";
  const store = sluice.store.makeStore(String(data ? data.feed : ""), () => showAll());

  // The language: the reader's choice, or that of the browser.

  function chooseLanguage() {
    const wanted = [store.choice("language"), ...(navigator.languages || [navigator.language])]
      .map((name) => String(name || "").slice(0, 2).toLowerCase());
    const found = wanted.find((name) => sluice.texts.languages.includes(name));
    sluice.texts.language = found || "en";
  }

  function showLanguages() {
    at("languages").replaceChildren(...sluice.texts.languages.map((name) => element("button", {
      type: "button", text: name.toUpperCase(), lang: name,
      title: { ru: "Русский", en: "English" }[name],
      "aria-pressed": String(name === sluice.texts.language),
      onclick: () => {
        store.choose("language", name);
        showAll();
        at("languages").querySelector(`[lang=${name}]`).focus();
      },
    })));
    at("languages").setAttribute("aria-label", t("language"));
  }

  // Notes: how good the data is.

  function note(isWarning, ...children) {
    return element(
      "p", { class: isWarning ? "message message-warning" : "message" },
      isWarning ? sign("warning") : null, element("span", null, ...children));
  }

  function showNotes() {
    const notes = [];
    if (isAsked) {
      const plain = location.pathname.replace(/^.*\//, "") || "./";
      notes.push(note(
        false, t("asOf", { day: dayText(model.today) }), " ",
        element("a", { href: plain + location.hash, text: t("asOfToday") })));
    }
    const moment = (seconds) => momentText(seconds, clock);
    if (status && status.error) {
      const reason = choose(status.error.text);
      const since = status.confirmed === null ? data.made : status.confirmed;
      const key = /unreachable/.test(String(status.error.code)) ? "stale" : "staleData";
      if (since !== null && since !== undefined) {
        notes.push(note(true, t(key, { when: moment(since) }), reason ? `: ${reason}` : "", "."));
      } else if (reason) {
        notes.push(note(true, reason));
      }
    } else if (status && status.confirmed && now() - status.ran > UNCHECKED && !isAsked) {
      notes.push(note(true, t("unchecked", { when: moment(status.ran) }), "."));
    }
    const { counts, places } = model;
    if (places.length && counts.over + counts.none === places.length && counts.over) {
      notes.push(note(false, t("allOver")));
    }
    at("notes").replaceChildren(...notes);
  }

  function showFoot() {
    const parts = [];
    const made = Number.isFinite(data.made) ? dayText(dayAt(data.made, clock)) : "";
    const said = [made ? t("dataOf", { day: made }) : ""];
    if (status && status.confirmed && !status.error) {
      said.push(t("checked", { when: momentText(status.confirmed, clock) }));
    }
    if (said.some(Boolean)) parts.push(element("p", { text: said.filter(Boolean).join(". ") + "." }));
    const files = (data.files || []).map((file) => [sluice.calendar.addressOf(file.path), file])
      .filter(([address]) => address !== null);
    if (files.length) {
      parts.push(element("p", null, `${t("downloads")}: `, ...joined(files.map(([address, file]) =>
        element("a", {
          href: address, download: true, text: `${file.format.toUpperCase()} (${size(file.size)})`,
        })))));
    }
    const sources = (data.sources || []).map(sluice.calendar.safeLink).filter(Boolean);
    if (sources.length) {
      parts.push(element("p", null, `${t("sources")}: `, ...joined(sources.map((address) =>
        outside(address, { text: new URL(address).host || address })))));
    }
    if (status && status.version) {
      parts.push(element("p", { text: t("made", { version: status.version }) }));
    }
    at("foot").replaceChildren(...parts);
  }

  const joined = (made) => made.flatMap((one, index) => (index ? [", ", one] : [one]));

  function size(bytes) {
    const of = bytes >= 1e6 ? [bytes / 1e6, "megabyte"] : [Math.max(1, bytes / 1e3), "kilobyte"];
    return of[0].toLocaleString(sluice.texts.language, {
      style: "unit", unit: of[1], maximumFractionDigits: of[0] < 10 ? 1 : 0,
    });
  }

  // The list: search, states, favourites, order.

  const choices = { state: "all", starred: false };
  const isStarred = (place) => store.isStarred(model.keyOf(place));
  const order = () => {
    const kept = store.choice("order");
    return model.hasDays && (kept === "begin" || kept === "end") ? kept : "name";
  };

  /** What there is to say of a place that was seen: so, or that its days have changed since. */
  function seenNote(place) {
    const seen = store.seen(model.keyOf(place));
    if (seen === undefined) return null;
    return seen === model.signature(place) ? "seen" : "changed";
  }

  function toggle(text, isOn, onclick, ...children) {
    return element(
      "button", { type: "button", class: "toggle", "aria-pressed": String(isOn), onclick },
      ...children, text);
  }

  function showChoices() {
    const made = [];
    const keep = document.activeElement && document.activeElement.dataset.choice;
    const choose = (name, value) => () => {
      choices[name] = value;
      showChoices();
      showList();
    };
    if (model.hasDays) {
      const kinds = sluice.model.STATES.filter((kind) => model.counts[kind]);
      if (choices.state !== "all" && !kinds.includes(choices.state)) kinds.push(choices.state);
      made.push(element(
        "div", { class: "states", role: "group", "aria-label": t("show") },
        ...["all", ...kinds].map((kind) => {
          const button = toggle(
            t(kind), choices.state === kind, choose("state", kind),
            kind === "all" ? null : sign(kind));
          button.append(element("span", {
            class: "toggle-count",
            text: number(kind === "all" ? model.places.length : model.counts[kind]),
          }));
          button.dataset.choice = kind;
          return button;
        })));
    }
    const starred = toggle(
      t("favourites"), choices.starred, choose("starred", !choices.starred), sign("star"));
    starred.setAttribute("aria-label", t("onlyFavourites"));
    starred.title = t("onlyFavourites");
    starred.dataset.choice = "starred";
    const line = element("div", { class: "choices-line" }, starred);
    if (model.hasDays) {
      const select = element(
        "select", {
          id: "order",
          onchange: () => {
            store.choose("order", select.value);
            showList();
          },
        },
        ...[["name", "byName"], ["begin", "byBegin"], ["end", "byEnd"]].map(([value, key]) =>
          element("option", { value, text: t(key), selected: order() === value })));
      line.append(element("label", { class: "order", for: "order" }, `${t("sort")} `), select);
    }
    made.push(line);
    at("choices").replaceChildren(...made);
    if (keep) {
      const again = at("choices").querySelector(`[data-choice="${CSS.escape(keep)}"]`);
      if (again) again.focus();
    }
  }

  function showRecent() {
    const searches = store.searches();
    const box = at("recent");
    box.hidden = query.trim() !== "" || !searches.length;
    if (box.hidden) return;
    box.replaceChildren(
      element("span", { class: "recent-title", id: "recent-title", text: t("recent") }),
      ...searches.map((text) => element("button", {
        type: "button", class: "recent-one", text,
        onclick: () => {
          at("search").value = text;
          at("search").focus();
          search(text);
        },
      })),
      element("button", {
        type: "button", class: "recent-forget", text: t("forget"),
        onclick: () => {
          store.forgetSearches();
          showRecent();
          at("search").focus();
        },
      }));
  }

  /** The places that a search finds, and those that come near. Without a search, all. */
  function searched() {
    const text = query.trim();
    if (!text || !finder) return { places: model.places, lead: null, isSearch: false };
    const result = finder.find(text);
    if (result.isEmpty) return { places: model.places, lead: null, isSearch: false };
    const of = (indexes) => indexes.map((index) => model.places[index]);
    if (result.places.length) return { places: of(result.places), lead: null, isSearch: true };
    if (result.others.length) {
      return { places: of(result.others), lead: t("noHouse"), isSearch: true, isNear: true };
    }
    const near = of(result.near);
    return { places: near, lead: near.length ? t("similar") : null, isSearch: true, isNear: true };
  }

  function showList() {
    const { places, lead, isSearch, isNear } = searched();
    const isChosen = (place) =>
      (choices.state === "all" || place.state.kind === choices.state) &&
      (!choices.starred || isStarred(place));
    const chosen = places.filter(isChosen);
    const by = order();
    const first = choices.starred || !store.hasStars() || isNear
      ? [] : model.sorted(chosen.filter(isStarred), by);
    const isFirst = new Set(first);
    const rest = (isSearch && by === "name" ? chosen : model.sorted(chosen, by))
      .filter((place) => !isFirst.has(place));
    const said = tell(places, chosen, isNear);
    list.show({
      first, places: rest, isFlat: isSearch || choices.starred || by !== "name" || !model.isGrouped,
      lead: chosen.length
        ? (lead ? element("p", { class: "lead", text: lead }) : null) : nothing(places, lead),
    });
    list.select(shown);
    at("count").textContent = said;
    announce(lead ? `${said}. ${lead}` : said);
    at("clear").hidden = query === "";
    showRecent();
  }

  /** How many places are shown, in words. */
  function tell(places, chosen, isNear) {
    const n = count(chosen.length, model.hasHouses ? "addresses" : "places");
    if (isNear) return t("nothing");
    return query.trim() && !chosen.length ? t("nothing") : n;
  }

  /** What stands where no place is shown. */
  function nothing(places) {
    const box = element("div", { class: "empty" });
    if (!model.places.length) {
      box.append(element("p", { class: "empty-title", text: t("emptyData") }));
    } else if (places.length) {
      box.append(
        element("p", {
          class: "empty-title",
          text: query.trim() ? t("filtered").trim() : t("nothingHere"),
        }),
        choices.starred && !store.hasStars()
          ? element("p", { class: "small", text: t("noFavourites") }) : "",
        element("button", {
          class: "button", type: "button", text: t("showAll"),
          onclick: () => {
            choices.state = "all";
            choices.starred = false;
            showChoices();
            showList();
            at("search").focus();
          },
        }));
    } else {
      box.append(
        element("p", { class: "empty-title", text: t("nothing") }),
        element("p", { class: "small", text: t(model.hasHouses ? "tryOther" : "tryName") }));
    }
    return box;
  }

  /** Says a text to those who listen, once they pause. */
  let announcing = 0;
  function announce(text) {
    clearTimeout(announcing);
    announcing = setTimeout(() => {
      if (at("live").textContent !== text) at("live").textContent = text;
    }, 400);
  }

  function search(text) {
    query = text;
    showList();
  }

  /** Remembers what was typed, once it has led somewhere. */
  function rememberSearch() {
    if (query.trim().length < 2 || !finder) return;
    if (finder.find(query).places.length) store.addSearch(query);
  }

  function listen() {
    const field = at("search");
    field.addEventListener("input", () => search(field.value));
    at("clear").addEventListener("click", () => {
      field.value = "";
      search("");
      field.focus();
    });
    at("search-form").addEventListener("submit", (event) => {
      event.preventDefault();
      rememberSearch();
      const link = at("results").querySelector(".row-link");
      if (link && query.trim()) location.hash = link.getAttribute("href");
    });
    at("skip").addEventListener("click", (event) => {
      event.preventDefault();
      at("results").focus();
    });
    document.addEventListener("keydown", (event) => {
      const isInList = at("results").contains(document.activeElement);
      const isInSearch = document.activeElement === field;
      if ((event.key === "ArrowDown" || event.key === "ArrowUp") && (isInList || isInSearch)) {
        const step = event.key === "ArrowDown" ? 1 : -1;
        if (isInSearch && step < 0) return;
        event.preventDefault();
        if (!list.move(step) && step < 0) field.focus();
      } else if (event.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(
        document.activeElement ? document.activeElement.tagName : "")) {
        event.preventDefault();
        field.focus();
      } else if (event.key === "Escape" && isInList) {
        field.focus();
      } else if (event.key === "Escape" && isInSearch && query) {
        event.preventDefault();
        field.value = "";
        search("");
      }
    });
    window.addEventListener("hashchange", () => showPlace(true));
    window.addEventListener("beforeprint", () => { if (!shown) list.prepareForPrint(); });
    // A page that stays open sees the next day.
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && findToday() !== model.today) showAll();
    });
  }

  // Places by the page's address.

  const addressOf = (place) =>
    (place.id !== null ? `#/${encodeURIComponent(place.id)}`
      : `#/~${encodeURIComponent(model.textsOf(place).join("\u001f"))}`);

  function placeOfAddress() {
    if (!location.hash.startsWith("#/")) return null;
    let name;
    try {
      name = decodeURIComponent(location.hash.slice(2));
    } catch {
      return null;
    }
    if (!name.startsWith("~")) return model.byId.get(name) || null;
    return model.places.find((place) => model.keyOf(place) === name.slice(1)) || null;
  }

  function showPlace(isMove) {
    const before = shown;
    shown = placeOfAddress();
    document.body.classList.toggle("has-place", shown !== null);
    const title = titleOfFeed();
    document.title = shown ? `${model.fullName(shown)} – ${title}` : title;
    list.select(shown);
    if (!shown) {
      view.showOverview();
      if (isMove && before) {
        const link = Array.from(at("results").querySelectorAll(".row-link"))
          .find((made) => made.parentElement.place === before);
        if (link) link.focus();
      }
      return;
    }
    view.show(shown);
    store.setSeen(model.keyOf(shown), model.signature(shown));
    if (isMove) {
      at("place").focus({ preventScroll: true });
      at("place").scrollTop = 0;
      if (getComputedStyle(at("browse")).display === "none") window.scrollTo(0, 0);
    }
  }

  // All of it.

  /** Shows everything anew: the language, the day or another tab's stars have changed. */
  function showAll() {
    chooseLanguage();
    document.documentElement.lang = sluice.texts.language;
    at("skip").textContent = t("skip");
    showLanguages();
    if (!data) {
      at("title").textContent = document.title = t("noData");
      at("panes").replaceChildren(element("p", { class: "empty", text: t("noDataMore") }));
      return;
    }
    model = sluice.model.makeModel(data, findToday());
    at("title").textContent = titleOfFeed();
    at("search-label").textContent = t(model.hasHouses ? "searchAddress" : "searchName");
    at("clear").setAttribute("aria-label", t("clear"));
    const example = model.places[Math.floor(model.places.length / 3)];
    at("search").placeholder = example ? placeholder(example) : "";
    list = sluice.list.makeList(at("results"), model, {
      address: addressOf, isStarred, seenNote, opened: rememberSearch,
      star: (place, isOn) => store.setStarred(model.keyOf(place), isOn),
    });
    view = sluice.place.makePlaceView(at("place"), model, {
      list, address: addressOf,
      close(event) {
        event.preventDefault();
        location.hash = "#/";
      },
    });
    showNotes();
    showChoices();
    showList();
    showPlace(false);
    showFoot();
  }

  /** The feed's title; without one, its name as a word. */
  function titleOfFeed() {
    const name = String(data.feed).replace(/[-_]/g, " ").trim();
    return choose(data.title) || name.charAt(0).toUpperCase() + name.slice(1);
  }

  /** A name of the data, as somebody would type it. */
  function placeholder(place) {
    return `${model.nameOf(place).title} ${model.houseOf(place)}`.trim().slice(0, 40);
  }

  showAll();
  if (data) {
    listen();
    if (words) {
      finder = sluice.search.makeFinder(words, data.name, data.places, (place) =>
        data.name.map((_, index) => data.texts[place[index + 1]] || ""));
      // The names are read while nobody waits.
      (window.requestIdleCallback || setTimeout)(() => finder.prepare());
    }
  }
})();
