import {flopQuestion, partsOfRanges, type AttentionShape} from './attention-shape.js';
import {cpuQuestions} from './cpu-questions.js';
import {printedParts, printedQuestions} from './printed-questions.js';
import type {Question} from './question.js';
import {usualQuestions} from './usual-questions.js';

/** What a file holds, as far as questions depend on it. */
export interface Asked {
  readonly isPrinted: boolean;
  readonly hasGpuWork: boolean;
}

/** What people ask of such a file. @param shape of attention, where it is known */
export function questionsFor({isPrinted, hasGpuWork}: Asked, shape: AttentionShape | null): readonly Question[] {
  const questions = isPrinted ? printedQuestions : hasGpuWork ? usualQuestions : cpuQuestions;
  return shape ? [...questions, flopQuestion(shape, isPrinted ? printedParts : partsOfRanges)] : questions;
}
