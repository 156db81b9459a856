/** The first byte of `ph` of slices and flows, equal to `phase` in src/importers/kineto/scanned-event.ts. */
export const complete: i32 = 0x58; // X
export const begin: i32 = 0x42; // B
export const end: i32 = 0x45; // E
export const flowStart: i32 = 0x73; // s
const flowStep: i32 = 0x74; // t
const flowEnd: i32 = 0x66; // f

export function isFlow(phase: i32): bool {
  return phase == flowStart || phase == flowEnd || phase == flowStep;
}
