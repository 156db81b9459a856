// Writes a large Nsight Systems export: repetitions of a recording, one after the other. It has the tables and columns
// of version 2022.4 that CUDA and NVTX need.
import Database from 'better-sqlite3';

const schema = `
CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE META_DATA_EXPORT (name TEXT NOT NULL, value TEXT);
CREATE TABLE META_DATA_CAPTURE (name TEXT NOT NULL, value TEXT);
CREATE TABLE ANALYSIS_DETAILS (globalVid INTEGER NOT NULL, duration INTEGER NOT NULL, startTime INTEGER NOT NULL, stopTime INTEGER NOT NULL);
CREATE TABLE TARGET_INFO_GPU (vmId INTEGER NOT NULL, id INTEGER NOT NULL, name TEXT, cuDevice INTEGER);
CREATE TABLE ThreadNames (nameId INTEGER NOT NULL, priority INTEGER, globalTid INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (
  start INTEGER NOT NULL, end INTEGER NOT NULL, eventClass INTEGER NOT NULL, globalTid INTEGER, correlationId INTEGER,
  nameId INTEGER NOT NULL, returnValue INTEGER NOT NULL, callchainId INTEGER);
CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (
  start INTEGER NOT NULL, end INTEGER NOT NULL, deviceId INTEGER NOT NULL, contextId INTEGER NOT NULL, streamId INTEGER NOT NULL,
  correlationId INTEGER, globalPid INTEGER, demangledName INTEGER NOT NULL, shortName INTEGER NOT NULL, mangledName INTEGER,
  launchType INTEGER, cacheConfig INTEGER, registersPerThread INTEGER NOT NULL, gridX INTEGER NOT NULL, gridY INTEGER NOT NULL,
  gridZ INTEGER NOT NULL, blockX INTEGER NOT NULL, blockY INTEGER NOT NULL, blockZ INTEGER NOT NULL,
  staticSharedMemory INTEGER NOT NULL, dynamicSharedMemory INTEGER NOT NULL, localMemoryPerThread INTEGER NOT NULL,
  localMemoryTotal INTEGER NOT NULL, gridId INTEGER NOT NULL, sharedMemoryExecuted INTEGER, graphNodeId INTEGER,
  sharedMemoryLimitConfig INTEGER);
CREATE TABLE NVTX_EVENTS (
  start INTEGER NOT NULL, end INTEGER, eventType INTEGER NOT NULL, rangeId INTEGER, category INTEGER, color INTEGER, text TEXT,
  globalTid INTEGER, endGlobalTid INTEGER, textId INTEGER, domainId INTEGER, uint64Value INTEGER, int64Value INTEGER,
  doubleValue REAL, uint32Value INTEGER, int32Value INTEGER, floatValue REAL, jsonTextId INTEGER, jsonText TEXT);`;

/** nsys packs machine, process and thread into a thread's id. */
const machine = 2 ** 48;
const ofProcess = 2 ** 24;

/**
 * @param {ReturnType<import('./recorded-step.mjs').recordedStep>} recording
 * @param {string} path a new file
 * @param {number} copies
 */
export function writeNsys({pid, events, periodNs}, path, copies) {
  const db = new Database(path);
  db.pragma('journal_mode = OFF');
  db.pragma('synchronous = OFF');
  db.exec(schema);
  db.exec('BEGIN');
  const strings = new Map();
  const textOf = name => strings.get(name) ?? (strings.set(name, strings.size + 1), strings.size);
  const process = machine + (pid % ofProcess) * ofProcess;
  const thread = tid => process + (tid % ofProcess);
  const add = (table, count) => db.prepare(`INSERT INTO ${table} VALUES (${Array(count).fill('?').join(',')})`);
  const [range, call, kernel] = [
    add('NVTX_EVENTS (start, end, eventType, globalTid, textId, domainId)', 6),
    add('CUPTI_ACTIVITY_KIND_RUNTIME', 8),
    add('CUPTI_ACTIVITY_KIND_KERNEL', 27),
  ];
  const calls = events.filter(({cat}) => cat === 'cuda_runtime').length;
  for (let copy = 0; copy < copies; copy++) {
    for (const {cat, name, tid, startNs, durationNs, args} of events) {
      // The recording begins a millisecond before the first event.
      const start = 1_000_000 + copy * periodNs + startNs;
      const end = start + durationNs;
      const correlation = (args.correlation ?? 0) + copy * (calls + 1);
      const text = textOf(name);
      if (cat === 'cuda_runtime') call.run(start, end, 0, thread(tid), correlation, text, 0, null);
      else if (cat !== 'kernel') range.run(start, end, 59, thread(tid), text, 0);
      else {
        const names = [text, textOf(shortName(name)), null];
        const shape = [1, 0, 32, 128, 1, 1, 256, 1, 1, 0, 0, 0, 0, correlation, 0, null, 0];
        kernel.run(start, end, 0, 1, 7, correlation, process, ...names, ...shape);
      }
    }
  }
  const spanNs = 1_000_000 + copies * periodNs;
  db.prepare('INSERT INTO ANALYSIS_DETAILS VALUES (?, ?, 0, ?)').run(machine, spanNs, spanNs);
  db.prepare('INSERT INTO TARGET_INFO_GPU VALUES (0, 0, ?, 0)').run('NVIDIA A100-SXM4-80GB');
  for (const tid of new Set(events.filter(({cat}) => cat !== 'kernel').map(event => event.tid))) {
    db.prepare('INSERT INTO ThreadNames VALUES (?, 100, ?)').run(textOf('python'), thread(tid));
  }
  const version = db.prepare('INSERT INTO META_DATA_EXPORT VALUES (?, ?)');
  for (const [name, value] of Object.entries({MAJOR: '2', MINOR: '10', MICRO: '1'})) {
    version.run(`EXPORT_SCHEMA_VERSION_${name}`, value);
  }
  const string = db.prepare('INSERT INTO StringIds VALUES (?, ?)');
  for (const [text, id] of strings) string.run(id, text);
  db.exec('COMMIT');
  db.close();
}

function shortName(name) {
  return /::(\w+)</.exec(name)?.[1] ?? name;
}
