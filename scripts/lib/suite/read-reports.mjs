// Reads the reports that vitest and pytest write: counts, times, and skips with their reasons.
import {readFileSync} from 'node:fs';
import {relative} from 'node:path';
import {root} from '../run.mjs';
import {skipReason} from './skip-reasons.mjs';

/** The report of vitest's JSON reporter; `notes` is what skip-reporter.mjs wrote beside it. Zeros if there is none. */
export function readVitest(file, notes) {
  const {numPassedTests = 0, numFailedTests = 0, numPendingTests = 0, testResults = []} = readJson(file);
  const reasons = new Map(Object.entries(readJson(notes)));
  const tests = [];
  const skips = [];
  for (const {name: path, assertionResults} of testResults) {
    const where = relative(root, path);
    for (const {fullName, duration, status} of assertionResults) {
      const name = `${where} › ${fullName}`;
      if (status === 'passed' || status === 'failed') tests.push({name, seconds: (duration ?? 0) / 1000});
      else skips.push({name, reason: reasons.get(name) ?? skipReason(path)});
    }
  }
  return {passed: numPassedTests, failed: numFailedTests, skipped: numPendingTests, tests, skips};
}

/** The JUnit report of pytest. Zeros if there is none. */
export function readPytest(file) {
  const text = readText(file);
  const number = key => Number(new RegExp(`<testsuite [^>]*\\b${key}="(\\d+)"`).exec(text)?.[1] ?? 0);
  const failed = number('failures') + number('errors');
  const skipped = number('skipped');
  const tests = [];
  const skips = [];
  for (const [, attributes, rest] of text.matchAll(/<testcase ([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g)) {
    const value = (key, of = attributes) => unescaped(new RegExp(`\\b${key}="([^"]*)"`).exec(of)?.[1] ?? '');
    const name = `${value('classname').replaceAll('.', '/')}.py › ${value('name')}`;
    const skip = /<skipped ([^>]*)>/.exec(rest ?? '')?.[1];
    if (skip === undefined) tests.push({name, seconds: Number(value('time'))});
    else skips.push({name, reason: value('message', skip)});
  }
  return {passed: number('tests') - failed - skipped, failed, skipped, tests, skips};
}

function unescaped(text) {
  const characters = {lt: '<', gt: '>', quot: '"', apos: "'", amp: '&', '#10': ' '};
  return text.replace(/&(lt|gt|quot|apos|amp|#10);/g, (_, name) => characters[name]);
}

function readJson(file) {
  return JSON.parse(readText(file) || '{}');
}

function readText(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
