import type {GpuProgram} from '../../support/gpu-program.js';

/** A simulated program for which an expert would report a finding, or would not. */
export interface MadeCase {
  readonly rule: string;
  readonly label: 'fires' | 'must not';
  /** A description that distinguishes it from other cases of the rule. */
  readonly what: string;
  readonly program: (program: GpuProgram) => void;
  /** Members of the file besides its events; an A100 if absent. */
  readonly members?: object;
}

type Programs = Readonly<Record<string, (program: GpuProgram) => void>>;

/** Returns the cases of one rule, by their descriptions. */
export function casesOf(rule: string, fires: Programs, mustNot: Programs, members?: object): MadeCase[] {
  const labelled = (label: MadeCase['label'], programs: Programs) =>
    Object.entries(programs).map(([what, program]) => ({rule, label, what, program, ...(members && {members})}));
  return [...labelled('fires', fires), ...labelled('must not', mustNot)];
}
