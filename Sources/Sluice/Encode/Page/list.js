// The list of places: by street, or one by one; a part at a time, because a town has thousands.
(function () {
  "use strict";
  const sluice = (window.sluice = window.sluice || {});
  const { t, count, daysText, distanceText } = sluice.texts;
  const { element, sign } = sluice.elements;

  /** How many rows or streets are made at a time. */
  const PART = 40;
  /** Streets are open where no more places are shown than these. */
  const OPEN = 40;
  /** The most rows that are made for a print. */
  const PRINTED = 3000;

  /** What is left of a place's days, with the sign of its state. */
  function chip(state, today) {
    if (!state.event) return null;
    const { first, last } = state.event;
    return element(
      "span", { class: `chip chip-${state.kind}` }, sign(state.kind),
      distanceText(first, last, today));
  }

  /**
   * Makes a list in `root`. `actions` are: address(place), isStarred(place), star(place, isStarred),
   * seenNote(place), opened().
   */
  function makeList(root, model, actions) {
    let rest = [];
    let selected = null;
    const button = element("button", { class: "more", type: "button", onclick: () => add(PART) });
    const watcher = "IntersectionObserver" in window
      ? new IntersectionObserver((entries) => {
        if (entries.some((entry) => entry.isIntersecting)) add(PART);
      }, { rootMargin: "600px" })
      : null;
    if (watcher) watcher.observe(button);

    /** The star of a place. `label` names it for those who do not see where it stands. */
    function star(place) {
      const made = element(
        "button", { class: "star", type: "button" }, sign("star"));
      made.place = place;
      made.setAttribute("aria-label", `${t("favourites")}: ${model.fullName(place)}`);
      made.addEventListener("click", () => {
        actions.star(place, !actions.isStarred(place));
        // A place may stand in the list and beside it.
        for (const other of document.querySelectorAll(".star")) {
          if (other.place === place) showStar(other);
        }
      });
      showStar(made);
      return made;
    }

    function showStar(made) {
      const isStarred = actions.isStarred(made.place);
      made.setAttribute("aria-pressed", String(isStarred));
      made.title = t(isStarred ? "unstar" : "star");
    }

    /** A place: `isShort` within its street, where only the house is left to say. */
    function row(place, isShort) {
      const { where, title, house } = model.nameOf(place);
      const { state } = place;
      const note = actions.seenNote(place);
      const gone = state.event ? null : model.cancelled(place);
      const name = element("span", { class: "row-name" });
      if (!isShort && where) name.append(element("span", { class: "row-where", text: where }), " ");
      if (!isShort || !house) name.append(element("span", { class: "row-title", text: title }), " ");
      if (house) name.append(element("span", { class: "row-house", text: house }));
      const link = element(
        "a", { class: "row-link", href: actions.address(place), onclick: actions.opened }, name,
        ...[state.event ? sluice.model.stateDays(state) : "", movedFrom(place), detailsOf(place)]
          .filter(Boolean).map((text) => element("span", { class: "row-days", text })),
        gone ? element("del", { class: "row-days", text: daysText(gone.first, gone.last) }) : null,
        state.event || gone || note
          ? element(
            "span", { class: "row-state" }, chip(state, model.today),
            gone
              ? element("span", { class: "chip chip-over" }, sign("close"), t("cancelled")) : null,
            note ? element("span", { class: `note note-${note}`, text: t(note) }) : null)
          : null);
      if (place === selected) link.setAttribute("aria-current", "true");
      const made = element("li", { class: "row" }, link, star(place));
      made.place = place;
      return made;
    }

    /** The days that the event that counts had before; empty if it was not moved. */
    function movedFrom({ state, history }) {
      const change = state.event && history.find((one) => one.kind === "moved" &&
        one.first === state.event.first && one.last === state.event.last && one.oldFirst !== null);
      return change ? t("moved", { days: daysText(change.oldFirst, change.oldLast) }) : "";
    }

    /** What is known of the event that counts, or of the only row. */
    function detailsOf(place) {
      const event = place.state.event || (place.events.length === 1 ? place.events[0] : null);
      return event ? model.snippet(event) : "";
    }

    /** The places of a street in a few words: how many, and how many now and soon. */
    function summary(places) {
      const counts = { now: 0, soon: 0 };
      for (const place of places) {
        if (place.state.kind in counts) counts[place.state.kind] += 1;
      }
      const made = element(
        "span", { class: "group-counts" },
        element("span", { class: "group-count", text: count(places.length, placesWord()) }));
      for (const kind of ["now", "soon"]) {
        if (!counts[kind]) continue;
        made.append(" ", element(
          "span", { class: `chip chip-${kind}` }, sign(kind), `${t(kind)}: ${counts[kind]}`));
      }
      return made;
    }

    const placesWord = () => (model.hasHouses ? "addresses" : "places");

    /** A street with its places, which are made when it is opened. */
    function group({ where, title, places, isOpen, heading }) {
      const list = element("ul", { class: "rows" });
      const toggle = element(
        "button", { class: "group-toggle", type: "button" }, sign("open"),
        element(
          "span", { class: "group-name" },
          element("span", { class: "row-title", text: title }), where ? " " : null,
          where ? element("span", { class: "row-where", text: where }) : null, " ",
          summary(places)));
      const show = (isOpen) => {
        toggle.setAttribute("aria-expanded", String(isOpen));
        list.hidden = !isOpen;
        if (isOpen && !list.firstChild) list.append(...places.map((place) => row(place, !heading)));
      };
      toggle.addEventListener("click", () => {
        show(toggle.getAttribute("aria-expanded") !== "true");
      });
      show(isOpen);
      return element(
        "section", { class: heading ? "group group-first" : "group" },
        element("h2", { class: "group-head" }, toggle), list);
    }

    /** Makes the next so many of what is left. */
    function add(number) {
      const part = rest.slice(0, number);
      rest = rest.slice(number);
      let list = null;
      for (const item of part) {
        if (item.places) {
          list = null;
          root.insertBefore(group(item), button);
        } else {
          if (!list) list = openList();
          list.append(row(item, false));
        }
      }
      button.hidden = !rest.length;
      // What has come into view since is not told again: look anew.
      if (watcher && rest.length) {
        watcher.unobserve(button);
        watcher.observe(button);
      }
    }

    /** The list that stands last, or a new one. */
    function openList() {
      const last = button.previousElementSibling;
      if (last && last.classList.contains("rows")) return last;
      const list = element("ul", { class: "rows" });
      root.insertBefore(list, button);
      return list;
    }

    /**
     * Shows places. `first` are the favourites, which come first. `isFlat` shows them one by one.
     * `lead` is a text before them.
     */
    function show({ first, places, isFlat, lead }) {
      root.replaceChildren();
      button.textContent = t("more");
      if (lead) root.append(lead);
      root.append(button);
      rest = [];
      if (first.length) {
        rest.push({
          where: "", title: t("favourites"), places: first, isOpen: true, heading: true,
        });
      }
      if (isFlat) {
        rest = rest.concat(places);
      } else {
        const isOpen = places.length <= OPEN;
        for (const group of model.groups(places)) {
          rest.push({ ...group, where: model.hasSeveralLocalities ? group.where : "", isOpen });
        }
      }
      add(PART);
    }

    /** Marks the place that is shown beside the list. */
    function select(place) {
      selected = place;
      for (const made of root.querySelectorAll(".row")) {
        const link = made.querySelector(".row-link");
        if (made.place === place) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
      }
    }

    /** Opens all that is chosen, as far as paper goes. */
    function prepareForPrint() {
      if (rest.length) add(PRINTED);
      let rows = root.querySelectorAll(".row").length;
      for (const toggle of root.querySelectorAll(".group-toggle[aria-expanded=false]")) {
        if (rows > PRINTED) break;
        toggle.click();
        rows += toggle.closest(".group").querySelectorAll(".row").length;
      }
    }

    /** Moves the focus by `step` among what can be opened. Returns whether it moved. */
    function move(step) {
      const all = Array.from(root.querySelectorAll(".row-link, .group-toggle, .more"))
        .filter((made) => made.offsetParent !== null);
      const at = all.indexOf(document.activeElement);
      const next = all[at < 0 ? (step > 0 ? 0 : -1) : at + step];
      if (!next) return false;
      next.focus();
      return true;
    }

    return { show, select, move, prepareForPrint, star, chip: (place) => chip(place.state, model.today) };
  }

  sluice.list = { makeList };
})();
