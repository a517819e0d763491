/*
 * tailwind-merge knows all of Tailwind and weighs 8 kB in the browser. This knows the classes of this product; a test
 * compares the two for the classes in the tree.
 */

/** Classes whose property does not follow from the part before their last dash. */
const SPECIAL: readonly [property: string, classes: RegExp][] = [
  ['display', /^(?:inline-)?(?:flex|block|grid|table)$|^(?:inline|hidden|contents)$/],
  ['position', /^(?:relative|absolute|sticky|fixed)$/],
  ['visibility', /^(?:visible|invisible)$/],
  ['screen-reader', /^(?:not-)?sr-only$/],
  ['text-decoration', /^(?:no-)?underline$/],
  ['flex', /^flex-1$/],
  ['flex-direction', /^flex-(?:col|row)/],
  ['flex-wrap', /^flex-(?:no)?wrap$/],
  ['grow', /^grow/],
  ['shrink', /^shrink/],
  ['text-size', /^text-(?:xs|sm|base|lg|\d?xl|\[[\d.]+\w+\])$/],
  ['text-align', /^text-(?:left|center|right)$/],
  ['text-wrap', /^text-(?:balance|pretty)$/],
  ['text-color', /^text-/],
  ['font-family', /^font-(?:mono|sans)$/],
  ['whitespace', /^whitespace-/],
  ['overflow-wrap', /^wrap-/],
  ['align-content', /^content-(?:start|center|end|between|around|evenly)$/],
  ['touch', /^touch-/],
  ['cursor', /^cursor-/],
  ['border-collapse', /^border-collapse$/],
  ['border-style', /^border-(?:dashed|solid)$/],
  ['border', /^border(?:-\d)?$/],
  ['border-t', /^border-t(?:-\d)?$/],
  ['border-r', /^border-r(?:-\d)?$/],
  ['border-b', /^border-b(?:-\d)?$/],
  ['border-l', /^border-l(?:-\d)?$/],
  ['border-color', /^border-/],
  ['outline-offset', /^outline-offset-/],
  ['outline-style', /^outline-none$/],
  ['outline', /^outline(?:-\d)?$/],
  ['outline-color', /^outline-/],
  ['bg-image', /^bg-\[/],
  ['bg-color', /^bg-/],
  ['rounded', /^rounded$/],
];

/** A later class of the property on the left replaces earlier ones of those on the right. */
const COVERS: Readonly<Record<string, readonly string[]>> = {
  p: ['px', 'py', 'pt', 'pr', 'pb', 'pl'],
  px: ['pr', 'pl'],
  py: ['pt', 'pb'],
  m: ['mx', 'my', 'mt', 'mr', 'mb', 'ml'],
  mx: ['mr', 'ml'],
  my: ['mt', 'mb'],
  size: ['w', 'h'],
  gap: ['gap-x', 'gap-y'],
  inset: ['inset-x', 'inset-y', 'top', 'right', 'bottom', 'left'],
  'inset-x': ['right', 'left'],
  'inset-y': ['top', 'bottom'],
  flex: ['basis', 'grow', 'shrink'],
  border: ['border-t', 'border-r', 'border-b', 'border-l'],
  rounded: ['rounded-t', 'rounded-r', 'rounded-b', 'rounded-l'],
  overflow: ['overflow-x', 'overflow-y'],
  translate: ['translate-x', 'translate-y'],
  'text-size': ['leading'],
  'line-clamp': ['display', 'overflow'],
};

const MAX_REMEMBERED = 1000;
const remembered = new Map<string, string>();

/** Removes each class whose property a later class of the same state and width sets. */
export function mergeClasses(text: string): string {
  const known = remembered.get(text);
  if (known !== undefined) return known;
  const set = new Set<string>();
  const kept: string[] = [];
  for (const name of text.split(/\s+/).reverse()) {
    if (name === '') continue;
    const [variant, property] = describeClass(name);
    if (set.has(variant + property)) continue;
    for (const each of [property, ...(COVERS[property] ?? [])]) set.add(variant + each);
    kept.push(name);
  }
  const merged = kept.reverse().join(' ');
  if (remembered.size >= MAX_REMEMBERED) remembered.clear();
  remembered.set(text, merged);
  return merged;
}

/** Returns the states and widths that a class is for, such as `sm:hover:`, and the property that it sets. */
export function describeClass(name: string): [variant: string, property: string] {
  const variant = /^(?:(?:\[[^\]]*\]|\([^)]*\)|[^:[(])+:)*/.exec(name)?.[0] ?? '';
  const bare = name.slice(variant.length).replace(/^-/, '');
  const special = SPECIAL.find(([, classes]) => classes.test(bare));
  return [variant, special?.[0] ?? bare.replace(/-(?:\[.*\]|\(.*\)|[^-]+)$/, '')];
}
