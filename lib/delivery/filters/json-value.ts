import { skipSpace, skipString, skipValue } from '@/lib/events/member-text';
import { type ExactNumber, exactNumber } from '@/lib/events/same-json';
import { Fingerprinter, type Known } from './fingerprint';

export type JsonKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

/**
 * A value in a JSON text that JSON.parse accepts. It reads what it is asked for, once, and no more: a payload of 256 KiB has up to 100,000
 * values, and JSON.parse would round its numbers.
 */
export class JsonValue {
  /** Where each member or element starts. */
  private members: Map<string, number> | null = null;
  private starts: number[] | null = null;
  /** The values below it that were asked for, by where they start. */
  private readonly found = new Map<number, JsonValue>();
  private ownFingerprint: number | null = null;
  private fingerprintsOfElements: Set<number> | null = null;
  private decoded: string | null = null;
  private exact: ExactNumber | null = null;

  private constructor(
    private readonly json: string,
    private readonly start: number,
    private readonly fingerprints: Map<number, Known>,
  ) {}

  /** @param json text that JSON.parse accepts */
  static of(json: string): JsonValue {
    return new JsonValue(json, skipSpace(json, 0), new Map());
  }

  get kind(): JsonKind {
    switch (this.json[this.start]) {
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
    return this.json.slice(this.start, skipValue(this.json, this.start));
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
    return [...this.indexMembers().keys()];
  }

  /** The elements of an array. */
  get elements(): JsonValue[] {
    return this.indexElements().map((start) => this.at(start));
  }

  /** Returns a member of an object: the last one of its name, as in JSON.parse. */
  member(name: string): JsonValue | undefined {
    const start = this.kind === 'object' ? this.indexMembers().get(name) : undefined;
    return start === undefined ? undefined : this.at(start);
  }

  element(index: number): JsonValue | undefined {
    const start = this.kind === 'array' ? this.indexElements()[index] : undefined;
    return start === undefined ? undefined : this.at(start);
  }

  /** A number that two values share if they are the same (Fingerprinter). */
  get fingerprint(): number {
    this.ownFingerprint ??= this.fingerprinter().next();
    return this.ownFingerprint;
  }

  /** Whether an array has an element with this fingerprint. */
  hasElement(fingerprint: number): boolean {
    this.fingerprintsOfElements ??= this.fingerprinter().elements();
    return this.fingerprintsOfElements.has(fingerprint);
  }

  private fingerprinter(): Fingerprinter {
    return new Fingerprinter(this.json, this.start, this.fingerprints);
  }

  private at(start: number): JsonValue {
    const value = this.found.get(start) ?? new JsonValue(this.json, start, this.fingerprints);
    this.found.set(start, value);
    return value;
  }

  private indexMembers(): Map<string, number> {
    if (this.members !== null) return this.members;
    const { json } = this;
    const members = new Map<string, number>();
    let at = skipSpace(json, this.start + 1);
    while (json[at] === '"') {
      const end = skipString(json, at);
      const name = decode(json.slice(at, end));
      const start = skipSpace(json, skipSpace(json, end) + 1);
      members.set(name, start);
      at = skipSpace(json, skipValue(json, start));
      if (json[at] === ',') at = skipSpace(json, at + 1);
    }
    this.members = members;
    return members;
  }

  private indexElements(): number[] {
    if (this.starts !== null) return this.starts;
    const { json } = this;
    const starts: number[] = [];
    let at = skipSpace(json, this.start + 1);
    while (json[at] !== ']') {
      starts.push(at);
      at = skipSpace(json, skipValue(json, at));
      if (json[at] === ',') at = skipSpace(json, at + 1);
    }
    this.starts = starts;
    return starts;
  }
}

function decode(string: string): string {
  return string.includes('\\') ? (JSON.parse(string) as string) : string.slice(1, -1);
}
