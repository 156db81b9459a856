/**
 * Meanings of texts, kinds and tracks that JavaScript has passed in; all others are `unknown`. If there is no room for
 * a meaning, the program traps.
 */

export const unknown: i32 = -1;

const textBytes: usize = 8;
const nameOffset: usize = 0;
const kindOffset: usize = 4;
const isModuleOffset: usize = 5;
const isReadFlowOffset: usize = 6;
/** Of kinds and answers. */
const unknownByte: u8 = 255;
/** Further texts are ignored: their table would not fit the memory. */
const mostTexts: u32 = 1 << 26;

let texts: usize = 0;
let textLimit: u32 = 0;

/** Returns a text's index among the trace's names. */
export function nameOf(text: i32): i32 {
  return <u32>text < textLimit ? load<i32>(addressOf(text), nameOffset) : unknown;
}

/** Returns whether a text, whose name is known, names a module's call. */
export function isModule(text: i32): bool {
  return load<u8>(addressOf(text), isModuleOffset) != 0;
}

/** Returns the kind of slices in a category with this text. */
export function kindOf(text: i32): i32 {
  if (<u32>text >= textLimit) return unknown;
  const kind = load<u8>(addressOf(text), kindOffset);
  return kind == unknownByte ? unknown : <i32>kind;
}

/** Returns whether flows of a category are read, as 0 or 1. */
export function isReadFlow(text: i32): i32 {
  if (<u32>text >= textLimit) return unknown;
  const isRead = load<u8>(addressOf(text), isReadFlowOffset);
  return isRead == unknownByte ? unknown : <i32>isRead;
}

/** Stores a text's meaning as a name. */
export function keepName(text: i32, name: i32, isModule: bool): void {
  makeRoom(<u32>text);
  store<i32>(addressOf(text), name, nameOffset);
  store<u8>(addressOf(text), <u8>isModule, isModuleOffset);
}

/** Stores a text's meaning as a category of slices. */
export function keepCategory(text: i32, kind: i32): void {
  makeRoom(<u32>text);
  store<u8>(addressOf(text), <u8>kind, kindOffset);
}

/** Stores a text's meaning as a category of flows. */
export function keepFlowCategory(text: i32, isRead: bool): void {
  makeRoom(<u32>text);
  store<u8>(addressOf(text), <u8>isRead, isReadFlowOffset);
}

function addressOf(text: i32): usize {
  return texts + <usize>text * textBytes;
}

function makeRoom(text: u32): void {
  if (text < textLimit) return;
  if (text >= mostTexts) unreachable();
  const limit = max<u32>(1024, 2 * (text + 1));
  const bytes = <usize>limit * textBytes;
  // It is the last block in the memory, so it grows in place.
  texts = texts == 0 ? heap.alloc(bytes) : heap.realloc(texts, bytes);
  memory.fill(addressOf(textLimit), 0xff, <usize>(limit - textLimit) * textBytes);
  textLimit = limit;
}

const kindBytes: usize = 4;
const kinds: usize = memory.data(4 * 256);

/**
 * Stores which tracks the slices of a kind share, which further table they are in, and the kind that module calls in it
 * become.
 */
export function keepKind(kind: i32, family: i32, isOnGpu: bool, table: i32, kindOfModules: i32): void {
  const at = kinds + <usize>kind * kindBytes;
  store<u8>(at, <u8>family, 0);
  store<u8>(at, <u8>isOnGpu, 1);
  store<u8>(at, <u8>table, 2);
  store<u8>(at, <u8>kindOfModules, 3);
}

export function familyOf(kind: i32): i32 {
  return <i32>load<u8>(kinds + <usize>kind * kindBytes, 0);
}

export function isOnGpu(kind: i32): bool {
  return load<u8>(kinds + <usize>kind * kindBytes, 1) != 0;
}

export function tableOf(kind: i32): i32 {
  return <i32>load<u8>(kinds + <usize>kind * kindBytes, 2);
}

export function kindOfModules(kind: i32): i32 {
  return <i32>load<u8>(kinds + <usize>kind * kindBytes, 3);
}

/** Number of slots for tracks, a power of two: a trace has a few dozen. An empty slot has family 0. */
const slotCount: u32 = 1024;
const mostTracks: u32 = 768;
const slotBytes: usize = 24;
const slots: usize = memory.data(1024 * 24, 8);
let trackCount: u32 = 0;

/** Returns the track of a family on a thread, or on a stream of a device. */
export function trackOf(family: i32, pidOrDevice: f64, tidOrStream: f64): i32 {
  const slot = slotOf(family, pidOrDevice, tidOrStream);
  return load<i32>(slot, 20) == 0 ? unknown : load<i32>(slot, 16);
}

/** Stores a track; if there are too many, forgets the others. */
export function keepTrack(family: i32, pidOrDevice: f64, tidOrStream: f64, track: i32): void {
  if (trackCount == mostTracks) {
    memory.fill(slots, 0, <usize>slotCount * slotBytes);
    trackCount = 0;
  }
  const slot = slotOf(family, pidOrDevice, tidOrStream);
  if (load<i32>(slot, 20) == 0) trackCount++;
  store<f64>(slot, pidOrDevice, 0);
  store<f64>(slot, tidOrStream, 8);
  store<i32>(slot, track, 16);
  store<i32>(slot, family + 1, 20);
}

/** Returns the slot with the track, or an empty one. */
function slotOf(family: i32, pidOrDevice: f64, tidOrStream: f64): usize {
  // Compared by their bits, so that NaN, which does not equal itself, is found again.
  const place = reinterpret<u64>(pidOrDevice);
  const lane = reinterpret<u64>(tidOrStream);
  const bits = (lane * 31 + place) * 31 + <u64>family;
  let index = <u32>((bits * 0x9e3779b97f4a7c15) >> 54);
  while (true) {
    const slot = slots + <usize>index * slotBytes;
    const known = load<i32>(slot, 20);
    if (known == 0) return slot;
    if (known == family + 1 && load<u64>(slot, 0) == place && load<u64>(slot, 8) == lane) return slot;
    index = (index + 1) & (slotCount - 1);
  }
}
