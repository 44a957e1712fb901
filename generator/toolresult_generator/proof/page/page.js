"use strict";
// Every text from a spec or a result is set as text, never as markup, with what could turn or
// hide it written as an escape.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const $ = (id) => document.getElementById(id);
  const table = $("matrix");
  const details = $("details");
  const rows = [...table.querySelectorAll("tr[data-path]")];
  const columns = [...table.querySelectorAll("thead th[scope=col]")];
  const CSS_OF = {
    "native": "native", "re-encoded": "reencoded", "text form": "textform",
    "withheld": "withheld", "not expressible": "inexpressible", "at odds": "fault",
  };
  const FOUND = {
    "whole": "as it is", "kept": "as it is, under our key or in the JSON of a text",
    "in text": "as part of a text",
  };

  // ------------------------------------------------------------ making elements

  const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;
  const shown = (text) => String(text).replace(unprintable, (character) =>
    [...Array(character.length).keys()]
      .map((at) => "\\u" + character.charCodeAt(at).toString(16).padStart(4, "0")).join(""));

  function make(name, css, ...children) {
    const element = document.createElement(name);
    if (css) element.className = css;
    for (const child of children) {
      element.append(child instanceof Node ? child : shown(child));
    }
    return element;
  }

  function icon(status) {
    const space = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(space, "svg");
    svg.setAttribute("class", "i");
    svg.setAttribute("aria-hidden", "true");
    const use = document.createElementNS(space, "use");
    use.setAttribute("href", "#i-" + CSS_OF[status]);
    svg.append(use);
    return svg;
  }

  const pill = (status) => make("span", "pill s-" + CSS_OF[status], icon(status), status);
  const say = (text) => { $("said").textContent = shown(text); };

  // ------------------------------------------------------------ the table

  const pathOf = (button) => button.closest("tr").dataset.path;
  const cellOf = (button) => data.cells[button.dataset.label][pathOf(button)];
  const buttons = [...table.querySelectorAll("td button")];
  const byName = new Map(buttons.map((one) => [one.dataset.label + "/" + pathOf(one), one]));
  // rows of buttons, with gaps where a column has no such cell; filters hide some of them
  const grid = rows.map((row) => [...row.querySelectorAll("td")].map((td) => td.querySelector("button")));
  const place = new Map();
  grid.forEach((line, y) => line.forEach((one, x) => { if (one) place.set(one, [y, x]); }));
  const usable = (button) => button && !button.hidden && !button.closest("[hidden]");
  let current = null;

  function rove(button, focus) {
    if (current) current.tabIndex = -1;
    current = button;
    if (!button) return;
    button.tabIndex = 0;
    if (focus) {
      button.focus();
      bringIntoView(button);
    }
  }

  // The sticky row and column headers would cover a cell that a browser thinks is in view.
  function bringIntoView(button) {
    const box = $("scroll");
    const outer = box.getBoundingClientRect();
    const inner = button.getBoundingClientRect();
    const top = outer.top + table.tHead.offsetHeight + 6;
    const left = outer.left + button.closest("tr").firstElementChild.offsetWidth + 6;
    if (inner.top < top) box.scrollTop -= top - inner.top;
    else if (inner.bottom > outer.bottom - 20) box.scrollTop += inner.bottom - outer.bottom + 20;
    if (inner.left < left) box.scrollLeft -= left - inner.left;
    else if (inner.right > outer.right - 20) box.scrollLeft += inner.right - outer.right + 20;
  }

  // The next usable cell in a direction; it stays where there is none.
  function step(button, down, right) {
    let [y, x] = place.get(button);
    for (;;) {
      y += down;
      x += right;
      if (y < 0 || x < 0 || y >= grid.length || x >= columns.length) return button;
      if (usable(grid[y][x])) return grid[y][x];
    }
  }

  function toEnd(button, down, right) {
    for (let next = step(button, down, right); next !== button; next = step(button, down, right)) {
      button = next;
    }
    return button;
  }

  const corner = (last) => {
    const open = buttons.filter(usable);
    return last ? open[open.length - 1] : open[0];
  };
  const KEYS = {
    ArrowUp: (b) => step(b, -1, 0), ArrowDown: (b) => step(b, 1, 0),
    ArrowLeft: (b) => step(b, 0, -1), ArrowRight: (b) => step(b, 0, 1),
    PageUp: (b) => { for (let n = 0; n < 10; n++) b = step(b, -1, 0); return b; },
    PageDown: (b) => { for (let n = 0; n < 10; n++) b = step(b, 1, 0); return b; },
    Home: (b, ctrl) => ctrl ? corner(false) : toEnd(b, 0, -1),
    End: (b, ctrl) => ctrl ? corner(true) : toEnd(b, 0, 1),
  };

  table.addEventListener("keydown", (event) => {
    const button = event.target.closest("td button");
    const move = KEYS[event.key];
    if (!button || !move || event.altKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    rove(move(button, event.ctrlKey), true);
  });
  table.addEventListener("click", (event) => {
    const button = event.target.closest("td button");
    if (button) open(button, true);
  });

  // ------------------------------------------------------------ filters

  const form = $("filters");
  const checked = (name) => new Set(
    [...form.querySelectorAll(`input[name=${name}]:checked`)].map((input) => input.value));

  function filter() {
    const words = $("part").value.toLowerCase().split(/\s+/).filter(Boolean);
    const several = form.querySelector("input[name=target]") !== null;
    const targets = checked("target");
    const statuses = checked("status");
    const wanted = columns.map((th) => !several || targets.has(th.dataset.target));
    for (const th of table.querySelectorAll("thead th")) {
      th.hidden = several && !targets.has(th.dataset.target);
    }
    let count = 0;
    rows.forEach((row, y) => {
      const named = words.every((word) => row.dataset.path.toLowerCase().includes(word));
      let any = false;
      grid[y].forEach((button, x) => {
        row.children[x + 1].hidden = !wanted[x];
        if (!button) return;
        const fits = named && wanted[x] && statuses.has(cellOf(button)[0]);
        button.hidden = !fits;
        any = any || fits;
        count += fits ? 1 : 0;
      });
      row.hidden = !any;
    });
    for (const body of table.tBodies) {
      body.hidden = ![...body.querySelectorAll("tr[data-path]")].some((row) => !row.hidden);
    }
    const across = 1 + wanted.filter(Boolean).length;
    for (const th of table.querySelectorAll(".group th")) th.colSpan = across;
    $("nothing").hidden = count > 0;
    if (!usable(current)) rove(corner(false) || null, false);
    return count;
  }

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => say(`${filter()} of ${buttons.length} cells shown`));
  $("all").addEventListener("click", () => {
    form.reset();
    say(`${filter()} of ${buttons.length} cells shown`);
  });

  // ------------------------------------------------------------ details

  let opened = null;
  let view = null;
  let sides = null;

  function open(button, remember) {
    if (opened) opened.removeAttribute("aria-current");
    opened = button;
    button.setAttribute("aria-current", "true");
    rove(button, false);
    const path = pathOf(button);
    const label = button.dataset.label;
    const [status, rule, seen, examples, faults] = cellOf(button);
    const [how, lost, sometimes, also, never] = data.rules[rule];
    $("cell").replaceChildren(make("span", "", path), make("em", "", "on"), make("span", "", label), pill(status));
    if (sometimes) $("cell").append(make("em", "", "sometimes"), pill(sometimes));
    $("link").setAttribute("href", fragment(label, path));
    if (remember) history.replaceState(null, "", fragment(label, path));
    const gone = status === "withheld" || status === "not expressible";
    $("how").textContent = shown(how);
    $("how").hidden = gone;
    const field = path.split(".").pop();
    const what = gone ? field : lost.join(", ");
    $("lost").hidden = !what;
    $("lost").textContent = shown(gone ? `Lost: ${what}. ${how}` : `Lost: ${what}, which the text form does not hold`);
    $("more").replaceChildren();
    fact("Also stands below", also.join(" and "));
    fact("Never stands below", never.join(" and "));
    fact("Measured", seen ? `${seen} ${seen === 1 ? "time" : "times"} in samples` : "");
    $("faults").hidden = !faults.length;
    $("faults").replaceChildren(...faults.map((fault) => make("li", "", fault)));
    $("examples").hidden = examples.length < 2;
    $("examples").replaceChildren(...examples.map((number) => {
      const choice = make("button", "", data.views[number].name);
      choice.type = "button";
      choice.dataset.view = number;
      choice.addEventListener("click", () => show(number, path));
      return choice;
    }));
    details.hidden = false;
    bringIntoView(button);
    show(examples.length ? examples[0] : null, path);
    const lead = leavesOf(path)[0];
    const where = lead && lead[3].length ? "Stands at " + lead[3].map((one) => one[0]).join(" and ") : "";
    say(`${path} on ${label}: ${status}. ${$("lost").hidden ? how : $("lost").textContent}. ${where}`);
  }

  function fact(name, value) {
    if (value) $("more").append(make("div", "", make("dt", "", name), make("dd", "", value)));
  }

  const leavesOf = (path) => view ? view.leaves.filter((leaf) => leaf[1] === path) : [];

  function show(number, path) {
    view = number === null ? null : data.views[number];
    for (const choice of $("examples").children) {
      choice.setAttribute("aria-pressed", String(Number(choice.dataset.view) === number));
    }
    if (!view) {
      for (const id of ["given", "output", "leaves"]) $(id).replaceChildren();
      return;
    }
    $("given-title").textContent = shown(`Sample ${view.name}${view.meaning ? ": " + view.meaning : ""}`);
    $("given-title").title = $("given-title").textContent;
    $("output-title").textContent = view.inText ? "Output: a JSON string that holds" : "Output";
    sides = { given: side("given", view.given), output: side("output", view.output) };
    $("leaves").replaceChildren(...view.leaves.map(leafEntry));
    if (view.more) $("leaves").append(make("li", "", `… ${view.more} more that were not followed`));
    const own = leavesOf(path);
    select(own.length ? own : view.leaves.slice(0, 1));
  }

  function leafEntry(leaf) {
    const [pointer, , status, places, , sure, noted] = leaf;
    const button = make("button", "s-" + CSS_OF[status]);
    button.type = "button";
    button.append(make("span", "from", icon(status), pointer, make("span", "unseen", " " + status)));
    for (const [to, found] of places) {
      const manner = sure ? FOUND[found] : "an equal value stands there";
      button.append(make("span", "to", `→\u00a0${to || "the whole output"}`, make("small", "", " " + manner)));
    }
    if (noted !== null) button.append(make("span", "to", `among the losses: ${noted}`));
    else if (!places.length) button.append(make("span", "to", "reads back, and stands nowhere by itself"));
    button.addEventListener("click", () => select([leaf]));
    return make("li", "", button);
  }

  function side(id, number) {
    const flat = data.sides[number];
    const lines = [];
    for (let at = 0; at < flat.length; at += 3) {
      const text = data.texts[flat[at + 2]];
      const depth = Math.min(flat[at] >> 1, 16);
      const element = make("div", `line d${depth}${flat[at] & 1 ? " opens" : ""}`, text);
      const pointer = data.texts[flat[at + 1]];
      const leaf = view.leaves.find((one) => id === "given"
        ? covers(one[0], pointer) : one[3].some((where) => covers(where[0], pointer)));
      if (leaf) {
        element.classList.add("leaf");
        element.addEventListener("click", () => select([leaf]));
      }
      lines.push({ pointer, text, element });
    }
    $(id).replaceChildren(...lines.map((line) => line.element));
    return lines;
  }

  const covers = (above, pointer) =>
    pointer === above || pointer.startsWith(above + "/") || pointer.startsWith(above + "#");

  // Highlights leaves on both sides. A text that holds a value among others has it marked inside.
  function select(leaves) {
    view.leaves.forEach((leaf, number) => {
      $("leaves").children[number].firstElementChild.setAttribute("aria-pressed", String(leaves.includes(leaf)));
    });
    const from = leaves.map((leaf) => [leaf[0], ""]);
    const to = leaves.flatMap((leaf) => leaf[3].map((where) => [where[0], where[1] === "in text" ? leaf[4] : ""]));
    paint("given", sides.given, from);
    paint("output", sides.output, to);
    const pressed = $("leaves").querySelector("[aria-pressed=true]");
    if (pressed) center($("leaves").parentElement, pressed);
  }

  function paint(id, lines, hits) {
    let first = null;
    for (const { pointer, text, element } of lines) {
      const hit = hits.find(([above]) => covers(above, pointer));
      const needle = hit ? hit[1] : "";
      const at = needle ? text.indexOf(needle) : -1;
      element.classList.toggle("hit", Boolean(hit) && !needle);
      element.classList.toggle("within", Boolean(hit) && Boolean(needle));
      if (at >= 0) {
        element.replaceChildren(shown(text.slice(0, at)), make("mark", "", needle), shown(text.slice(at + needle.length)));
      } else if (element.childElementCount) {
        element.replaceChildren(shown(text));
      }
      first = first || (hit ? element : null);
    }
    if (first) center($(id), first);
  }

  function center(box, element) {
    const offset = element.getBoundingClientRect().top - box.getBoundingClientRect().top;
    box.scrollTop += offset - box.clientHeight / 3;
  }

  function close() {
    details.hidden = true;
    const button = opened;
    opened = null;
    history.replaceState(null, "", location.pathname + location.search);
    if (button) {
      button.removeAttribute("aria-current");
      if (usable(button)) rove(button, true);
    }
    say("Details closed");
  }

  $("close").addEventListener("click", close);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !details.hidden && event.target.type !== "search") {
      event.preventDefault();
      close();
    }
  });

  // ------------------------------------------------------------ links to a cell

  const fragment = (label, path) => "#" + encodeURI(`${label}/${path}`).replaceAll("#", "%23");

  function follow() {
    let name;
    try {
      name = decodeURIComponent(location.hash.slice(1));
    } catch {
      return;
    }
    if (!name) return;
    const button = byName.get(name);
    if (!button) {
      say(`There is no cell ${name}`);
      return;
    }
    if (!usable(button)) {
      form.reset();
      filter();
    }
    open(button, false);
    rove(button, true);
  }

  window.addEventListener("hashchange", follow);
  filter();
  follow();
})();
