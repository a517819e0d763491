/** `includes` takes linear time for texts of up to this length, and the product of both lengths for longer ones. */
const MAX_QUICK = 250;
/** In a longer text, one pass for several texts is quicker than one for each. */
const FEW_CHARS = 16 * 1024;
const FEW_TEXTS = 2;

/** Returns which of some texts, together at most 4 KiB, are in another one, in linear time. */
export function findTexts(text: string, wanted: readonly string[]): Set<string> {
  if (text.length > FEW_CHARS && wanted.length > FEW_TEXTS) return findInOnePass(text, wanted);
  return new Set(wanted.filter((each) => (each.length <= MAX_QUICK ? text.includes(each) : includesLong(text, each))));
}

/** The algorithm of Knuth, Morris and Pratt. */
function includesLong(text: string, wanted: string): boolean {
  if (wanted.length > text.length) return false;
  const borders = new Uint16Array(wanted.length);
  for (let at = 1, matched = 0; at < wanted.length; at += 1) {
    const code = wanted.charCodeAt(at);
    while (matched > 0 && code !== wanted.charCodeAt(matched)) matched = borders[matched - 1] ?? 0;
    if (code === wanted.charCodeAt(matched)) matched += 1;
    borders[at] = matched;
  }
  for (let at = 0, matched = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    while (matched > 0 && code !== wanted.charCodeAt(matched)) matched = borders[matched - 1] ?? 0;
    if (code === wanted.charCodeAt(matched)) matched += 1;
    if (matched === wanted.length) return true;
  }
  return false;
}

/** The algorithm of Aho and Corasick. */
function findInOnePass(text: string, wanted: readonly string[]): Set<string> {
  const { nextOf, fallbacks, ends, links } = automatonOf(wanted);
  const found = new Set<string>(wanted.filter((each) => each === ''));
  let state = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    let next = nextOf.get(state * CODES + code);
    while (next === undefined && state !== 0) {
      state = fallbacks[state] ?? 0;
      next = nextOf.get(state * CODES + code);
    }
    state = next ?? 0;
    for (let end = state; end !== 0; end = links[end] ?? 0) {
      const whole = ends.get(end);
      if (whole === undefined) continue;
      if (found.has(whole)) break;
      found.add(whole);
    }
  }
  return found;
}

/** How many UTF-16 code units there are. */
const CODES = 0x10000;

interface Automaton {
  /** The state that follows a state times CODES plus a code unit. */
  nextOf: Map<number, number>;
  /** The state of the longest other beginning that the text of a state ends with. */
  fallbacks: number[];
  /** The next state on the way over fallbacks at which a text ends. */
  links: number[];
  /** The texts that end at states. */
  ends: Map<number, string>;
}

function automatonOf(wanted: readonly string[]): Automaton {
  const nextOf = new Map<number, number>();
  const ends = new Map<number, string>();
  const parents = [0];
  const codes = [0];
  const depths = [0];
  for (const text of wanted) {
    let state = 0;
    for (let at = 0; at < text.length; at += 1) {
      const edge = state * CODES + text.charCodeAt(at);
      let next = nextOf.get(edge);
      if (next === undefined) {
        next = parents.length;
        nextOf.set(edge, next);
        parents.push(state);
        codes.push(text.charCodeAt(at));
        depths.push(at + 1);
      }
      state = next;
    }
    if (state !== 0) ends.set(state, text);
  }
  const fallbacks = [0];
  const links = [0];
  // A fallback is shorter, so its own is known before.
  const byLength = [...parents.keys()].slice(1).sort((a, b) => (depths[a] ?? 0) - (depths[b] ?? 0));
  for (const state of byLength) {
    const parent = parents[state] ?? 0;
    let fallback = fallbacks[parent] ?? 0;
    if (parent !== 0) {
      const code = codes[state] ?? 0;
      let next = nextOf.get(fallback * CODES + code);
      while (next === undefined && fallback !== 0) {
        fallback = fallbacks[fallback] ?? 0;
        next = nextOf.get(fallback * CODES + code);
      }
      fallback = next ?? 0;
    }
    fallbacks[state] = fallback;
    links[state] = ends.has(fallback) ? fallback : (links[fallback] ?? 0);
  }
  return { nextOf, fallbacks, links, ends };
}
