/** The values in a pickle of plain data. */
export type PlainData =
  null | boolean | number | string | readonly PlainData[] | {readonly [key: string]: PlainData} | Uint8Array;

/** Opcodes as Python names them. */
const opcode = {
  mark: 0x28,
  stop: 0x2e,
  emptyDict: 0x7d,
  emptyList: 0x5d,
  setItems: 0x75,
  appends: 0x65,
  memoize: 0x94,
} as const;

/**
 * Returns a pickle of plain data; a list or dictionary that occurs twice is written once, and recalled from the memo.
 */
export function pickleOf(data: PlainData): Buffer {
  const known = new Map<PlainData, number>();
  const parts: Buffer[] = [Buffer.from([0x80, 4])];
  write(data);
  parts.push(Buffer.from([opcode.stop]));
  return Buffer.concat(parts);

  function write(value: PlainData): void {
    const index = known.get(value);
    if (index !== undefined) {
      parts.push(recall(index));
    } else if (value === null || typeof value === 'boolean') {
      parts.push(Buffer.from([value === null ? 0x4e : value ? 0x88 : 0x89]));
    } else if (typeof value === 'number') {
      parts.push(numberBytes(value));
    } else if (typeof value === 'string') {
      parts.push(textBytes(value));
    } else {
      writeContainer(value);
    }
  }

  function writeContainer(value: Exclude<PlainData, null | boolean | number | string>): void {
    if (value instanceof Uint8Array) {
      parts.push(Buffer.from([0x42]), lengthBytes(value.length), Buffer.from(value));
      return;
    }
    const isList = isPlainList(value);
    parts.push(Buffer.from([isList ? opcode.emptyList : opcode.emptyDict, opcode.memoize]));
    known.set(value, known.size);
    parts.push(Buffer.from([opcode.mark]));
    for (const item of isList ? value : Object.entries(value).flat()) write(item);
    parts.push(Buffer.from([isList ? opcode.appends : opcode.setItems]));
  }
}

function isPlainList(value: object): value is readonly PlainData[] {
  return Array.isArray(value);
}

function recall(index: number): Buffer {
  return Buffer.concat([Buffer.from([0x6a]), lengthBytes(index)]);
}

function textBytes(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([0x58]), lengthBytes(bytes.length), bytes]);
}

function numberBytes(value: number): Buffer {
  const bytes = Buffer.alloc(10);
  if (Number.isSafeInteger(value)) {
    bytes.writeUInt8(0x8a, 0);
    bytes.writeUInt8(8, 1);
    bytes.writeBigInt64LE(BigInt(value), 2);
    return bytes;
  }
  bytes.writeUInt8(0x47, 1);
  bytes.writeDoubleBE(value, 2);
  return bytes.subarray(1);
}

function lengthBytes(length: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(length);
  return bytes;
}
