/** How VS Code's server is started for tests. */
export const testServer = {
  /**
   * How long a window may be gone before its extension host ends. A window that is left while its extension host starts
   * cannot say goodbye to it; VS Code would then wait three hours for the window to come back.
   */
  graceS: 5,
  /**
   * VS Code takes the variables that it has, as where it is started from a terminal, instead of those of a login shell:
   * what that runs takes time for each window, and can outlive it.
   */
  env: {VSCODE_CLI: '1'},
} as const;
