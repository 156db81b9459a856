import {isNatural} from '../reading/natural-number.js';
import {idOf, textOf, type JsonObject} from './json-object.js';

/** ROCm's number for agents that are GPUs; 1 is a CPU. */
const gpuType = 2;

/** The processors that a file describes. A GPU's number is ROCm's on its machine, from 0. */
export class Agents {
  readonly #deviceOf = new Map<string, number>();
  readonly #names = new Map<number, string | null>();
  #gpus = 0;

  add(agent: JsonObject): void {
    const id = idOf(agent['id']);
    if (id === null) return;
    if (agent['type'] !== gpuType) {
      this.#deviceOf.set(String(id), -1);
      return;
    }
    const device = [agent['gpu_index'], agent['logical_node_type_id']].find(isNatural) ?? this.#gpus;
    this.#gpus++;
    this.#deviceOf.set(String(id), device);
    this.#names.set(device, textOf(agent['product_name']) ?? textOf(agent['model_name']) ?? textOf(agent['name']));
  }

  /** Returns the GPU's number; -1 for a CPU, null for an agent that the file does not describe. */
  deviceOf(id: unknown): number | null {
    return this.#deviceOf.get(String(idOf(id))) ?? null;
  }

  nameOf(device: number): string | null {
    return this.#names.get(device) ?? null;
  }

  /** The memory held, in bytes. */
  get bytes(): number {
    return 200 * (this.#deviceOf.size + this.#names.size);
  }
}
