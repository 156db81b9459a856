/** An array of numbers in the JSON part of a message: where its bytes are in the binary part. */
interface Place {
  readonly $array: string;
  readonly at: number;
  readonly length: number;
}

const arrays = {
  Float64Array,
  Float32Array,
  Int32Array,
  Uint32Array,
  Uint16Array,
  Uint8Array,
} as const;
type ArrayName = keyof typeof arrays;
const alignment = 8;

/** Encodes a message with columns of numbers as bytes: the length of its JSON, the JSON, and the columns. */
export function encode(message: unknown): Uint8Array {
  const columns: Uint8Array[] = [];
  let bytes = 0;
  const json = new TextEncoder().encode(
    JSON.stringify(message ?? null, (_, value: unknown) => {
      if (!ArrayBuffer.isView(value)) return value;
      const column = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
      const at = bytes;
      columns.push(column);
      bytes += padded(column.length);
      const name = value.constructor.name as ArrayName;
      return {$array: name, at, length: column.length / arrays[name].BYTES_PER_ELEMENT} satisfies Place;
    }),
  );
  const head = padded(4 + json.length);
  const whole = new Uint8Array(head + bytes);
  new DataView(whole.buffer).setUint32(0, json.length);
  whole.set(json, 4);
  let at = head;
  for (const column of columns) {
    whole.set(column, at);
    at += padded(column.length);
  }
  return whole;
}

/** Decodes the result of `encode`. */
export function decode(buffer: ArrayBuffer): unknown {
  const length = new DataView(buffer).getUint32(0);
  const head = padded(4 + length);
  const json = new TextDecoder().decode(new Uint8Array(buffer, 4, length));
  return JSON.parse(json, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('$array' in value)) return value;
    const {$array, at, length: count} = value as Place;
    return new arrays[$array as ArrayName](buffer, head + at, count);
  });
}

function padded(bytes: number): number {
  return Math.ceil(bytes / alignment) * alignment;
}
