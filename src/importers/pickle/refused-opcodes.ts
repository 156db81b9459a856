/** Opcodes that import, build or refer to objects: none is carried out. */
export const refusedOpcodes: ReadonlyMap<number, string> = new Map([
  [0x63, 'GLOBAL'],
  [0x93, 'STACK_GLOBAL'],
  [0x52, 'REDUCE'],
  [0x62, 'BUILD'],
  [0x69, 'INST'],
  [0x6f, 'OBJ'],
  [0x81, 'NEWOBJ'],
  [0x92, 'NEWOBJ_EX'],
  [0x82, 'EXT1'],
  [0x83, 'EXT2'],
  [0x84, 'EXT4'],
  [0x50, 'PERSID'],
  [0x51, 'BINPERSID'],
  [0x97, 'NEXT_BUFFER'],
  [0x98, 'READONLY_BUFFER'],
]);

/** Opcodes of protocols 0 and 1 with a value as a line of text. */
export const textOpcodes: ReadonlySet<number> = new Set([0x49, 0x4c, 0x53, 0x56, 0x46, 0x70, 0x67]);
