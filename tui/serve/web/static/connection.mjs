// A connection to the server, which comes back after it was lost. See the package comment of the server for the messages.

export const maxInput = 64 * 1024; // bytes that the server takes in a frame

const protocol = "bandscope.terminal.1";
const delays = [500, 1000, 2000, 4000, 8000, 15000]; // ms before a further attempt; the last one repeats
const maxAttempts = 12; // about two minutes
const openTimeout = 15000; // ms until the server has let the browser join
const probeInterval = 20000; // ms between probes of the connection
const probeTimeout = 8000; // ms until the server has answered one
const ackEvery = 64 * 1024; // bytes

// The codes of a close, as the server has them.
const left = 1000, ending = 1001, ended = 4000, refused = 4001, busy = 4002;
const garbage = [1002, 1003, 1007, 1008, 1009];

export class Connection {
  // hello() returns the fields of a hello. on has functions: joined(message), output(bytes, displayed), lost(seconds),
  // connecting(), refused(text), over(text, canReconnect).
  constructor(url, hello, on) {
    Object.assign(this, { url, hello, on, socket: null, joined: false, attempts: 0, text: "" });
    this.undisplayed = new Set();
    this.wake = () => this.awake();
    addEventListener("online", this.wake);
    document.addEventListener("visibilitychange", this.wake);
  }

  open() {
    clearTimeout(this.retry);
    this.on.connecting();
    const socket = new WebSocket(this.url, protocol);
    socket.binaryType = "arraybuffer";
    Object.assign(this, { socket, live: false, text: "", displayed: 0 });
    this.deadline(openTimeout);
    socket.onopen = () => this.send({ type: "hello", ...this.hello() });
    socket.onmessage = (event) => socket === this.socket && this.receive(event.data);
    socket.onclose = (event) => socket === this.socket && this.closed(event.code);
  }

  close() {
    removeEventListener("online", this.wake);
    document.removeEventListener("visibilitychange", this.wake);
    this.forget();
  }

  forget() { // what still happens to the present socket no longer counts
    clearTimeout(this.retry);
    clearTimeout(this.silence);
    clearInterval(this.probes);
    const socket = this.socket;
    this.socket = null;
    this.live = false;
    this.undisplayed.clear();
    socket?.close();
  }

  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  input(bytes) {
    if (this.live && this.socket.readyState === WebSocket.OPEN) this.socket.send(bytes);
  }

  receive(data) {
    if (this.live) clearTimeout(this.silence);
    if (data instanceof ArrayBuffer) {
      this.receiveOutput(new Uint8Array(data));
      return;
    }
    const message = JSON.parse(data);
    if (message.type === "error") {
      this.text = message.text;
    } else if (message.type === "joined") {
      clearTimeout(this.silence);
      Object.assign(this, { live: true, joined: true, attempts: 0 });
      this.probes = setInterval(() => this.probe(), probeInterval);
      this.on.joined(message);
    }
  }

  // The server sends on when bytes are displayed. A hidden page displays nothing, and takes them all.
  receiveOutput(bytes) {
    const socket = this.socket;
    const done = () => {
      if (this.undisplayed.delete(done) && socket === this.socket) this.acknowledge(bytes.length);
    };
    this.undisplayed.add(done);
    this.on.output(bytes, done);
    if (document.hidden) done();
  }

  acknowledge(bytes) {
    this.displayed += bytes;
    if (this.displayed >= ackEvery) {
      this.send({ type: "ack", bytes: this.displayed });
      this.displayed = 0;
    }
  }

  // A browser does not notice that the network has changed or that the machine has slept.
  probe() {
    this.send({ type: "ping" });
    this.deadline(probeTimeout);
  }

  deadline(ms) {
    clearTimeout(this.silence);
    this.silence = setTimeout(() => this.closed(0), ms);
  }

  awake() {
    if (document.hidden) {
      for (const done of [...this.undisplayed]) done();
    } else if (this.live) {
      this.probe();
    } else if (this.joined && this.attempts > 0) {
      this.open();
    }
  }

  closed(code) {
    const text = this.text;
    this.forget();
    if (code === left) {
      this.on.over("You have left.", true);
    } else if (code === ending) {
      this.on.over("The server has ended.", true);
    } else if (code === ended) {
      this.on.over(text, true);
    } else if (code === refused) {
      this.on.refused(text);
    } else if (garbage.includes(code)) {
      this.on.over(text || "The server refuses what the browser has sent.", true);
    } else if (!this.joined) {
      this.on.refused((code === busy && text) || "The server does not answer. Check the address and the network.");
    } else if (this.attempts >= maxAttempts) {
      this.attempts = 0;
      this.on.over("The server does not answer.", true);
    } else {
      const delay = delays[Math.min(this.attempts++, delays.length - 1)] * (0.75 + Math.random() / 2);
      this.retry = setTimeout(() => this.open(), delay);
      this.on.lost(Math.ceil(delay / 1000));
    }
  }
}
