import * as vscode from 'vscode';
import type {EngineClient} from '../../engine/client.js';
import type {Log} from '../log.js';
import type {ProfileStore} from '../profiles/profile-store.js';
import {Annotations} from './annotations.js';
import {RangeCodeLenses} from './code-lens.js';
import {DocumentTags, taggedDocuments} from './document-tags.js';
import {RecordedSources} from './recorded-sources.js';

/** Everything that stands in editors: what a profile says of a line, at the line. */
export function createAnnotations(store: ProfileStore, engine: EngineClient, log: Log): vscode.Disposable {
  const tags = new DocumentTags();
  const recorded = new RecordedSources();
  const annotations = new Annotations(tags, recorded, store, engine, log);
  return vscode.Disposable.from(
    tags,
    recorded,
    annotations,
    vscode.languages.registerCodeLensProvider(taggedDocuments, new RangeCodeLenses(annotations)),
  );
}
