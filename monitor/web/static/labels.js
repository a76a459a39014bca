// Keys for labelling: a key presses the button or the link that names it in data-keys. The page
// works without this.
"use strict";

const WRITES = "input, textarea, select";

// Whoever speaks to a computer, or trembles, presses keys without wanting to (WCAG 2.1.4).
const OFF = "labels.keys.off";
const areOff = () => localStorage.getItem(OFF) !== null;

function shown(key) {
  const here = document.querySelectorAll("#labelling [data-keys]");
  return [...here].find((one) => one.dataset.keys.split(" ").includes(key));
}

function pressed(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.target.matches(WRITES)) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  if (areOff()) return;
  const help = document.getElementById("help");
  if (event.key === "?" && help) {
    help.open = !help.open;
    help.querySelector("summary").focus();
    event.preventDefault();
    return;
  }
  const found = shown(event.key.toLowerCase());
  if (!found) return;
  event.preventDefault();
  if (found.matches(WRITES)) found.focus();
  else found.click();
}

function say(words) {
  const place = document.getElementById("trouble");
  if (!place) return;
  place.textContent = words;
  place.hidden = false;
}

function offered(place) {
  const box = place.querySelector("input");
  box.checked = !areOff();
  box.addEventListener("change", () =>
    box.checked ? localStorage.removeItem(OFF) : localStorage.setItem(OFF, "yes"),
  );
  place.hidden = false;
}

document.addEventListener("keydown", pressed);
document.querySelectorAll("#keys").forEach(offered);
document.addEventListener("htmx:afterSettle", () => document.getElementById("person")?.focus());
document.addEventListener("htmx:responseError", (event) =>
  say(`This was not kept (${event.detail.xhr.status}). Load the page again.`),
);
document.addEventListener("htmx:sendError", () =>
  say("This was not kept: the server does not answer. Try again."),
);
