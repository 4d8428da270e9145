"use strict";
// Draws the page from the data that it carries: for the device and the kernel
// that are chosen, or for all kernels together.
const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);

// Families of what became of issue slots. What is in none of them is the last.
const SLOTS = [
  ["issued", "--c0", (u) => u === "issued"],
  ["pipes and operands", "--c1", (u) => u === "operands" || u === "pipe"],
  ["load/store unit", "--c2", (u) => u.startsWith("mem-")],
  ["held back by the scheme", "--c3", (u) => u === "scheme-gate" || u === "parked"],
  ["arithmetic results", "--c4", (u) => u === "dependency"],
  ["memory results", "--c5", (u) => u.startsWith("dependency-")],
  ["barriers and branches", "--c6", (u) => ["control", "fence", "barrier"].includes(u)],
  ["no warp", "--c7", (u) => u === "no-warp" || u === "drain"],
  ["other", "--c8", () => true],
];
const ENERGY = [
  ["register file", "--c4", (p) => p === "registers"],
  ["caches of registers", "--c3", (p) => p === "register cache" || p === "operand cache"],
  ["scratchpad and constants", "--c1", (p) => p === "scratchpad" || p === "constants"],
  ["L1 to DRAM", "--c2", (p) => ["L1", "interconnect", "L2", "DRAM"].includes(p)],
  ["issue and pipes", "--c0", (p) => p === "issue" || p === "pipes"],
  ["constant", "--c7", (p) => p === "constant"],
  ["other", "--c8", () => true],
];

function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

