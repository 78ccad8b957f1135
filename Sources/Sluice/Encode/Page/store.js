// What a reader keeps: stars, places seen, searches, and the choices of the list. It is kept in the
// browser only, by the name of the feed. Where the browser keeps nothing, it lasts as long as the
// page.
(function () {
  "use strict";
  const sluice = (window.sluice = window.sluice || {});
  /** The most places that are remembered as seen, and searches. */
  const MOST_SEEN = 2000;
  const MOST_SEARCHES = 8;

  /** Makes the store of a feed. `changed` is called when another tab has written. */
  function makeStore(feed, changed) {
    const key = `sluice:${feed}`;
    let state = {};

    function read() {
      let kept = null;
      try {
        kept = JSON.parse(localStorage.getItem(key));
      } catch {
        // Storage is denied, or holds something else.
      }
      const is = (value) => value !== null && typeof value === "object";
      const texts = (value) =>
        (Array.isArray(value) ? value.filter((text) => typeof text === "string") : []);
      const from = is(kept) ? kept : state;
      state = {
        stars: new Set(texts(from.stars instanceof Set ? [...from.stars] : from.stars)),
        seen: new Map(from.seen instanceof Map ? from.seen
          : is(from.seen) && !Array.isArray(from.seen) ? Object.entries(from.seen) : []),
        searches: texts(from.searches).slice(0, MOST_SEARCHES),
        choices: is(from.choices) ? from.choices : {},
      };
    }

    function write() {
      try {
        localStorage.setItem(key, JSON.stringify({
          stars: [...state.stars], seen: Object.fromEntries(state.seen),
          searches: state.searches, choices: state.choices,
        }));
      } catch {
        // Storage is denied or full: the page goes on without.
      }
    }

    read();
    window.addEventListener("storage", (event) => {
      if (event.key !== key && event.key !== null) return;
      read();
      changed();
    });

    return {
      isStarred: (name) => state.stars.has(name),
      hasStars: () => state.stars.size > 0,
      setStarred(name, isStarred) {
        if (isStarred) state.stars.add(name); else state.stars.delete(name);
        write();
      },
      /** What was noted when the place was seen last; undefined if it was not. */
      seen: (name) => state.seen.get(name),
      setSeen(name, note) {
        if (state.seen.get(name) === note) return;
        state.seen.delete(name);
        state.seen.set(name, note);
        for (const oldest of state.seen.keys()) {
          if (state.seen.size <= MOST_SEEN) break;
          state.seen.delete(oldest);
        }
        write();
      },
      searches: () => state.searches,
      addSearch(text) {
        const plain = text.trim().replace(/\s+/g, " ").slice(0, 100);
        if (!plain) return;
        const isSame = (other) => other.toLowerCase() === plain.toLowerCase();
        state.searches = [plain, ...state.searches.filter((other) => !isSame(other))]
          .slice(0, MOST_SEARCHES);
        write();
      },
      forgetSearches() {
        state.searches = [];
        write();
      },
      choice: (name) => state.choices[name],
      choose(name, value) {
        state.choices[name] = value;
        write();
      },
    };
  }

  sluice.store = { makeStore };
})();
