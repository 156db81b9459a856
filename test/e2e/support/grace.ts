/**
 * How long a window may be gone before its extension host ends. A window that is left while its extension host starts
 * cannot say goodbye to it; VS Code would then wait three hours for the window to come back.
 */
export const graceS = 5;
