import type {Step} from '../../src/core/scope/steps.js';

/** The members that the extension's menu and its commands expect, named as in VS Code's `data-vscode-context`. */
interface StepContext {
  readonly webviewSection: 'gpuLens.step';
  readonly preventDefaultContextMenuItems: true;
  readonly key: number;
  readonly step: number;
}

/**
 * Shows VS Code's menu of a step on a right click. VS Code reads the clicked item from the element after the page has
 * handled the event.
 *
 * @param stepAt returns the step drawn at an x of the canvas
 * @param key of the shown profile
 */
export function offerStepMenu(
  canvas: HTMLCanvasElement,
  stepAt: (xPx: number) => Step | undefined,
  key: () => number,
): void {
  canvas.addEventListener('contextmenu', event => {
    const step = stepAt(event.offsetX);
    delete canvas.dataset['vscodeContext'];
    if (!step) return;
    const context: StepContext = {
      webviewSection: 'gpuLens.step',
      preventDefaultContextMenuItems: true,
      key: key(),
      step: step.number,
    };
    canvas.dataset['vscodeContext'] = JSON.stringify(context);
  });
}
