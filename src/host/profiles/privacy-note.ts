import type * as vscode from 'vscode';
import {disclosureNote} from '../../launch/nsys/nsys-sentences.js';
import {showInformation} from '../base/messages.js';

const key = 'toldOfReports';

/** Shows once per workspace what Nsight Systems reports contain in addition to times. */
export class PrivacyNote {
  constructor(private readonly state: vscode.Memento) {}

  async tell(): Promise<void> {
    if (this.state.get<unknown>(key) === true) return;
    await this.state.update(key, true);
    void showInformation(disclosureNote);
  }
}
