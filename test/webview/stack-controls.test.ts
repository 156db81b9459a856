import {describe, expect, it} from 'vitest';
import type {StackChoices} from '../../src/core/attribution/range-stack.js';
import {StackControls} from '../../webview/tables/stack-controls.js';
import {standInDocument, type StandInElement} from '../support/document-stand-in.js';

standInDocument();
describe('StackControls', () => {
  const choices: StackChoices = {kinds: ['user_annotation', 'cpu_op'], domains: ['', 'app']};

  function controlsOf(offered: StackChoices = choices) {
    let changes = 0;
    const controls = new StackControls(() => changes++);
    controls.offer(offered, {});
    const drawn = controls.element as unknown as StandInElement;
    const box = (text: string) => {
      const found = drawn.all('vscode-checkbox').find(({textContent}) => textContent === text);
      return found ?? expect.fail(`There is no box "${text}".`);
    };
    const list = () => drawn.all('vscode-dropdown')[0] ?? expect.fail('There is no list.');
    const shown = () =>
      list()
        .all('vscode-option')
        .find(({attributes}) => 'selected' in attributes)?.attributes['value'];
    return {controls, box, list, shown, drawn, changes: () => changes};
  }

  it('offers the kinds and domains that there is a choice of', () => {
    const {drawn, box, list} = controlsOf();
    expect(drawn.all('vscode-checkbox').map(({textContent}) => textContent)).toEqual([
      'record_function',
      'operators',
      'Fold names',
    ]);
    expect(
      list()
        .all('vscode-option')
        .map(({textContent}) => textContent),
    ).toEqual(['All domains', 'Default domain', 'app']);
    expect([box('record_function').checked, box('operators').checked, box('Fold names').checked]).toEqual([
      true,
      false,
      false,
    ]);
    const few = controlsOf({kinds: ['cpu_op'], domains: ['']}).drawn;
    expect([few.all('vscode-checkbox').length, few.all('vscode-dropdown').length]).toEqual([1, 0]);
    expect(controlsOf({kinds: [], domains: []}).drawn.children).toEqual([]);
  });

  it('has what is chosen, and nothing of the usual', () => {
    const {controls, box, list, changes} = controlsOf();
    expect(controls.stack).toEqual({});
    box('operators').change({checked: true});
    expect(controls.stack).toEqual({kinds: ['user_annotation', 'cpu_op']});
    box('record_function').change({checked: false});
    list().change({value: '2'});
    expect(controls.stack).toEqual({kinds: ['cpu_op'], domain: 'app'});
    list().change({value: '1'});
    expect(controls.stack).toEqual({kinds: ['cpu_op'], domain: ''});
    list().change({value: '0'});
    box('operators').change({checked: false});
    box('record_function').change({checked: true});
    expect(controls.stack).toEqual({});
    expect(changes()).toBe(7);
  });

  it('folds names, and shows those behind one apart', () => {
    const {controls, box, changes} = controlsOf();
    controls.unfold('layer_*');
    expect([controls.stack, changes()]).toEqual([{}, 0]);
    box('Fold names').change({checked: true});
    controls.unfold('layer_*');
    controls.unfold('block_*');
    expect(controls.stack).toEqual({fold: {unfolded: ['layer_*', 'block_*'], layers: true}});
    box('Fold names').change({checked: false});
    expect(controls.stack).toEqual({});
  });

  it('drops what was chosen where a range comes from elsewhere, and shows what is chosen of another profile', () => {
    const {controls, box, list, shown} = controlsOf();
    list().change({value: '2'});
    box('Fold names').change({checked: true});
    controls.choose('cpu_op');
    expect(controls.stack).toEqual({kinds: ['cpu_op']});
    expect([shown(), box('Fold names').checked, box('operators').checked]).toEqual(['0', false, true]);
    controls.choose(undefined);
    expect(controls.stack).toEqual({});
    controls.offer({kinds: ['user_annotation', 'cpu_op'], domains: ['x', 'app']}, {kinds: ['cpu_op'], domain: 'app'});
    expect([shown(), box('record_function').checked]).toEqual(['2', false]);
  });
});