function draw(tag, attributes = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

const grouped = (number) => number.toLocaleString("en-GB");
// Sampling estimates them.
const cyclesOf = (figures) => (figures.estimated ? "~" : "") + grouped(figures.cycles);
const signed = (number) => (number > 0 ? "+" : "") + grouped(number);
const percent = (share) => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)}%`;

// What is chosen: the runs of the device, each with its figures or null.
function chosen() {
  const device = data.devices[byId("device").value];
  const kernel = device.kernels[byId("kernel").value] || null;
  const runs = device.runs.map((run) => ({
    ...run,
    figures: (kernel ? run.kernels[kernel.name] : run.total) || null,
  }));
  const base = runs.find((run) => run.isBaseline && run.figures);
  return { device, kernel, runs, base: base ? base.figures : null };
}

// A horizontal chart, as wide as there is room, so that its text has the size
// of the page's. The longest label decides where bars begin.
const CHAR = 7, ROW = 24, BAR = 15, RIGHT = 70;

function chart(target, runs, maximum, paint, ticks = []) {
  const room = Math.max(240, byId(target).clientWidth);
  const longest = Math.floor((0.4 * room) / CHAR);
  const left = 10 + CHAR * Math.min(longest, Math.max(...runs.map((run) => run.label.length)));
  const height = ROW * runs.length + (ticks.length ? 22 : 4);
  const scale = (value) => (value / maximum) * (room - left - RIGHT);
  const svg = draw("svg", { viewBox: `0 0 ${room} ${height}`, role: "img" });
  for (const tick of ticks) {
    const x = left + scale(tick.at);
    svg.append(
      draw("line", { x1: x, x2: x, y1: 0, y2: height - 16, stroke: "var(--base)", "stroke-dasharray": "3 3" }),
      draw("text", { x, y: height - 3, "text-anchor": "middle", class: "soft" }, tick.text));
  }
  runs.forEach((run, row) => {
    const y = row * ROW + 4;
    const text = run.label.length > longest ? run.label.slice(0, longest - 1) + "…" : run.label;
    svg.append(draw("text", { x: 0, y: y + 12 }, text));
    if (run.figures) paint(svg, run, left, y, scale);
    else svg.append(draw("text", { x: left, y: y + 12, class: "soft" }, run.outcome === "finished" ? "not launched" : run.outcome));
  });
  byId(target).replaceChildren(svg);
}

function bar(svg, x, y, width, color, title) {
  const rectangle = draw("rect", { x, y, width: Math.max(0, width), height: BAR, fill: color, class: "bar" });
  rectangle.append(draw("title", {}, title));
  svg.append(rectangle);
}

function value(svg, x, y, text) {
  svg.append(draw("text", { x: x + 5, y: y + 12, class: "value" }, text));
}

const change = (ratio) => `${ratio > 1 ? "+" : ""}${(100 * (ratio - 1)).toFixed(1)}%`;
const largest = (runs, of) => Math.max(1e-9, ...runs.filter((run) => run.figures).map((run) => of(run.figures)));

function speedups({ runs, base }) {
  if (!base) return nothing("speedup");
  const of = (figures) => base.cycles / figures.cycles;
  const maximum = Math.max(1.05, largest(runs, of));
  chart("speedup", runs, maximum, (svg, run, left, y, scale) => {
    const speedup = of(run.figures);
    const color = run.isBaseline ? "var(--base)" : speedup < 0.995 ? "var(--worse)" : "var(--main)";
    bar(svg, left, y, scale(speedup), color, `${run.label}: ${cyclesOf(run.figures)} cycles`);
    value(svg, left + scale(speedup), y, `${speedup.toFixed(2)}×`);
  }, [{ at: 1, text: "baseline" }]);
}

function occupancies({ runs, kernel }) {
  const first = runs.find((run) => run.figures);
  if (!first) return nothing("occupancy");
  // Kernels differ in what fits; together they have but an average.
  const fits = (figures) => (kernel ? figures.occupancy.warps : figures.average_warps);
  const mean = (figures) => (kernel ? figures.occupancy.average_warps : figures.average_warps);
  const maximum = kernel ? first.figures.occupancy.max_warps : largest(runs, fits);
  chart("occupancy", runs, maximum, (svg, run, left, y, scale) => {
    const figures = run.figures;
    const limits = kernel ? `; limited by ${figures.occupancy.limited_by.join(", ") || "nothing"}` : "";
    bar(svg, left, y, scale(maximum), "var(--track)", `${maximum.toFixed(0)} warps`);
    bar(svg, left, y, scale(fits(figures)), run.isBaseline ? "var(--base)" : "var(--main)",
      `${run.label}: ${fits(figures).toFixed(1)} warps, ${mean(figures).toFixed(1)} on average${limits}`);
    const x = left + scale(mean(figures));
    svg.append(draw("line", { x1: x, x2: x, y1: y - 2, y2: y + BAR + 2, stroke: "var(--ink)", "stroke-width": 2 }));
    value(svg, left + scale(maximum), y, kernel ? `${fits(figures)} / ${maximum}` : fits(figures).toFixed(1));
  });
}

// Sums of a breakdown by family, with what each is made of.
function families(table, amounts) {
  const sums = table.map(([name, color]) => ({ name, color, sum: 0, parts: [] }));
  for (const [part, amount] of Object.entries(amounts)) {
    const family = sums[table.findIndex(([, , has]) => has(part))];
    family.sum += amount;
    if (amount) family.parts.push([part, amount]);
  }
  return sums;
}

function stacks(target, runs, table, amountsOf, unit, text, ticks) {
  const of = (figures) => Object.values(amountsOf(figures)).reduce((sum, amount) => sum + amount, 0) / unit(figures);
  const used = new Set();
  chart(target, runs, largest(runs, of), (svg, run, left, y, scale) => {
    let x = left;
    for (const family of families(table, amountsOf(run.figures))) {
      if (!family.sum) continue;
      used.add(family.name);
      const per = unit(run.figures);
      const parts = family.parts.map(([part, amount]) => `${part} ${(amount / per).toFixed(3)}`);
      const width = scale(family.sum / per);
      bar(svg, x, y, width, `var(${family.color})`, `${run.label}, ${family.name}: ${parts.join(", ")}`);
      x += width;
    }
    value(svg, x, y, text(of(run.figures)));
  }, ticks);
  legend(target, table.filter(([name]) => used.has(name)).map(([name, color]) => [name, `var(${color})`]));
}

function legend(target, entries) {
  const items = entries.map(([name, color]) => make("span", { style: `--of: ${color}` }, name));
  byId(target).append(make("div", { class: "legend" }, ...items));
}

function nothing(target) {
  byId(target).replaceChildren(make("p", { class: "note" }, "There are no figures for this."));
}

function cpiStacks({ runs }) {
  if (!runs.some((run) => run.figures)) return nothing("cpi");
  stacks("cpi", runs, SLOTS, (figures) => figures.issue_slots, (figures) => Math.max(1, figures.issue_slots.issued),
    (cpi) => cpi.toFixed(2));
}

function energies({ runs, base }) {
  if (!base || !base.energy) return nothing("energy");
  const withEnergy = runs.map((run) => (run.figures && run.figures.energy ? run : { ...run, figures: null }));
  stacks("energy", withEnergy, ENERGY, (figures) => figures.energy.parts, () => base.energy.total,
    (ratio) => ratio.toFixed(2), [{ at: 1, text: "baseline" }]);
}

// What a scheme adds: state of an SM as bars, instructions beside them.
function costs({ runs, base }) {
  const maximum = largest(runs, (figures) => figures.storage_bits);
  chart("cost", runs, maximum, (svg, run, left, y, scale) => {
    const { storage_bits: bits, code, warp_instructions: executed } = run.figures;
    const more = base ? `, ${signed(code.instructions - base.code.instructions)} instructions, ` +
      `${change(executed / base.warp_instructions)} executed` : "";
    const known = bits !== null;
    bar(svg, left, y, bits ? scale(bits) : 0, "var(--main)",
      `${run.label}: ${known ? `${grouped(bits)} bits` : "bits not known"}${more}`);
    value(svg, left + (bits ? scale(bits) : 0), y, known ? grouped(bits) : "–");
  });
}

const SHARES = [["registers", "--c4"], ["scratchpad", "--c1"], ["overall", "--c7"]];

function utilisations({ runs, kernel }) {
  if (!kernel || !runs.some((run) => run.figures)) {
    byId("utilisation").replaceChildren(make("p", { class: "note" }, "Choose a kernel to see it."));
    return;
  }
  chart("utilisation", runs, 1, (svg, run, left, y, scale) => {
    const shares = run.figures.utilisation;
    SHARES.forEach(([name, color], row) => {
      const rectangle = draw("rect", { x: left, y: y + row * 6, width: scale(shares[name]), height: 5, fill: `var(${color})`, class: "bar" });
      rectangle.append(draw("title", {}, `${run.label}, ${name}: ${percent(shares[name])}`));
      svg.append(rectangle);
    });
    value(svg, left + scale(1), y, percent(shares.overall));
  });
  legend("utilisation", SHARES.map(([name, color]) => [name, `var(${color})`]));
}

function profile({ kernel }) {
  const target = byId("profile");
  if (!kernel || !kernel.profile) {
    const text = kernel ? "There is no source to show." : "Choose a kernel to see it.";
    target.replaceChildren(make("p", { class: "note" }, text));
    return;
  }
  const lines = kernel.profile.lines;
  const peak = Math.max(1, ...lines.map((line) => line.warp_live));
  const most = Math.max(...lines.map((line) => line.live));
  const indent = Math.min(...lines.filter((line) => line.text.trim()).map((line) => line.text.search(/\S/)));
  const list = make("div", { class: "code" });
  for (const { line, live, warp_live: warp, text } of lines) {
    const bars = make("i", {},
      make("u", { style: `width: ${(100 * live) / peak}%; background: var(--main)` }),
      make("u", { style: `width: ${(100 * (warp - live)) / peak}%; background: var(--light)` }));
    const row = make("div", { title: `line ${line}: ${live} live, ${warp} with parked lanes` },
      make("span", {}, `${line}`), make("b", {}, `${live}`), bars, make("pre", {}, text.slice(isFinite(indent) ? indent : 0)));
    if (live === most) row.className = "peak";
    list.append(row);
  }
  target.replaceChildren(make("p", {}, `${kernel.profile.file}, at most ${most} registers of a thread`), list);
}

function tableRow(run, { base, kernel }) {
  const name = make("td", { title: data.summaries[run.scheme] || "" }, run.label);
  if (!run.figures) {
    const why = run.outcome === "finished" ? "did not launch it" : `${run.outcome}: ${run.why}`;
    return make("tr", {}, name, make("td", { class: "why", colspan: 11 }, make("div", {}, why)));
  }
  const f = run.figures;
  const cells = kernel
    ? [f.occupancy.ctas, f.occupancy.warps, f.occupancy.average_warps.toFixed(1)]
    : ["", "", f.average_warps.toFixed(1)];
  cells.push(
    cyclesOf(f),
    base ? `${(base.cycles / f.cycles).toFixed(2)}×` : "",
    base && base.energy && f.energy ? (f.energy.total / base.energy.total).toFixed(2) : "",
    base ? signed(f.code.instructions - base.code.instructions) : "",
    base ? signed(f.code.statements - base.code.statements) : "",
    base ? change(f.warp_instructions / base.warp_instructions) : "",
    f.storage_bits === null ? "–" : f.storage_bits ? grouped(f.storage_bits) : "",
    f.scheduler);
  return make("tr", {}, name, ...cells.map((cell) => make("td", {}, `${cell}`)));
}

const COLUMNS = ["scheme", "CTAs", "warps", "mean", "cycles", "speedup", "energy", "instructions", "statements", "executed",
  "storage", "scheduler"];

function figures(view) {
  byId("heading").textContent = view.kernel ? view.kernel.heading : "All kernels, one after the other.";
  const rows = view.runs.map((run) => tableRow(run, view));
  const finished = view.runs.filter((run) => run.figures && run.scheme !== "ideal" && !run.isBaseline);
  const best = finished.sort((a, b) => a.figures.cycles - b.figures.cycles)[0];
  if (best && view.base && best.figures.cycles < view.base.cycles)
    rows[view.runs.findIndex((run) => run.label === best.label)].className = "best";
  const head = make("tr", {}, ...COLUMNS.map((name) => make("th", { scope: "col" }, name)));
  byId("table").replaceChildren(make("thead", {}, head), make("tbody", {}, ...rows));
  byId("notes").replaceChildren(...view.device.notes.map((note) => make("li", {}, note)));
  lead(view, best);
}

// The answer in a sentence.
function lead({ base, runs, device }, best) {
  const refused = runs.filter((run) => run.outcome !== "finished").length;
  const parts = [];
  if (!base) parts.push(`Baseline has no figures on ${device.name}.`);
  else if (best && best.figures.cycles < base.cycles)
    parts.push(`On ${device.name} the fastest scheme is ${best.label}: ${(base.cycles / best.figures.cycles).toFixed(2)}× as fast as baseline.`);
  else parts.push(`On ${device.name} no scheme is faster than baseline.`);
  const ideal = runs.find((run) => run.scheme === "ideal" && run.figures);
  if (base && ideal)
    parts.push(`As many registers as ideal has would make it ${(base.cycles / ideal.figures.cycles).toFixed(2)}×.`);
  if (refused) parts.push(`${refused} of ${runs.length} did not run; the table says why.`);
  byId("lead").textContent = parts.join(" ");
}

function slotTable({ runs }) {
  const finished = runs.filter((run) => run.figures);
  if (!finished.length) return byId("slots").replaceChildren();
  const uses = Object.keys(finished[0].figures.issue_slots);
  const head = make("tr", {}, make("th", {}, "use"), ...finished.map((run) => make("th", { scope: "col" }, run.label)));
  const rows = uses.map((use) => make("tr", {}, make("td", {}, use),
    ...finished.map((run) => make("td", {}, grouped(run.figures.issue_slots[use] || 0)))));
  byId("slots").replaceChildren(make("thead", {}, head), make("tbody", {}, ...rows));
}

function show() {
  const view = chosen();
  for (const part of [figures, speedups, occupancies, cpiStacks, energies, utilisations, costs, profile, slotTable]) part(view);
}

function offerKernels() {
  const kernels = data.devices[byId("device").value].kernels;
  const options = kernels.map((kernel, index) => make("option", { value: index, title: kernel.demangled }, kernel.short));
  if (kernels.length !== 1) options.unshift(make("option", { value: "all" }, `all ${kernels.length} kernels`));
  byId("kernel").replaceChildren(...options);
}

byId("title").textContent = `${data.program} ${data.arguments}`.trim() + ": register-file schemes compared";
document.title = `RegShare: ${data.program}`;
byId("footer").textContent = `RegShare ${data.version}. Times and energy are those of the reference SM's model.`;
byId("configurations").textContent = JSON.stringify(data.configurations, null, 1);
byId("device").replaceChildren(...data.devices.map((device, index) => make("option", { value: index }, device.name)));
byId("device").addEventListener("change", () => { offerKernels(); show(); });
byId("kernel").addEventListener("change", show);
let waiting = 0;
let width = innerWidth;
addEventListener("resize", () => {
  // A phone's bars come and go with the height alone.
  if (innerWidth === width) return;
  width = innerWidth;
  clearTimeout(waiting);
  waiting = setTimeout(show, 100);
});
offerKernels();
show();
