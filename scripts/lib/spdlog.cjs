// Takes the place of @vscode/spdlog in code-server: the same log files, by Node alone. The package compiles C++, for
// which many machines lack a compiler or node's headers; without it the output panel stays empty.
'use strict';
const {appendFileSync, mkdirSync, renameSync, statSync} = require('node:fs');
const {dirname, extname} = require('node:path');

const levels = ['trace', 'debug', 'info', 'warning', 'error', 'critical', 'off'];

class Logger {
  constructor(_type, _name, path, maximumBytes, fileCount) {
    Object.assign(this, {path, maximumBytes, fileCount, level: 2, hasTime: true, isOpen: true});
    this.bytes = sizeOf(path);
  }

  getLevel() {
    return this.level;
  }

  setLevel(level) {
    this.level = level;
  }

  /** VS Code sets one pattern only: time, level, message. */
  setPattern() {
    this.hasTime = true;
  }

  clearFormatters() {
    this.hasTime = false;
  }

  /** Nothing is kept back. */
  flush() {}

  drop() {
    this.isOpen = false;
  }

  write(level, message) {
    if (!this.isOpen || level < this.level) return;
    const text = this.hasTime ? `${localTime(new Date())} [${levels[level]}] ${message}\n` : message;
    const bytes = Buffer.byteLength(text);
    try {
      if (this.bytes > 0 && this.bytes + bytes > this.maximumBytes) this.rotate();
      appendFileSync(this.path, text);
      this.bytes += bytes;
    } catch {
      // A log that cannot be written must not end VS Code.
    }
  }

  /** main.log becomes main.1.log, that main.2.log, and so on; the last is replaced. */
  rotate() {
    const ending = extname(this.path);
    const nth = n => (n === 0 ? this.path : `${this.path.slice(0, -ending.length || undefined)}.${n}${ending}`);
    for (let n = this.fileCount - 1; n >= 0; n--) {
      if (sizeOf(nth(n)) > 0) renameSync(nth(n), nth(n + 1));
    }
    this.bytes = 0;
  }
}

for (const [level, name] of ['trace', 'debug', 'info', 'warn', 'error', 'critical'].entries()) {
  Logger.prototype[name] = function (message) {
    this.write(level, message);
  };
}

function sizeOf(path) {
  return statSync(path, {throwIfNoEntry: false})?.size ?? 0;
}

/** As spdlog's `%Y-%m-%d %H:%M:%S.%e`, which is local time. */
function localTime(date) {
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 23).replace('T', ' ');
}

async function createRotatingLogger(name, path, maximumBytes, fileCount) {
  mkdirSync(dirname(path), {recursive: true});
  return new Logger('rotating', name, path, maximumBytes, fileCount);
}

function setLevel() {}
function setFlushOn() {}
const createAsyncRotatingLogger = createRotatingLogger;
const version = 0;

// VS Code imports this file as a module: Node finds only names that stand alone here.
module.exports = {version, setLevel, setFlushOn, Logger, createRotatingLogger, createAsyncRotatingLogger};
