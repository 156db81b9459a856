import type {Recording} from './recorded-step.mjs';
export function writeNsys(recording: Recording, path: string, copies: number): void;
