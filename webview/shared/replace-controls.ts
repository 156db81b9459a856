/**
 * Replaces the controls of a bar. The keyboard focus stays on the control that the user has just used: on the one of
 * the same name, else on the one in its place, such as the button that removes a window instead of the window's field.
 */
export function replaceControls(bar: HTMLElement, controls: readonly HTMLElement[]): void {
  const place = [...bar.children].findIndex(control => control === document.activeElement);
  const name = place < 0 ? null : nameOf(bar.children[place]);
  bar.replaceChildren(...controls);
  if (place < 0) return;
  const again = controls.find(control => nameOf(control) === name) ?? controls.at(Math.min(place, controls.length - 1));
  again?.focus();
}

function nameOf(control: Element): string {
  return control.getAttribute('aria-label') ?? control.textContent;
}
