/** The colours of the editor's theme that canvases need, and how bright marks on it should be. */
export interface Theme {
  readonly isDark: boolean;
  readonly isHighContrast: boolean;
  readonly background: string;
  readonly foreground: string;
  readonly muted: string;
  readonly border: string;
  readonly focus: string;
  readonly selection: string;
  /** Of a critical path. */
  readonly path: string;
  readonly headerBackground: string;
  readonly font: string;
}

/** The theme as it is now. */
export function readTheme(): Theme {
  const {classList} = document.body;
  const style = getComputedStyle(document.body);
  const color = (name: string, otherwise: string) => style.getPropertyValue(`--vscode-${name}`).trim() || otherwise;
  const isHighContrast = classList.contains('vscode-high-contrast');
  const isDark =
    classList.contains('vscode-dark') || (isHighContrast && !classList.contains('vscode-high-contrast-light'));
  const foreground = color('foreground', isDark ? '#cccccc' : '#333333');
  return {
    isDark,
    isHighContrast,
    foreground,
    background: color('editor-background', isDark ? '#1e1e1e' : '#ffffff'),
    muted: color('descriptionForeground', foreground),
    border: color('panel-border', isDark ? '#444444' : '#cccccc'),
    focus: color('focusBorder', '#007fd4'),
    selection: color('editor-foreground', foreground),
    path: color('charts-red', isDark ? '#f14c4c' : '#e51400'),
    headerBackground: color('editorGroupHeader-tabsBackground', isDark ? '#252526' : '#f3f3f3'),
    font: style.fontFamily || 'sans-serif',
  };
}

/** Calls back when the user changes the theme. */
export function onThemeChange(callback: () => void): void {
  new MutationObserver(callback).observe(document.body, {attributes: true, attributeFilter: ['class', 'style']});
}
