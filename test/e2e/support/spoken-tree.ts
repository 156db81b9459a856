import type {Page} from 'playwright-core';

/** A node of Chromium's accessibility tree, as far as it is used here. */
interface TreeNode {
  readonly nodeId: string;
  readonly ignored: boolean;
  readonly role?: {readonly value?: unknown};
  readonly name?: {readonly value?: unknown};
  /** Of a title that is no name: screen readers read it as one. */
  readonly description?: {readonly value?: unknown};
  readonly properties?: readonly {readonly name: string; readonly value: {readonly value?: unknown}}[];
  readonly childIds?: readonly string[];
}

/** Roles of which a screen reader says nothing useful when they receive the focus. */
const sayNothing = new Set(['generic', 'none', 'StaticText']);

/** A screen reader reads these in one go. */
const readAtOnce = new Set(['dialog', 'alert', 'status']);

/**
 * Returns what a screen reader could not tell of a page: what can be focused and has no name or role, live
 * regions whose name is also their text, and texts of a live region or a dialog, which are read in one go, where two
 * words touch: "sgemm" and "start" are read as "sgemmstart".
 */
export async function unspeakable(page: Page): Promise<string[]> {
  const devtools = await page.context().newCDPSession(page);
  const {nodes} = await devtools.send('Accessibility.getFullAXTree');
  await devtools.detach();
  const byId = new Map<string, TreeNode>(nodes.map(node => [node.nodeId, node]));
  const heard = nodes.filter(node => !node.ignored);
  const nameless = heard.filter(
    node => property(node, 'focusable') === true && role(node) !== 'RootWebArea' && !isTold(node),
  );
  const glued = heard.filter(isReadAtOnce).flatMap(node => touching(textsOf(node, byId)));
  const twice = heard.filter(node => property(node, 'live') === 'polite' && isNamedByItsText(node, byId));
  return [
    ...nameless.map(node => `focus on ${role(node)} "${name(node)}"`),
    ...twice.map(node => `"${title(node)}" is read twice`),
    ...new Set(glued),
  ];
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
const role = (node: TreeNode) => textOf(node.role?.value);
const name = (node: TreeNode) => textOf(node.name?.value);
const title = (node: TreeNode) => name(node) || textOf(node.description?.value);
const property = ({properties = []}: TreeNode, key: string) => properties.find(one => one.name === key)?.value.value;

const isTold = (node: TreeNode) => name(node) !== '' && !sayNothing.has(role(node));
const isReadAtOnce = (node: TreeNode) => readAtOnce.has(role(node)) || property(node, 'live') === 'polite';

/**
 * Returns whether the name of a live region, which is read before its text, is the beginning of the same text. A heading
 * is named by its text, and is read once.
 */
function isNamedByItsText(node: TreeNode, byId: ReadonlyMap<string, TreeNode>): boolean {
  return title(node) !== '' && role(node) !== 'heading' && textsOf(node, byId).join('').startsWith(title(node));
}

/** Returns the texts of a node in the order of the tree. */
function textsOf(node: TreeNode, byId: ReadonlyMap<string, TreeNode>): string[] {
  if (role(node) === 'StaticText') return [name(node)];
  return (node.childIds ?? []).flatMap(id => {
    const child = byId.get(id);
    return child ? textsOf(child, byId) : [];
  });
}

/** Returns the neighbours between which there is neither a space nor punctuation. */
function touching(texts: readonly string[]): string[] {
  return texts.flatMap((text, at) => {
    const next = texts[at + 1] ?? '';
    return /[\p{L}\p{N}%]$/u.test(text) && /^[\p{L}\p{N}]/u.test(next) ? [`"${text}" touches "${next}"`] : [];
  });
}
