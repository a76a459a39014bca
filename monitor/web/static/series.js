/* The interactive chart of a series. Nothing of it is loaded before it is opened; all it shows
   stands in the table of the page as well. Expressions are interpreted, never made into code. */

const box = document.getElementById("interactive");

const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const said = (...parts) => box.querySelector(".status").replaceChildren(...parts);

function script(name) {
  return new Promise((done, failed) => {
    const element = document.createElement("script");
    element.src = `/static/vega/${name}?${box.dataset.version}`;
    element.addEventListener("load", done);
    element.addEventListener("error", () => failed(new Error(`${name} could not be loaded`)));
    document.head.append(element);
  });
}

/* Shares are shown in percent, differences of shares in points. */
const factor = Number(box?.dataset.factor ?? 1);
const shown = (value) => (value === null ? null : Number((value * factor).toPrecision(6)));

async function ticks() {
  const answer = await fetch(box.dataset.points, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(`the values could not be read (${answer.status})`);
  const { ticks } = await answer.json();
  return ticks.map((tick) => ({
    at: Date.parse(tick.due_at), due: tick.due_at.slice(0, 16).replace("T", " "), run: tick.run,
    value: shown(tick.value), low: shown(tick.low), high: shown(tick.high), state: tick.state,
    reason: tick.reason,
  }));
}

function spec(values) {
  const x = {
    field: "at", type: "temporal", scale: { type: "utc" },
    axis: { title: "date, UTC", grid: false, format: "%Y-%m-%d", labelOverlap: true },
  };
  const scale = { zero: false };
  const title = `${box.dataset.title}, 95 % interval`;
  const tooltip = ["due", "value", "low", "high", "state", "reason"].map((field) => ({
    field, type: "nominal",
  }));
  const measured = [{ filter: { field: "value", valid: true } }];
  const gaps = [{ filter: { field: "value", valid: false } }];
  const first = color("--first");
  const quiet = color("--quiet");
  const layer = [
    {
      transform: measured,
      mark: { type: "rule", color: first, strokeWidth: 1.6 },
      encoding: { x, y: { field: "low", type: "quantitative", scale, title }, y2: { field: "high" } },
    },
    {
      mark: { type: "line", color: first, strokeWidth: 1.2, invalid: "break-paths-filter-domains" },
      encoding: { x, y: { field: "value", type: "quantitative", scale, title } },
    },
    {
      transform: measured,
      params: [{ name: "brush", select: { type: "interval", encodings: ["x"] } }],
      mark: { type: "point", filled: true, size: 55, opacity: 1, color: first },
      encoding: { x, y: { field: "value", type: "quantitative", scale, title }, tooltip },
    },
    {
      transform: gaps,
      mark: { type: "point", shape: "cross", size: 70, color: color("--second"), opacity: 1 },
      encoding: { x, y: { value: 292 }, tooltip },
    },
  ];
  if (box.dataset.neutral !== undefined) {
    const neutral = { neutral: shown(Number(box.dataset.neutral)), words: box.dataset.neutralWords };
    const y = { field: "neutral", type: "quantitative", scale, title };
    layer.unshift({
      data: { values: [neutral] },
      mark: { type: "rule", color: quiet, strokeDash: [2, 3] }, encoding: { y },
    }, {
      data: { values: [neutral] },
      mark: { type: "text", color: quiet, x: "width", align: "right", dy: -16 },
      encoding: { y, text: { field: "words" } },
    });
  }
  const events = JSON.parse(box.dataset.events).map(({ at, words }) => ({ at: Date.parse(at), words }));
  if (events.length) layer.push({
    data: { values: events },
    mark: { type: "rule", color: color("--ink"), strokeDash: [4, 3] }, encoding: { x },
  }, {
    data: { values: events },
    mark: { type: "text", color: color("--ink"), y: 8, align: "right", dx: -4 },
    encoding: { x, text: { field: "words" } },
  });
  const axis = {
    labelColor: quiet, titleColor: quiet, domainColor: color("--line"), tickColor: color("--line"),
    gridColor: color("--grid"), labelFontSize: 12, titleFontSize: 12, titleFontWeight: "normal",
  };
  return {
    description: `${title}; the table below has every run`,
    data: { values }, height: 300, width: Math.max(320, box.clientWidth - 90), layer,
    background: null, config: { view: { stroke: null }, axis },
  };
}

/* The first and the last measured tick of what is marked, as two sides of a comparison. */
function offer(values, marked) {
  const inside = values.filter(
    (tick) => tick.value !== null && tick.at >= marked[0] && tick.at <= marked[1],
  );
  if (inside.length < 2) {
    said("Mark two runs or more with the mouse to compare the first with the last of them.");
    return;
  }
  const [before, after] = [inside[0], inside[inside.length - 1]];
  const link = document.createElement("a");
  const asked = new URLSearchParams({ from: before.run, to: after.run });
  if (box.dataset.signature) asked.set("signature", box.dataset.signature);
  link.href = `${box.dataset.page}?${asked}#pair`;
  link.textContent = `Compare ${before.due} with ${after.due}`;
  said(link);
}

async function draw() {
  said("It is being loaded.");
  for (const name of ["vega.min.js", "vega-lite.min.js", "vega-interpreter.js"]) await script(name);
  const { vega, vegaLite } = window;
  const values = await ticks();
  const loader = { load: () => Promise.reject(new Error("nothing is loaded")) };
  const view = new vega.View(vega.parse(vegaLite.compile(spec(values)).spec, null, { ast: true }), {
    expr: vega.expressionInterpreter,
    renderer: "canvas",
    container: box.querySelector(".plot"),
    hover: false,
    loader: { ...loader, sanitize: loader.load },
    logLevel: vega.Warn,
  });
  await view.runAsync();
  box.querySelector(".plot").tabIndex = 0; // it scrolls where there is little room
  view.addSignalListener("brush", (_, marked) => offer(values, (marked.at ?? [1, 0]).map(Number)));
  offer(values, [1, 0]);
}

if (box) {
  box.addEventListener("toggle", () => {
    if (!box.open || box.dataset.drawn) return;
    box.dataset.drawn = "yes";
    draw().catch((error) => {
      delete box.dataset.drawn;
      said(`It cannot be drawn: ${error.message}. The table has every value.`);
    });
  });
}
