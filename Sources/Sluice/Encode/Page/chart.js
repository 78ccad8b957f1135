// The numbers of a place over time, as lines: a price, a temperature.
(function () {
  "use strict";
  const sluice = (window.sluice = window.sluice || {});
  const { t, dayText, localSeconds } = sluice.texts;
  const { element, polyline } = sluice.elements;

  /** Fewer numbers are read in a table as well. */
  const LEAST = 8;
  /** The most lines of a place. */
  const MOST = 3;
  const WIDTH = 600;
  const HEIGHT = 150;

  /** One line: its lowest and highest value beside it, its days below. */
  function chart(label, points) {
    points.sort((a, b) => a.x - b.x);
    const values = points.map((point) => point.y);
    const [low, high] = [Math.min(...values), Math.max(...values)];
    const [first, last] = [points[0].x, points[points.length - 1].x];
    const path = points.map(({ x, y }) => [
      WIDTH * (x - first) / (last - first || 1),
      HEIGHT * (1 - (y - low) / (high - low || 1)),
    ].map((value) => value.toFixed(1)).join(",")).join(" ");
    const days = [first, last].map((day) => dayText(Math.floor(day)));
    const said = (value) => value.toLocaleString(sluice.texts.language);
    return element(
      "figure", { class: "chart" },
      element("figcaption", { text: label }),
      element(
        "div", {
          class: "chart-body", role: "img",
          "aria-label": t("chart", {
            label, low: said(low), high: said(high), first: days[0], last: days[1],
          }),
        },
        element("span", { class: "chart-high", text: said(high) }),
        element("span", { class: "chart-low", text: said(low) }),
        polyline(path, WIDTH, HEIGHT)),
      element(
        "div", { class: "chart-days" }, element("span", { text: days[0] }),
        element("span", { text: days[1] })));
  }

  /** The lines of a place's rows, one for each number that has enough values. */
  function charts(model, events, details) {
    const { data } = model;
    const textOf = (event, detail) => data.texts[event.row[3 + detail.index]] || "";
    const instant = details.find((detail) => detail.kind === "instant");
    const timeOf = (event) => {
      const time = instant ? localSeconds(textOf(event, instant)) : NaN;
      return Number.isNaN(time) ? event.first : time / 86400;
    };
    const made = [];
    for (const detail of details) {
      if (detail.kind !== "decimal" && detail.kind !== "integer") continue;
      const points = [];
      for (const event of events) {
        const [x, text] = [timeOf(event), textOf(event, detail)];
        const y = Number(text);
        if (x !== null && text !== "" && Number.isFinite(y)) points.push({ x, y });
      }
      const isOneDay = new Set(points.map((point) => point.x)).size < LEAST;
      if (!isOneDay && made.length < MOST) made.push(chart(model.labelOf(detail), points));
    }
    return made;
  }

  sluice.chart = { charts };
})();
