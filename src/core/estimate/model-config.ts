import {flagOf, numberOf, objectOf, present, wordOf} from './config-values.js';
import {EstimateError} from './estimate-error.js';
import {classic, modelPreset, modelPresets} from './model-presets.js';
import {shapeFlags, shapeNumbers, shapeWords, type ModelShape} from './model-shape.js';

/** The model in a configuration: a preset, and figures that override its own. */
export type ModelConfig = Partial<ModelShape> & {readonly preset?: string};

const place = 'The model';

/** @throws EstimateError */
export function modelConfig(value: unknown): ModelConfig {
  if (typeof value === 'string') return {preset: value};
  const values = objectOf(value, place, ['preset', ...shapeNumbers, ...Object.keys(shapeWords), ...shapeFlags]);
  return present<ModelConfig>({
    preset: wordOf(
      values,
      'preset',
      place,
      modelPresets.map(({id}) => id),
    ),
    ...(Object.fromEntries([
      ...shapeNumbers.map(key => [key, numberOf(values, key, place)]),
      ...shapeFlags.map(key => [key, flagOf(values, key, place)]),
      ...Object.entries(shapeWords).map(([key, words]) => [key, wordOf<string>(values, key, place, words)]),
    ]) as Partial<ModelShape>),
  });
}

/**
 * Returns the shape for a configuration. Widths that depend on others in the preset still do: a new `embedding` changes
 * `hidden` and `headWidth`, a new `heads` changes `headWidth` and `keyValueHeads`.
 *
 * @throws EstimateError
 */
export function shapeOf({preset: id, ...given}: ModelConfig): ModelShape {
  if (id === undefined) return shapeWithoutPreset(given);
  const preset = modelPreset(id);
  if (!preset)
    throw new EstimateError(`There is no model "${id}": there are ${modelPresets.map(known => known.id).join(', ')}.`);
  const {shape} = preset;
  const embedding = given.embedding ?? shape.embedding;
  const heads = given.heads ?? shape.heads;
  const isHeadWide = shape.headWidth * shape.heads === shape.embedding;
  return {
    ...shape,
    hidden: (shape.hidden / shape.embedding) * embedding,
    keyValueHeads: (shape.keyValueHeads / shape.heads) * heads,
    headWidth: isHeadWide ? embedding / heads : shape.headWidth,
    ...given,
  };
}

function shapeWithoutPreset(given: Partial<ModelShape>): ModelShape {
  const {length, embedding, heads, depth} = given;
  if (length === undefined || embedding === undefined || heads === undefined || depth === undefined)
    throw new EstimateError('A model needs a preset, or its length, embedding, heads and depth.');
  return {
    ...classic,
    hidden: 4 * embedding,
    keyValueHeads: heads,
    headWidth: embedding / heads,
    ...given,
    length,
    embedding,
    heads,
    depth,
  };
}
