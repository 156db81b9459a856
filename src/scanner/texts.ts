/** Strings by their raw bytes: equal bytes get the same number. An open-addressing hash table over one pool. */

let slots: usize = 0;
let slotMask: u32 = 0;
let hashes: usize = 0;
/** Where each text begins in the pool; after the last one, where that ends. */
let starts: usize = 0;
let pool: usize = 0;
let textLimit: i32 = 0;
let poolBytes: usize = 0;
let count: i32 = 0;

/** No room for another text: `growTexts` must be called. */
const full: i32 = -1;

/** Returns the number of texts. */
export function textCount(): i32 {
  return count;
}

/** Returns where the bytes of a text begin; those of the next text follow. */
export function textStart(text: i32): usize {
  return pool + <usize>load<u32>(starts + ((<usize>text) << 2));
}

/** Makes room for twice as many texts and bytes. */
export function growTexts(): void {
  const grownLimit = textLimit == 0 ? 4096 : textLimit * 2;
  const grownBytes: usize = poolBytes == 0 ? 1 << 20 : poolBytes * 2;
  const grownHashes = heap.alloc((<usize>grownLimit) << 2);
  const grownStarts = heap.alloc((<usize>grownLimit + 1) << 2);
  const grownPool = heap.alloc(grownBytes + 16);
  if (count > 0) {
    memory.copy(grownHashes, hashes, (<usize>count) << 2);
    memory.copy(grownStarts, starts, (<usize>count + 1) << 2);
    memory.copy(grownPool, pool, poolBytes);
  } else store<u32>(grownStarts, 0);
  hashes = grownHashes;
  starts = grownStarts;
  pool = grownPool;
  textLimit = grownLimit;
  poolBytes = grownBytes;
  spread(<u32>grownLimit * 2);
}

/** Puts all texts into a table of `slotCount` slots, a power of two. */
function spread(slotCount: u32): void {
  slots = heap.alloc((<usize>slotCount) << 2);
  slotMask = slotCount - 1;
  memory.fill(slots, 0xff, (<usize>slotCount) << 2);
  for (let text = 0; text < count; text++) {
    let slot = load<u32>(hashes + ((<usize>text) << 2)) & slotMask;
    while (load<i32>(slots + ((<usize>slot) << 2)) >= 0) slot = (slot + 1) & slotMask;
    store<i32>(slots + ((<usize>slot) << 2), text);
  }
}

/** Returns the number of the text from `start` to `end`, or `full`. */
export function intern(start: usize, end: usize): i32 {
  const hash = hashOf(start, end);
  let slot = hash & slotMask;
  while (true) {
    const text = load<i32>(slots + ((<usize>slot) << 2));
    if (text < 0) return add(start, end, hash, slot);
    if (load<u32>(hashes + ((<usize>text) << 2)) == hash && equals(text, start, end)) return text;
    slot = (slot + 1) & slotMask;
  }
}

function add(start: usize, end: usize, hash: u32, slot: u32): i32 {
  const from = load<u32>(starts + ((<usize>count) << 2));
  const to = <usize>from + (end - start);
  if (count == textLimit || to > poolBytes) return full;
  memory.copy(pool + <usize>from, start, end - start);
  store<u32>(hashes + ((<usize>count) << 2), hash);
  store<i32>(slots + ((<usize>slot) << 2), count);
  store<u32>(starts + ((<usize>count + 1) << 2), <u32>to);
  return count++;
}

function equals(text: i32, start: usize, end: usize): bool {
  const from = load<u32>(starts + ((<usize>text) << 2));
  const length = end - start;
  if (<usize>(load<u32>(starts + ((<usize>text + 1) << 2)) - from) != length) return false;
  const own = pool + <usize>from;
  let i: usize = 0;
  for (; i + 8 <= length; i += 8) if (load<u64>(own + i) != load<u64>(start + i)) return false;
  for (; i < length; i++) if (load<u8>(own + i) != load<u8>(start + i)) return false;
  return true;
}

/** Hashes eight bytes at a time; the bytes after the text in the last word are shifted out. */
function hashOf(start: usize, end: usize): u32 {
  let hash: u64 = end - start;
  let at = start;
  for (; at + 8 <= end; at += 8) hash = mix(hash, load<u64>(at));
  const rest = end - at;
  if (rest > 0) hash = mix(hash, load<u64>(at) << (64 - ((<u64>rest) << 3)));
  return <u32>(hash >> 32);
}

/** Slots are chosen by bits from the upper half, where a product mixes best. */
function mix(hash: u64, word: u64): u64 {
  const product = (hash ^ word) * 0x9e3779b97f4a7c15;
  return product ^ (product >> 29);
}
