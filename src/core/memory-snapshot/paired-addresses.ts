/**
 * Returns an address for every event of a history, in order: a number shared by a block's allocation and free. If the
 * recording has none, a free is matched with the last allocated block of that size, and both get a negative number.
 *
 * @param bytes positive for allocations, negative for frees, 0 or NaN for others
 * @param told recorded addresses by event, NaN if not recorded; null if there are none
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
