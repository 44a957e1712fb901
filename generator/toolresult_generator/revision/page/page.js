"use strict";
// Filters the rows of the table by their states and by their names. Without it everything is shown.
(() => {
  const rows = [...document.querySelectorAll("#cells tbody tr")];
  const search = document.getElementById("find");
  const boxes = [...document.querySelectorAll("#cells input[name=state]")];
  const said = document.getElementById("said");
  const none = document.getElementById("none");
  const filter = () => {
    const wanted = search.value.trim().toLowerCase();
    const states = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    let shown = 0;
    for (const row of rows) {
      const fits = row.dataset.path.toLowerCase().includes(wanted);
      const any = row.dataset.states.split(" ").some((state) => states.has(state));
      row.hidden = !(fits && any);
      shown += row.hidden ? 0 : 1;
    }
    none.hidden = shown > 0;
    said.textContent = `${shown} of ${rows.length} parts and fields`;
  };
  search.addEventListener("input", filter);
  for (const box of boxes) box.addEventListener("change", filter);
  document.getElementById("filters").addEventListener("submit", (event) => event.preventDefault());
  filter();
})();
