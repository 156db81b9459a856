import {expect, it} from 'vitest';
import {cppTagNameAt} from '../../src/source/cpp-completion.js';
import {parseCpp} from '../../src/source/cpp-tags.js';

/** The text between the quotes where the cursor, "|", stands in a tag's name; null where it does not. */
function nameAt(marked: string): string | null {
  const offset = marked.indexOf('|');
  const text = `#include <nvtx3/nvtx3.hpp>\nvoid f() {\n  ${marked.replace('|', '')}\n}\n`;
  const place = cppTagNameAt(parseCpp(text), offset + text.indexOf('  ') + 2);
  return place && text.slice(place.from, place.to);
}

it.each([
  ['nvtxRangePushA("for|ward");', 'forward'],
  ['nvtxRangePushA("|");', ''],
  ['nvtxRangePushW(L"for|ward");', 'forward'],
  ['auto id = nvtxRangeStartA("|a");', 'a'],
  ['nvtx3::scoped_range r{"a|"};', 'a'],
  ['nvtx3::scoped_range r("|");', ''],
  ['auto r = nvtx3::scoped_range{"a|"};', 'a'],
  ['RECORD_FUNCTION("a|", {});', 'a'],
  ['printf("a|");', null],
  ['nvtxRangePushA(name("a|"));', null],
  ['nvtxRangePushA("a")|;', null],
  ['// nvtxRangePushA("a|");', null],
])('cppTagNameAt at %s is %j', (marked, name) => {
  expect(nameAt(marked)).toBe(name);
});
