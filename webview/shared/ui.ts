// Creates the elements that shared/toolkit.ts, a separate script, registers.

/** Returns a button; `appearance` is the toolkit's: "primary" for the main action, "icon" for a small one. */
export function button(label: string, onClick: () => void, appearance: 'primary' | 'secondary' | 'icon'): HTMLElement {
  const created = document.createElement('vscode-button');
  created.setAttribute('appearance', appearance);
  created.textContent = label;
  // Otherwise the toolkit names every small button "Icon Button".
  if (label !== '') created.setAttribute('aria-label', label);
  created.addEventListener('click', onClick);
  return created;
}

/** Returns a button with one of VS Code's icons; `title` is its tooltip, and its label for screen readers. */
export function iconButton(codicon: string, title: string, onClick: () => void): HTMLElement {
  const created = button('', onClick, 'icon');
  const icon = document.createElement('span');
  icon.className = `codicon codicon-${codicon}`;
  created.append(icon);
  label(created, title);
  return created;
}

/** Sets the tooltip of an element without text, and its label for screen readers. */
export function label(target: HTMLElement, text: string): void {
  target.title = text;
  target.setAttribute('aria-label', text);
}

/** A check box; `checked` tells whether it is on. */
export type Checkbox = HTMLElement & {checked: boolean};

/** Returns a check box. */
export function checkbox(text: string, isOn: boolean, onChange: (isOn: boolean) => void): Checkbox {
  const created = document.createElement('vscode-checkbox') as Checkbox;
  created.textContent = text;
  created.checked = isOn;
  created.addEventListener('change', () => {
    onChange(created.checked);
  });
  return created;
}

/** A list of choices; `value` is the selected one. */
export type Dropdown = HTMLElement & {value: string};

export interface Choice<Value extends string = string> {
  readonly value: Value;
  readonly text: string;
  /** Whether it can be read, but not chosen. */
  readonly isDisabled?: boolean;
}

/** Returns a list of choices; `selected` is the initial one. */
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

/** Returns an animated sign of work in progress. */
export function progressRing(): HTMLElement {
  return document.createElement('vscode-progress-ring');
}
