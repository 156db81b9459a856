export const root: string;
export const out: string;
