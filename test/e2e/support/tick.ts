import type {Frame} from 'playwright-core';
import {expect} from 'vitest';

/** Checks or unchecks a box of a view by a click; the toolkit's boxes report a change only in the next frame. */
export async function tick(view: Frame, name: string, isOn = true): Promise<void> {
  const box = view.getByRole('checkbox', {name, exact: true});
  if ((await box.isChecked()) !== isOn) await box.click();
  await expect.poll(() => box.isChecked()).toBe(isOn);
}
