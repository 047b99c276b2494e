// The terminal of the page: xterm.js with colors, a size that fits the window, and the browser's own copy and paste.

import "./styles.mjs";
import { Terminal } from "./xterm/xterm.mjs";
import { FitAddon } from "./xterm/addon-fit.mjs";
import { WebglAddon } from "./xterm/addon-webgl.mjs";
import { ImageAddon } from "./xterm/addon-image.mjs";

const maxCols = 500, maxRows = 200; // of the server
const wantedCols = 80, wantedRows = 24; // the font is made smaller for them
const maxPixels = 1 << 23; // of a picture
const minFont = 8, maxFont = 72; // px

const dark = {
  background: "#14171c", foreground: "#e4e6ea", cursor: "#e4e6ea", cursorAccent: "#14171c", selectionBackground: "#3d5a80",
  black: "#2b303a", red: "#ff7b72", green: "#7ee787", yellow: "#e3b341", blue: "#79c0ff", magenta: "#d2a8ff", cyan: "#76e3ea",
  white: "#c9d1d9", brightBlack: "#8b949e", brightRed: "#ffa198", brightGreen: "#aff5b4", brightYellow: "#f2cc60",
  brightBlue: "#a5d6ff", brightMagenta: "#e2c5ff", brightCyan: "#b3f0ff", brightWhite: "#ffffff",
};
const light = {
  background: "#ffffff", foreground: "#1f2328", cursor: "#1f2328", cursorAccent: "#ffffff", selectionBackground: "#b6d7f7",
  black: "#1f2328", red: "#b3261e", green: "#116329", yellow: "#7a5200", blue: "#0550ae", magenta: "#8250df", cyan: "#136770",
  white: "#59636e", brightBlack: "#59636e", brightRed: "#a40e26", brightGreen: "#1a7f37", brightYellow: "#633c01",
  brightBlue: "#0969da", brightMagenta: "#6639ba", brightCyan: "#1b7c83", brightWhite: "#6e7781",
};

export class Screen {
  // on has functions: input(bytes), size({cols, rows}). A screen to watch passes no input.
  constructor(parent, { font, watch, reader, isDark }, on) {
    this.parent = parent;
    this.font = font;
    this.on = on;
    this.terminal = new Terminal({
      fontFamily: 'ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace', fontSize: font, lineHeight: 1,
      theme: isDark ? dark : light, scrollback: 0, cursorBlink: false, disableStdin: watch, screenReaderMode: reader,
      macOptionIsMeta: true,
    });
    this.fitting = new FitAddon();
    this.terminal.loadAddon(this.fitting);
    this.terminal.open(parent);
    this.draw();
    if (!reader) this.terminal.loadAddon(new ImageAddon({ iipSupport: false, pixelLimit: maxPixels, showPlaceholder: false }));
    this.fit();
    this.terminal.onResize(({ cols, rows }) => on.size({ cols, rows }));
    if (!watch) {
      const encoder = new TextEncoder();
      this.terminal.onData((text) => on.input(encoder.encode(text)));
      this.terminal.onBinary((text) => on.input(Uint8Array.from(text, (c) => c.charCodeAt(0))));
      this.terminal.attachCustomKeyEventHandler((event) => !this.browserHas(event));
      this.terminal.parser.registerOscHandler(52, copy);
    }
    this.observer = new ResizeObserver(() => this.fit());
    this.observer.observe(parent);
  }

  // draw draws the cells with WebGL, where blocks and lines fit without gaps, if the browser has it, and else as elements.
  draw() {
    let renderer;
    try {
      renderer = new WebglAddon();
      renderer.onContextLoss(() => renderer.dispose());
      this.terminal.loadAddon(renderer);
    } catch {
      renderer?.dispose();
    }
  }

  get size() {
    return { cols: this.terminal.cols, rows: this.terminal.rows };
  }

  // browserHas reports whether a key is the browser's: to paste, and to copy if something is selected.
  browserHas(event) {
    if (!event.ctrlKey || event.altKey || event.metaKey) return false;
    return event.code === "KeyV" || (event.code === "KeyC" && this.terminal.hasSelection());
  }

  // fit gives the terminal as many cells as the window has, with a font small enough for 80×24 if that is possible.
  fit() {
    let size;
    for (let font = this.font; font >= minFont; font--) {
      this.terminal.options.fontSize = font;
      size = this.fitting.proposeDimensions();
      if (!size || (size.cols >= wantedCols && size.rows >= wantedRows)) break;
    }
    if (size && size.cols > 0 && size.rows > 0) {
      this.terminal.resize(Math.min(size.cols, maxCols), Math.min(size.rows, maxRows));
    }
  }

  zoom(step) {
    this.font = Math.max(minFont, Math.min(maxFont, this.font + step));
    this.fit();
  }

  write(bytes, displayed) {
    this.terminal.write(bytes, displayed);
  }

  reset() {
    this.terminal.reset();
    this.terminal.focus();
  }

  dispose() {
    this.observer.disconnect();
    this.terminal.dispose();
  }
}

// copy does what the program's commands to copy ask for: OSC 52. Pages without TLS have no clipboard.
function copy(data) {
  const encoded = data.slice(data.indexOf(";") + 1);
  if (encoded === "?" || !navigator.clipboard) return true;
  try {
    const bytes = Uint8Array.from(atob(encoded), (c) => c.charCodeAt(0));
    navigator.clipboard.writeText(new TextDecoder().decode(bytes)).catch(() => {});
  } catch {
    // not a text
  }
  return true;
}
