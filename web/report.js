/* report.js - what the page can do beyond being read: sort, filter, keys, theme, the JSON as a file. */
(function () {
  "use strict";
  var words = document.getElementById("words").dataset;
  var root = document.documentElement;

  function make(tag, text, parent) {
    var e = document.createElement(tag);
    if (text) e.textContent = text;
    if (parent) parent.appendChild(e);
    return e;
  }

  function button(text, parent, action) {
    var b = make("button", text, parent);
    b.type = "button";
    b.addEventListener("click", action);
    return b;
  }

  /* Numbers as the cells show them; what is no number sorts last. */
  function value(cell) {
    var text = cell.textContent.trim().replace(/^\u2265 /, "");
    var number = text === "~0" ? 0 : Number(text.replace(/,/g, ""));
    return text && !isNaN(number) ? number : null;
  }

  function compare(a, b, column, sign) {
    var x = a.cells[column], y = b.cells[column];
    var m = value(x), n = value(y);
    if (m !== null && n !== null) return sign * (m - n);
    if (m !== null || n !== null) return m !== null ? -1 : 1;
    return sign * x.textContent.localeCompare(y.textContent);
  }

  function sortable(table) {
    var body = table.tBodies[0];
    if (!table.tHead || body.rows.length < 3 || body.querySelector("[class^=d]")) return;
    Array.prototype.forEach.call(table.tHead.rows[0].cells, function (head, column) {
      if (!head.textContent.trim()) return;
      var b = document.createElement("button");
      b.type = "button";
      b.title = words.sort;
      while (head.firstChild) b.appendChild(head.firstChild);
      head.appendChild(b);
      b.addEventListener("click", function () {
        var up = head.getAttribute("aria-sort") === "descending";
        var first = !head.hasAttribute("aria-sort") && head.className === "n";
        var sign = up || (!first && !head.hasAttribute("aria-sort")) ? 1 : -1;
        var rows = Array.prototype.slice.call(body.querySelectorAll("tr:not(.total)"));
        rows.sort(function (p, q) { return compare(p, q, column, sign); });
        table.tHead.querySelectorAll("[aria-sort]").forEach(function (h) { h.removeAttribute("aria-sort"); });
        head.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
        var total = body.querySelector("tr.total");
        rows.forEach(function (row) { body.insertBefore(row, total); });
      });
    });
  }

  function filterable(table) {
    var head = table.closest("section").querySelector(".head");
    if (!table.dataset.filter || !head || table.closest("details")) return;
    var input = document.createElement("input");
    input.type = "search";
    input.placeholder = words.filter;
    input.setAttribute("aria-label", words.filter);
    head.insertBefore(input, head.querySelector(".csv"));
    input.addEventListener("input", function () {
      var wanted = input.value.toLowerCase();
      table.querySelectorAll("tbody tr:not(.total)").forEach(function (row) {
        row.hidden = wanted !== "" && row.textContent.toLowerCase().indexOf(wanted) < 0;
      });
    });
  }

  document.querySelectorAll("table").forEach(function (table) {
    sortable(table);
    filterable(table);
    table.querySelectorAll("tbody tr").forEach(function (row) { row.tabIndex = -1; });
  });

  function is_dark() {
    var set = root.dataset.theme;
    return set ? set === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  }

  function save_json() {
    var a = document.createElement("a");
    a.href = "data:application/json;charset=utf-8," + encodeURIComponent(document.getElementById("data").textContent);
    a.download = "carnot.json";
    a.click();
  }

  var dialog = make("dialog", "", document.body);
  var list = make("dl", "", dialog);
  [["/", words.search], ["j k", words.down], ["?", words.help]].forEach(function (row) {
    make("kbd", row[0], make("dt", "", list));
    make("dd", row[1], list);
  });
  button(words.close, dialog, function () { dialog.close(); });

  var tools = document.querySelector(".tools");
  button("JSON", tools, save_json);
  var theme = button("\u25D0", tools, function () { root.dataset.theme = is_dark() ? "light" : "dark"; });
  theme.title = words.theme;
  theme.setAttribute("aria-label", words.theme);
  var help = button("?", tools, function () { dialog.showModal(); });
  help.title = words.keys;
  help.setAttribute("aria-label", words.keys);

  function visible_rows() {
    return Array.prototype.filter.call(document.querySelectorAll("tbody tr"), function (row) {
      return row.offsetParent !== null;
    });
  }

  function step(by) {
    var rows = visible_rows();
    var at = rows.indexOf(document.activeElement) + by;
    if (document.activeElement.tagName !== "TR") at = by > 0 ? 0 : rows.length - 1;
    if (rows[at]) rows[at].focus();
  }

  document.addEventListener("keydown", function (event) {
    var typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
    if (typing || dialog.open || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "j" || event.key === "k") step(event.key === "j" ? 1 : -1);
    else if (event.key === "?") dialog.showModal();
    else if (event.key === "/" && document.querySelector("input[type=search]")) {
      document.querySelector("input[type=search]").focus();
      event.preventDefault();
    }
  });

  addEventListener("beforeprint", function () {
    document.querySelectorAll("details").forEach(function (d) { d.open = true; });
  });
})();
