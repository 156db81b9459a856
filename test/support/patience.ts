/** How long a test waits for a state: what it waits for soon comes, but the machine may have other things to do. */
export const patience = {timeout: 60_000, interval: 50} as const;
