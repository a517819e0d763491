import { type ExactNumber, exactNumber } from '@/lib/events/same-json';
import { JsonText, QUOTE } from '@/lib/platform/json-bytes';
import { Fingerprinter } from './fingerprint';
import { FingerprintMap } from './fingerprint-map';

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

/**
 * A value in a JSON text that JSON.parse accepts. It reads what it is asked for, once, and no more: a payload of 256 KiB has up to 100,000
 * values, and JSON.parse would round its numbers.
 */
export class JsonValue {
  /** Where each member, by the fingerprint of its name, or element starts. */
  private members: FingerprintMap | null = null;
  private starts: Int32Array | null = null;
  private named: ReadonlyMap<string, JsonValue> | null = null;
  /** The values below it that were asked for, by where they start. */
  private found: Map<number, JsonValue> | null = null;
  private ownFingerprint: number | null = null;
  private decoded: string | null = null;
  private exact: ExactNumber | null = null;
  private ownEnd: number | null = null;

  private constructor(
    private readonly json: JsonText,
    private readonly start: number,
  ) {}

  /** @param json text that JSON.parse accepts, or its UTF-8 */
  static of(json: string | Buffer): JsonValue {
    const text = new JsonText(typeof json === 'string' ? Buffer.from(json) : json);
    return new JsonValue(text, text.skipSpace(0));
  }

  get kind(): JsonKind {
    switch (String.fromCharCode(this.json.bytes[this.start] ?? 0)) {
      case '{':
        return 'object';
      case '[':
        return 'array';
      case '"':
        return 'string';
      case 'n':
        return 'null';
      case 't':
      case 'f':
        return 'boolean';
      default:
        return 'number';
    }
  }

  /** Its JSON, as it was sent. */
  get text(): string {
    return this.json.bytes.toString('utf8', this.start, this.end);
  }

  /** Returns the start of its JSON, which may end within a character; all of it where that has no more bytes. */
  startOfText(bytes: number): string {
    return this.json.bytes.toString('utf8', this.start, Math.min(this.end, this.start + bytes));
  }

  /** The index after its JSON. */
  private get end(): number {
    this.ownEnd ??= this.json.skipValue(this.start);
    return this.ownEnd;
  }

  /** What a string says. */
  get string(): string {
    this.decoded ??= decode(this.text);
    return this.decoded;
  }

  get number(): ExactNumber {
    this.exact ??= exactNumber(this.text);
    return this.exact;
  }

  /** The names of an object's members. */
  get names(): string[] {
    const starts: number[] = [];
    this.indexMembers(starts);
    return [...new Set(starts.map((start) => this.at(start).string))];
  }

  /** The members of an object by their names: the last one of a name, as in JSON.parse. */
  get entries(): ReadonlyMap<string, JsonValue> {
    // Its values are kept by their names alone.
    this.named ??= this.readMembers(
      Number.POSITIVE_INFINITY,
      (start) => this.found?.get(start) ?? new JsonValue(this.json, start),
    );
    return this.named;
  }

  /** Returns the first members of an object like `entries`, up to a number, those of one name included. Makes no values of the others. */
  firstEntries(count: number): ReadonlyMap<string, JsonValue> {
    return this.readMembers(count, (start) => this.at(start));
  }

  private readMembers(count: number, make: (start: number) => JsonValue): Map<string, JsonValue> {
    const { json } = this;
    const named = new Map<string, JsonValue>();
    let members = 0;
    for (let at = json.skipSpace(this.start + 1); json.bytes[at] === QUOTE && members < count; members += 1) {
      const end = json.skipString(at);
      const start = json.skipSpace(json.skipSpace(end) + 1);
      named.set(decode(json.bytes.toString('utf8', at, end)), make(start));
      at = json.skipSeparator(json.skipValue(start));
    }
    return named;
  }

  /** Whether an object has more members than this, those of one name included. Makes no values, which take long for many. */
  hasMoreMembersThan(count: number): boolean {
    const { json } = this;
    let members = 0;
    for (let at = json.skipSpace(this.start + 1); json.bytes[at] === QUOTE && members <= count; members += 1) {
      at = json.skipSeparator(json.skipValue(json.skipSpace(json.skipSpace(json.skipString(at)) + 1)));
    }
    return members > count;
  }

  /** The number of elements of an array. */
  get length(): number {
    return this.indexElements().length;
  }

  /** The bytes of its JSON. */
  get size(): number {
    return this.end - this.start;
  }

  /** The elements of an array. */
  get elements(): JsonValue[] {
    return Array.from(this.indexElements(), (start) => this.at(start));
  }

  /** Returns a member of an object: the last one of its name, as in JSON.parse. */
  member(name: string): JsonValue | undefined {
    return this.memberOf(fingerprintOf(name));
  }

  /** @param name the fingerprint of the name of a member */
  memberOf(name: number): JsonValue | undefined {
    if (this.kind !== 'object') return undefined;
    this.members ??= this.indexMembers();
    const start = this.members.get(name);
    return start === undefined ? undefined : this.at(start);
  }

  element(index: number): JsonValue | undefined {
    const start = this.kind === 'array' ? this.indexElements()[index] : undefined;
    return start === undefined ? undefined : this.at(start);
  }

  /** A number that two values share if they are the same (Fingerprinter). */
  get fingerprint(): number {
    this.ownFingerprint ??= new Fingerprinter(this.json, this.start).value();
    return this.ownFingerprint;
  }

  /** Returns which of some fingerprints the elements of an array have. */
  elementsAmong(wanted: FingerprintMap): ReadonlySet<number> {
    return new Fingerprinter(this.json, this.start).elements(wanted);
  }

  private at(start: number): JsonValue {
    this.found ??= new Map();
    const value = this.found.get(start) ?? new JsonValue(this.json, start);
    this.found.set(start, value);
    return value;
  }

  /** @param starts gets where each name starts */
  private indexMembers(starts?: number[]): FingerprintMap {
    const { json } = this;
    const members = new FingerprintMap();
    const reader = new Fingerprinter(json, json.skipSpace(this.start + 1));
    while (json.bytes[reader.at] === QUOTE) {
      starts?.push(reader.at);
      members.set(reader.name(), reader.at);
      reader.at = json.skipSeparator(json.skipValue(reader.at));
    }
    return members;
  }

  private indexElements(): Int32Array {
    if (this.starts !== null) return this.starts;
    const { json, start } = this;
    // An element takes two bytes, with its comma.
    const starts = new Int32Array((json.skipValue(start) - start) >> 1);
    let count = 0;
    for (let at = json.skipSpace(start + 1); json.bytes[at] !== 0x5d; count += 1) {
      starts[count] = at;
      at = json.skipSeparator(json.skipValue(at));
    }
    this.starts = starts.subarray(0, count);
    return this.starts;
  }
}

/** Returns the fingerprint of a string. */
export function fingerprintOf(string: string): number {
  return JsonValue.of(JSON.stringify(string)).fingerprint;
}

function decode(string: string): string {
  return string.includes('\\') ? (JSON.parse(string) as string) : string.slice(1, -1);
}
