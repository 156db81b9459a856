// Makes the elements that shared/toolkit.ts registers, in a script of its own.

/** A button; `appearance` as the toolkit has it: "primary" for the main action, "icon" for a small one. */
export function button(label: string, onClick: () => void, appearance: 'primary' | 'secondary' | 'icon'): HTMLElement {
  const created = document.createElement('vscode-button');
  created.setAttribute('appearance', appearance);
  created.textContent = label;
  // Otherwise the toolkit names every small button "Icon Button".
  if (label !== '') created.setAttribute('aria-label', label);
  created.addEventListener('click', onClick);
  return created;
}

/** A button with one of VS Code's icons; `title` says what it does, to the mouse and to screen readers. */
export function iconButton(codicon: string, title: string, onClick: () => void): HTMLElement {
  const created = button('', onClick, 'icon');
  const icon = document.createElement('span');
  icon.className = `codicon codicon-${codicon}`;
  created.append(icon);
  label(created, title);
  return created;
}

/** Says what an element without text is, to the eye and to screen readers. */
export function label(target: HTMLElement, text: string): void {
  target.title = text;
  target.setAttribute('aria-label', text);
}

/** A box to tick. */
export function checkbox(text: string, isOn: boolean, onChange: (isOn: boolean) => void): HTMLElement {
  const created = document.createElement('vscode-checkbox') as HTMLElement & {checked: boolean};
  created.textContent = text;
  created.checked = isOn;
  created.addEventListener('change', () => {
    onChange(created.checked);
  });
  return created;
}

/** A list of choices; `value` is the one that is shown. */
export type Dropdown = HTMLElement & {value: string};

export interface Choice<Value extends string = string> {
  readonly value: Value;
  readonly text: string;
  /** Where true, it is read and cannot be chosen. */
  readonly isDisabled?: boolean;
}

/** A list of choices, of which `selected` is shown. */
export function dropdown<Value extends string>(
  label: string,
  choices: readonly Choice<Value>[],
  selected: Value,
  onChange: (value: Value) => void,
): Dropdown {
  const created = document.createElement('vscode-dropdown') as Dropdown;
  created.setAttribute('aria-label', label);
  for (const {value, text, isDisabled} of choices) {
    const option = document.createElement('vscode-option');
    option.setAttribute('value', value);
    if (isDisabled) option.setAttribute('disabled', '');
    if (value === selected) option.setAttribute('selected', '');
    option.textContent = text;
    created.append(option);
  }
  created.addEventListener('change', () => {
    const choice = choices.find(({value}) => value === created.value);
    if (choice) onChange(choice.value);
  });
  return created;
}

/** Turns while something is under way. */
export function progressRing(): HTMLElement {
  return document.createElement('vscode-progress-ring');
}
