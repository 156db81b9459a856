/** How long a test waits for a state: it comes soon, but the machine may be busy. */
export const patience = {timeout: 180_000, interval: 50} as const;
