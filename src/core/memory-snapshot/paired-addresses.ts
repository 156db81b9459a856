/**
 * An address for every event of a history, in its order: what a block and its free have in common. Where the recording
 * tells none, a free is of the block of that size that was allocated last, and both have a negative number.
 *
 * @param bytes positive for allocations, negative for frees, 0 or NaN for others
 * @param told by event; NaN where it is not told; null where none is
 */
export function pairedAddresses(
  bytes: Float64Array,
  told: Float64Array | null,
  keyOf: (event: number) => string | number = event => Math.abs(bytes[event]),
): {addresses: Float64Array; isGuessed: boolean} {
  const addresses = new Float64Array(bytes.length);
  const open = new Map<string | number, number[]>();
  let made = 0;
  for (let event = 0; event < bytes.length; event++) {
    const address = told?.[event] ?? Number.NaN;
    if (!Number.isNaN(address)) addresses[event] = address;
    else if (bytes[event] > 0) {
      addresses[event] = --made;
      const key = keyOf(event);
      const blocks = open.get(key);
      if (blocks) blocks.push(addresses[event]);
      else open.set(key, [addresses[event]]);
    } else if (bytes[event] < 0) {
      addresses[event] = open.get(keyOf(event))?.pop() ?? --made;
    }
  }
  return {addresses, isGuessed: made < 0};
}
