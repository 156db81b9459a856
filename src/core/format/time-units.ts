/** Units for displayed times, the largest first. */
export const timeUnits = [
  {ns: 1e9, symbol: 's'},
  {ns: 1e6, symbol: 'ms'},
  {ns: 1e3, symbol: 'µs'},
  {ns: 1, symbol: 'ns'},
] as const;
