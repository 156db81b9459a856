import type {GpuProgram} from '../../support/gpu-program.js';

/** A program that was written so that an expert would report a finding, or would not. */
export interface MadeCase {
  readonly rule: string;
  readonly label: 'fires' | 'must not';
  /** What it is, to tell it from others of the rule. */
  readonly what: string;
  readonly program: (program: GpuProgram) => void;
  /** Of the file, besides its events; an A100 where absent. */
  readonly members?: object;
}

type Programs = Readonly<Record<string, (program: GpuProgram) => void>>;

/** Cases of one rule, by what each is. */
export function casesOf(rule: string, fires: Programs, mustNot: Programs, members?: object): MadeCase[] {
  const labelled = (label: MadeCase['label'], programs: Programs) =>
    Object.entries(programs).map(([what, program]) => ({rule, label, what, program, ...(members && {members})}));
  return [...labelled('fires', fires), ...labelled('must not', mustNot)];
}
