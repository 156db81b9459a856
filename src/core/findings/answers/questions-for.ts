import {flopQuestion, partsOfRanges, type AttentionShape} from './attention-shape.js';
import {cpuQuestions} from './cpu-questions.js';
import {printedParts, printedQuestions} from './printed-questions.js';
import type {Question} from './question.js';
import {usualQuestions} from './usual-questions.js';

/** The properties of a file on which the questions depend. */
export interface Asked {
  readonly isPrinted: boolean;
  readonly hasGpuWork: boolean;
}

/** Returns the usual questions about such a file. @param shape shape of attention, if known */
export function questionsFor({isPrinted, hasGpuWork}: Asked, shape: AttentionShape | null): readonly Question[] {
  const questions = isPrinted ? printedQuestions : hasGpuWork ? usualQuestions : cpuQuestions;
  return shape ? [...questions, flopQuestion(shape, isPrinted ? printedParts : partsOfRanges)] : questions;
}
