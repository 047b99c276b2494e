// The page: a form to join, then a terminal. The name and the join code may come in the fragment of the address
// (#code=…&name=…), which browsers send to no server; ?watch and ?font=24 in the query.

import { Connection, maxInput } from "./connection.mjs";
import { Screen } from "./terminal.mjs";

const $ = (id) => document.getElementById(id);
const query = new URLSearchParams(location.search);
const fragment = new URLSearchParams(location.hash.slice(1));
const storage = "bandscope " + location.pathname; // tokens of one page
const noticeTime = 6000; // ms

let screen, connection, token = "", noticeTimer;

function start() {
  history.replaceState(null, "", location.pathname + location.search); // a projector shows the address
  const saved = JSON.parse(sessionStorage.getItem(storage) ?? "{}");
  $("name").value = fragment.get("name") ?? saved.name ?? "";
  $("code").value = fragment.get("code") ?? "";
  $("watch").checked = query.has("watch") || saved.watch === true;
  $("watch").addEventListener("change", requireName);
  requireName();
  $("form").addEventListener("submit", (event) => {
    event.preventDefault();
    join();
  });
  $("again").addEventListener("click", () => connection.open());
  $("back").addEventListener("click", () => showForm(""));
  document.addEventListener("keydown", watchKeys, true); // before the terminal, which stops keys
  if (saved.token && !fragment.has("code")) token = saved.token;
  if (token || ($("code").value && ($("name").value || $("watch").checked))) {
    join();
  } else {
    ($("name").value || $("watch").checked ? $("code") : $("name")).focus();
  }
}

function requireName() {
  $("name").required = !$("watch").checked;
}

function join() {
  $("submit").disabled = true;
  $("problem").hidden = true;
  $("join").hidden = true;
  $("screen").hidden = false;
  const watch = $("watch").checked;
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  const font = Number(query.get("font")) || (watch ? 20 : 15);
  screen = new Screen($("terminal"), { font, watch, isDark, reader: $("reader").checked }, {
    input: (bytes) => {
      if (bytes.length > maxInput) {
        notify(`The text has ${Math.ceil(bytes.length / 1024)} KiB. At most ${maxInput / 1024} KiB can be pasted.`);
      } else {
        connection.input(bytes);
      }
    },
    size: (size) => connection?.live && connection.send({ type: "size", ...size }),
  });
  const hello = () => ({
    name: $("name").value.trim(), code: token ? "" : $("code").value.trim(), token, watch, dark: isDark, ...screen.size,
  });
  const url = new URL("terminal", location.href.replace(/[?#].*/, ""));
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  connection = new Connection(url, hello, {
    connecting: () => showLost("Connecting …", false),
    joined: joined,
    output: (bytes, displayed) => screen.write(bytes, displayed),
    lost: (seconds) => showLost(`The connection is lost. The next attempt is in ${seconds} s.`, true),
    refused: (text) => showForm(text),
    over: (text) => showLost(text, true, true),
  });
  connection.open();
}

function joined(message) {
  token = message.token ?? "";
  sessionStorage.setItem(storage, JSON.stringify({ token, name: $("name").value.trim(), watch: message.watch === true }));
  $("lost").hidden = true;
  $("screen").classList.remove("lost");
  screen.reset();
}

function showLost(text, canOpen, canGoBack = false) {
  $("reason").textContent = text;
  $("again").hidden = !canOpen;
  $("back").hidden = !canGoBack;
  $("lost").hidden = false;
  $("screen").classList.add("lost");
  if (canOpen) $("again").focus();
}

// showForm goes back to the form, with the reason why.
function showForm(text) {
  connection?.close();
  screen?.dispose();
  screen = connection = undefined;
  token = "";
  sessionStorage.removeItem(storage);
  $("screen").hidden = true;
  $("join").hidden = false;
  $("submit").disabled = false;
  $("problem").textContent = text;
  $("problem").hidden = text === "";
  $("code").focus();
}

function notify(text) {
  $("notice").textContent = text;
  $("notice").hidden = false;
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => ($("notice").hidden = true), noticeTime);
}

// A page that watches sends no keys: + and - change the size of its font, f fills the screen.
function watchKeys(event) {
  if (!screen || !$("watch").checked || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === "+" || event.key === "=") screen.zoom(2);
  else if (event.key === "-") screen.zoom(-2);
  else if (event.key === "f") document.documentElement.requestFullscreen?.().catch(() => {});
}

start();
