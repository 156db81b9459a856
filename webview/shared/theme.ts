import {lab} from 'd3';

/** The colours of the editor's theme that canvases need, and the brightness of marks on it. */
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

/** Whether the system chooses the colours of pages; canvases and pictures must apply them themselves. */
const forcedColors = () => matchMedia('(forced-colors: active)');

/** Returns the current theme. */
export function readTheme(): Theme {
  const {classList} = document.body;
  const style = getComputedStyle(document.body);
  if (forcedColors().matches) return systemTheme(style.fontFamily);
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

/** Returns the colours that the system chooses, as a high contrast theme. */
function systemTheme(font: string): Theme {
  const probe = document.createElement('span');
  document.body.append(probe);
  const color = (name: string) => {
    probe.style.color = name;
    return getComputedStyle(probe).color;
  };
  const [background, foreground, highlight, link] = ['Canvas', 'CanvasText', 'Highlight', 'LinkText'].map(color);
  probe.remove();
  const marks = {muted: foreground, border: foreground, focus: highlight, selection: foreground, path: link};
  const isDark = lab(background).l < lab(foreground).l;
  return {...marks, background, foreground, headerBackground: background, isDark, isHighContrast: true, font};
}

/** Calls back when the user changes the theme. */
export function onThemeChange(callback: () => void): void {
  forcedColors().addEventListener('change', callback);
  new MutationObserver(callback).observe(document.body, {attributes: true, attributeFilter: ['class', 'style']});
}
