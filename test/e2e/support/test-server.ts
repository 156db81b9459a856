/** The options of VS Code's server in tests. */
export const testServer = {
  /**
   * How long a window may be gone before its extension host ends. A window that is closed while its extension host
   * starts cannot end it; VS Code would then wait three hours for the window to come back.
   */
  graceS: 5,
  /**
   * Makes VS Code use its own environment variables, as when started from a terminal, instead of those of a login
   * shell, which takes time for each window, and can outlive it.
   */
  env: {VSCODE_CLI: '1'},
} as const;
