/** Members of events and of their arguments, identified by the length and the letters of their names. */

export const enum Member {
  /** Not needed: the value is skipped, whatever it is. */
  unread,
  /** A member whose value is not plain: `args.name` and `args.labels` of metadata events. */
  odd,
  phase,
  name,
  category,
  start,
  duration,
  pid,
  tid,
  id,
  correlation,
  externalId,
  sequence,
  forwardThread,
  device,
  stream,
  byteCount,
}

// Up to eight letters as one little-endian word: a name is compared in one step.
const ph: u32 = 0x6870;
const ts: u32 = 0x7374;
const id: u32 = 0x6469;
const cat: u32 = 0x746163;
const pid: u32 = 0x646970;
const tid: u32 = 0x646974;
const dur: u32 = 0x727564;
const name: u32 = 0x656d616e;
const bytes4: u32 = 0x65747962;
const labe: u32 = 0x6562616c;
const devi: u32 = 0x69766564;
const stre: u32 = 0x65727473;
const External: u64 = 0x6c616e7265747845;
const external: u64 = 0x6c616e7265747865;
const correlat: u64 = 0x74616c6572726f63;
const Sequence: u64 = 0x65636e6575716553;
const numberTail: u64 = 0x7265626d756e2065;
const FwdThrea: u64 = 0x6165726874206477;

/** Returns the event member that the key of `length` letters at `key` names. */
export function memberOf(key: usize, length: usize): Member {
  const head = load<u32>(key);
  if (length == 2) {
    const letters = head & 0xffff;
    if (letters == ph) return Member.phase;
    if (letters == ts) return Member.start;
    return letters == id ? Member.id : Member.unread;
  }
  if (length == 3) {
    const letters = head & 0xffffff;
    if (letters == cat) return Member.category;
    if (letters == pid) return Member.pid;
    if (letters == tid) return Member.tid;
    return letters == dur ? Member.duration : Member.unread;
  }
  return length == 4 && head == name ? Member.name : Member.unread;
}

/** Returns the argument that the key of `length` letters at `key` names. */
export function argumentOf(key: usize, length: usize): Member {
  switch (<i32>length) {
    case 4:
      return load<u32>(key) == name ? Member.odd : Member.unread;
    case 5:
      return load<u32>(key) == bytes4 && load<u8>(key + 4) == 0x73 ? Member.byteCount : Member.unread;
    case 6:
      return sixLetters(key);
    case 11:
      return elevenLetters(key);
    case 13:
      return spellsForwardThread(key) ? Member.forwardThread : Member.unread;
    case 15:
      return load<u64>(key) == Sequence && load<u64>(key + 7) == numberTail ? Member.sequence : Member.unread;
    default:
      return Member.unread;
  }
}

function sixLetters(key: usize): Member {
  const head = load<u32>(key);
  const tail = <u32>load<u16>(key + 4);
  if (head == devi && tail == 0x6563) return Member.device;
  if (head == stre && tail == 0x6d61) return Member.stream;
  return head == labe && tail == 0x736c ? Member.odd : Member.unread;
}

function elevenLetters(key: usize): Member {
  const head = load<u64>(key);
  const tail = load<u64>(key + 3);
  if (head == External || head == external) {
    return tail == 0x6469206c616e7265 ? Member.externalId : Member.unread;
  }
  return head == correlat && tail == 0x6e6f6974616c6572 ? Member.correlation : Member.unread;
}

/** Returns whether the key is "Fwd thread id". */
function spellsForwardThread(key: usize): bool {
  return load<u8>(key) == 0x46 && load<u64>(key + 1) == FwdThrea && load<u32>(key + 9) == 0x64692064;
}
