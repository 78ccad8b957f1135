// Elements of texts. A text of the data becomes text and never markup; an address of the data
// becomes a link only if it is one of a page or of mail.
(function () {
  "use strict";
  const sluice = (window.sluice = window.sluice || {});

  /**
   * Makes an element. `of` has its attributes, `on…` its listeners, `text` its text; false, null
   * and undefined leave an attribute out. Nothing but texts and elements may be children.
   */
  function element(tag, of, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(of || {})) {
      if (value === false || value === null || value === undefined) continue;
      if (name === "text") made.textContent = value;
      else if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
      else made.setAttribute(name, value === true ? "" : value);
    }
    made.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
    return made;
  }

  const SVG = "http://www.w3.org/2000/svg";

  /** One of the signs of index.html. What it says stands beside it as text. */
  function sign(name) {
    const made = document.createElementNS(SVG, "svg");
    made.setAttribute("class", `sign sign-${name}`);
    made.setAttribute("aria-hidden", "true");
    const use = document.createElementNS(SVG, "use");
    use.setAttribute("href", `#sign-${name}`);
    made.append(use);
    return made;
  }

  /** A drawing of squares: `rows` are true where it is dark. Its margin is part of it. */
  function squares(rows, label) {
    const margin = 4;
    const size = rows.length + 2 * margin;
    const made = document.createElementNS(SVG, "svg");
    made.setAttribute("class", "qr");
    made.setAttribute("viewBox", `0 0 ${size} ${size}`);
    made.setAttribute("role", "img");
    made.setAttribute("aria-label", label);
    made.setAttribute("shape-rendering", "crispEdges");
    const path = document.createElementNS(SVG, "path");
    let line = "";
    rows.forEach((row, y) => row.forEach((isDark, x) => {
      if (isDark) line += `M${x + margin} ${y + margin}h1v1h-1z`;
    }));
    path.setAttribute("d", line);
    made.append(path);
    return made;
  }

  /** A line through points `x,y x,y …`, as wide as there is room. */
  function polyline(points, width, height) {
    const made = document.createElementNS(SVG, "svg");
    made.setAttribute("viewBox", `0 0 ${width} ${height}`);
    made.setAttribute("preserveAspectRatio", "none");
    made.setAttribute("aria-hidden", "true");
    const line = document.createElementNS(SVG, "polyline");
    line.setAttribute("points", points);
    made.append(line);
    return made;
  }

  /** A link that leaves the site. */
  function outside(address, of, ...children) {
    return element(
      "a", { ...of, href: address, target: "_blank", rel: "noopener noreferrer" }, ...children);
  }

  sluice.elements = { element, sign, squares, polyline, outside };
})();
