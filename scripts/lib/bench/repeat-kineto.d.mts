import type {Recording} from './recorded-step.mjs';
export function writeKineto(recording: Recording, path: string, copies: number): Promise<void>;
