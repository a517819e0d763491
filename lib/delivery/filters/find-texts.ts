import { randomInt } from 'node:crypto';

/** `includes` takes linear time for texts of up to this length, and the product of both lengths for longer ones. */
const MAX_QUICK = 250;
/** In a longer text, one pass for several texts is quicker than one for each. */
const FEW_CHARS = 16 * 1024;
const FEW_TEXTS = 2;

/** Returns which of some texts, together at most 4 KiB, are in another one, in linear time. */
export function findTexts(text: string, wanted: readonly string[]): Set<string> {
  const isQuick = wanted.every((each) => each.length <= MAX_QUICK);
  if (!isQuick || (text.length > FEW_CHARS && wanted.length > FEW_TEXTS)) return findInOnePass(text, wanted);
  return new Set(wanted.filter((each) => text.includes(each)));
}

/** The algorithm of Aho and Corasick. */
function findInOnePass(text: string, wanted: readonly string[]): Set<string> {
  const { edges, fallbacks, ends, links } = automatonOf(wanted);
  const found = new Set<string>(wanted.filter((each) => each === ''));
  let state = 0;
  for (let at = 0; at < text.length; at += 1) {
    state = edges.follow(state, text.charCodeAt(at), fallbacks);
    for (let end = state; end !== 0; end = links[end] as number) {
      const whole = ends[end];
      if (whole === undefined) continue;
      if (found.has(whole)) break;
      found.add(whole);
    }
  }
  return found;
}

/** How many UTF-16 code units there are. */
const CODES = 0x10000;
/** A secret of the process, so that nobody can choose texts whose edges share a slot. */
const FACTOR = randomInt(2 ** 32) | 1;

/** What leads from a state by a code unit to another state: a Map of numbers takes several times as long. */
class Edges {
  private readonly keys: Int32Array;
  private readonly states: Uint16Array;
  private readonly shift: number;

  /** @param most edges that are added */
  constructor(most: number) {
    this.shift = Math.clz32(most) - 2;
    this.keys = new Int32Array(2 ** (32 - this.shift));
    this.states = new Uint16Array(this.keys.length);
  }

  /** Returns the next state; 0 for none. */
  get(state: number, code: number): number {
    return this.states[this.slotOf(state * CODES + code + 1)] as number;
  }

  add(state: number, code: number, next: number): void {
    const key = state * CODES + code + 1;
    const slot = this.slotOf(key);
    this.keys[slot] = key;
    this.states[slot] = next;
  }

  /** Returns the state after a code unit: from that state, or from its longest fallback that has an edge. */
  follow(from: number, code: number, fallbacks: Uint16Array): number {
    let state = from;
    let next = this.get(state, code);
    while (next === 0 && state !== 0) {
      state = fallbacks[state] as number;
      next = this.get(state, code);
    }
    return next;
  }

  private slotOf(key: number): number {
    const { keys } = this;
    let slot = Math.imul(key, FACTOR) >>> this.shift;
    for (let found = keys[slot]; found !== key && found !== 0; found = keys[slot])
      slot = (slot + 1) & (keys.length - 1);
    return slot;
  }
}

interface Automaton {
  edges: Edges;
  /** The state of the longest other beginning that the text of a state ends with. */
  fallbacks: Uint16Array;
  /** The next state on the way over fallbacks at which a text ends. */
  links: Uint16Array;
  /** The texts that end at states. */
  ends: (string | undefined)[];
}

function automatonOf(wanted: readonly string[]): Automaton {
  const most = wanted.reduce((sum, text) => sum + text.length, 1);
  const edges = new Edges(most);
  const ends: (string | undefined)[] = [undefined];
  const states: { state: number; parent: number; code: number; depth: number }[] = [];
  for (const text of wanted) {
    let state = 0;
    for (let at = 0; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      let next = edges.get(state, code);
      if (next === 0) {
        next = ends.push(undefined) - 1;
        edges.add(state, code, next);
        states.push({ state: next, parent: state, code, depth: at });
      }
      state = next;
    }
    if (state !== 0) ends[state] = text;
  }
  const fallbacks = new Uint16Array(ends.length);
  const links = new Uint16Array(ends.length);
  // A fallback is shorter, so its own is known before.
  for (const { state, parent, code } of states.sort((a, b) => a.depth - b.depth)) {
    const fallback = parent === 0 ? 0 : edges.follow(fallbacks[parent] as number, code, fallbacks);
    fallbacks[state] = fallback;
    links[state] = ends[fallback] === undefined ? (links[fallback] as number) : fallback;
  }
  return { edges, fallbacks, links, ends };
}
