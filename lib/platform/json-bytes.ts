export const QUOTE = 0x22;
export const BACKSLASH = 0x5c;
export const OBJECT = 0x7b;
const COMMA = 0x2c;
/** A bracket and a brace differ in one bit. */
export const isOpening = (byte: number) => (byte & ~0x20) === 0x5b;
const isClosing = (byte: number) => (byte & ~0x20) === 0x5d;
/** Between tokens, white space is all that is as low. */
const isSpace = (byte: number) => byte <= 0x20;

/** Whether a byte belongs to a number, true, false or null. */
const isInScalar = (byte: number) => (byte > COMMA || byte === 0x2b) && !isClosing(byte);

/** The UTF-8 of JSON that JSON.parse accepts, with ways through it that read no value. Bytes are read several times as fast as characters. */
export class JsonText {
  /** Fingerprints of large arrays and objects by where they start. Null for those that equal no value of a filter. */
  readonly known = new Map<number, { high: number; low: number } | null>();
  private knownEnds: Int32Array | null = null;

  constructor(readonly bytes: Buffer) {}

  /** Returns the index of what follows the white space at `from`. */
  skipSpace(from: number): number {
    let at = from;
    while (isSpace(this.bytes[at] as number)) at += 1;
    return at;
  }

  /** Returns the index of the next member or element, or of the closing bracket, after a value that ends at `from`. */
  skipSeparator(from: number): number {
    const at = this.skipSpace(from);
    return this.bytes[at] === COMMA ? this.skipSpace(at + 1) : at;
  }

  /** Returns the index after the string that starts at `from`. */
  skipString(from: number): number {
    const { bytes } = this;
    let at = from + 1;
    for (let byte = bytes[at]; byte !== QUOTE; byte = bytes[at]) at += byte === BACKSLASH ? 2 : 1;
    return at + 1;
  }

  /** Returns the index after the value that starts at `from`. */
  skipValue(from: number): number {
    const { bytes } = this;
    const first = bytes[from] as number;
    if (first === QUOTE) return this.skipString(from);
    if (isOpening(first)) return this.ends[from] as number;
    let at = from;
    while (isInScalar(bytes[at] as number)) at += 1;
    return at;
  }

  /** The index after each array and object, at the index where it starts. */
  private get ends(): Int32Array {
    this.knownEnds ??= this.findEnds();
    return this.knownEnds;
  }

  private findEnds(): Int32Array {
    const { bytes } = this;
    const { length } = bytes;
    // Until one ends, it has the index of the one around it.
    const ends = new Int32Array(length);
    let open = -1;
    for (let at = 0; at < length; at += 1) {
      const byte = bytes[at] as number;
      if (byte === QUOTE) at = this.skipString(at) - 1;
      else if (isOpening(byte)) {
        ends[at] = open;
        open = at;
      } else if (isClosing(byte)) {
        const around = ends[open] as number;
        ends[open] = at + 1;
        open = around;
      }
    }
    return ends;
  }
}

/** Neither an id nor a type of an event is longer, with its name and escapes. */
const MAX_MEMBER_BYTES = 2048;

/** Reads a few members of an object: parsing all of it would take the thread for up to thirty times as long. */
export class MemberReader {
  private readonly quotedNames: Buffer[];

  constructor(names: readonly string[]) {
    this.quotedNames = names.map((name) => Buffer.from(`"${name}"`));
  }

  /**
   * Returns the members with these names, of at most 2 KiB each. Names with escapes are not found.
   * @param bytes that need not be JSON; without an object they have no members
   */
  read(bytes: Buffer): Record<string, unknown> {
    const members: [from: number, to: number][] = [];
    let depth = 0;
    let from = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at] as number;
      if (depth === 0) {
        if (isSpace(byte)) continue;
        // Something else, or more than an object.
        if (byte !== OBJECT || from > 0) return {};
      }
      if (byte === QUOTE) at = endOfString(bytes, at);
      else if (isOpening(byte)) {
        depth += 1;
        if (depth === 1) from = at + 1;
      } else if (isClosing(byte) || (byte === COMMA && depth === 1)) {
        if (depth === 1) {
          const index = at - from > MAX_MEMBER_BYTES ? -1 : this.indexOfName(bytes, from);
          if (index >= 0) members[index] = [from, at];
          from = at + 1;
        }
        if (byte !== COMMA) depth -= 1;
      }
    }
    if (depth > 0) return {};
    return Object.assign({}, ...members.map(([start, end]) => parseMember(bytes.toString('utf8', start, end))));
  }

  private indexOfName(bytes: Buffer, from: number): number {
    let at = from;
    while (isSpace(bytes[at] as number)) at += 1;
    return bytes[at] === QUOTE ? this.quotedNames.findIndex((name) => startsWith(bytes, at, name)) : -1;
  }
}

function startsWith(bytes: Buffer, from: number, text: Buffer): boolean {
  for (let at = 0; at < text.length; at += 1) if (bytes[from + at] !== text[at]) return false;
  return true;
}

/** Returns the index of the quote that ends a string, or of the end of the bytes. */
function endOfString(bytes: Buffer, from: number): number {
  let at = from + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

function parseMember(text: string): object {
  try {
    return JSON.parse(`{${text}}`) as object;
  } catch {
    return {};
  }
}
