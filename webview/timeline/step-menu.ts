import type {Step} from '../../src/core/scope/steps.js';

/** Members that the extension's menu asks for and its commands take, in the words of VS Code's `data-vscode-context`. */
interface StepContext {
  readonly webviewSection: 'gpuLens.step';
  readonly preventDefaultContextMenuItems: true;
  readonly key: number;
  readonly step: number;
}

/**
 * Gives the right mouse button on a step the menu of a step, which VS Code shows: it reads what was clicked from the
 * element, after the page has handled the event.
 *
 * @param stepAt the step that is drawn at an x of the canvas
 * @param key of the profile that is shown
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
