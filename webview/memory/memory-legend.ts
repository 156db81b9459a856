import {formatPercent} from '../../src/core/format/duration.js';
import {formatBytes} from '../../src/core/memory-snapshot/format-bytes.js';
import type {MemoryCurve} from '../../src/core/memory-snapshot/memory-curve.js';
import {element} from '../shared/dom.js';
import type {Theme} from '../shared/theme.js';
import {bandColors, bandName} from './draw-memory.js';
import {t} from '../shared/translate.js';

/**
 * Returns the contents of the chosen moment as a table beside the chart, with the colours of the chart.
 *
 * @param curve shown by the chart
 * @param at the one column of the moment
 */
export function memoryLegend(curve: MemoryCurve, at: MemoryCurve, theme: Theme): HTMLElement {
  // The last band may be all others, which is grey; so is a group that the chart counts among them.
  const groups = curve.bands.filter(({isOthers}) => !isOthers);
  const places = new Map(groups.map(({name}, place) => [name, place]));
  const [all] = at.allocatedBytes;
  const parts = at.bands
    .map(band => ({group: band.name, name: bandName(band), bytes: band.bytes[0]}))
    .filter(({bytes}) => bytes > 0)
    .sort((a, b) => b.bytes - a.bytes);
  const rows = parts.map(({group, name, bytes}) => {
    const swatch = element('span', {className: 'swatch'});
    swatch.style.background = bandColors(places.get(group) ?? null, theme).fill;
    return element('tr', {
      children: [
        element('th', {
          className: 'text',
          attributes: {scope: 'row', title: name},
          children: [swatch, element('span', {text: name})],
        }),
        element('td', {text: formatBytes(bytes)}),
        element('td', {text: formatPercent(bytes, all)}),
      ],
    });
  });
  const head = [t('Made of'), t('Bytes'), t('Share')].map((text, at) =>
    element('th', {text, className: at === 0 ? 'text' : '', attributes: {scope: 'col'}}),
  );
  return element('table', {
    attributes: {'aria-label': t('What the moment is made of')},
    children: [element('thead', {children: [element('tr', {children: head})]}), element('tbody', {children: rows})],
  });
}
