/** One call of a drawing method, with the styles at that time. */
export interface DrawCall {
  readonly method: string;
  readonly args: readonly unknown[];
  readonly fillStyle: string;
  readonly alpha: number;
}

/** Returns a canvas context that paints nothing and records everything; each letter of a text is 6 px wide. */
export function recordingContext(): {context: CanvasRenderingContext2D; calls: DrawCall[]} {
  const calls: DrawCall[] = [];
  const state: Record<string, unknown> = {
    fillStyle: '',
    strokeStyle: '',
    globalAlpha: 1,
    font: '',
    lineWidth: 1,
    textBaseline: '',
  };
  const context = new Proxy(state, {
    get(target, key: string) {
      if (key in target) return target[key];
      if (key === 'measureText') return (text: string) => ({width: text.length * 6});
      return (...args: unknown[]) => {
        calls.push({method: key, args, fillStyle: String(target['fillStyle']), alpha: Number(target['globalAlpha'])});
      };
    },
    set(target, key: string, value) {
      target[key] = value;
      return true;
    },
  });
  return {context: context as unknown as CanvasRenderingContext2D, calls};
}
