import type { JsonValue } from '@/lib/events/json/json-value';

/** What is wrong with a webhook of a document. */
export class DocumentFault extends Error {}

/** References that lead to each other. */
const MAX_HOPS = 20;
/** A pointer into a schema that can be checked has no more parts. */
const MAX_POINTER_PARTS = 64;
const MAX_POINTER_CHARS = 2_048;
/** What is larger says more than a reference with the longest pointer, whose characters may be escaped. */
const MAX_REFERENCE_BYTES = 16 * 1024;

/** Finds what an OpenAPI document refers to in itself. */
export class OpenApiReader {
  constructor(private readonly root: JsonValue) {}

  /** Returns what a value is or refers to. @throws DocumentFault */
  resolve(value: JsonValue): JsonValue {
    return this.follow(value).value;
  }

  /** Returns what a value is or refers to, and the pointer to it; null for what is not referred to. */
  follow(value: JsonValue): { value: JsonValue; pointer: string | null } {
    let found = value;
    let pointer: string | null = null;
    for (let hops = 0; ; hops += 1) {
      const reference = found.size > MAX_REFERENCE_BYTES ? undefined : found.member('$ref');
      if (reference === undefined) return { value: found, pointer };
      if (hops >= MAX_HOPS) throw new DocumentFault('has references that lead to each other');
      if (reference.kind !== 'string') throw new DocumentFault('has a $ref that is not a string');
      // What else a schema says beside its reference counts.
      if (found.hasMoreMembersThan(1)) return { value: found, pointer };
      pointer = reference.string;
      found = this.find(pointer);
    }
  }

  /** @param pointer such as `#/components/schemas/Order` @throws DocumentFault */
  find(pointer: string): JsonValue {
    if (!pointer.startsWith('#/')) {
      throw new DocumentFault(
        `refers to ${shorten(pointer)}: references must be to the document itself, as in #/components/schemas/Order`,
      );
    }
    if (pointer.length > MAX_POINTER_CHARS) throw tooLong(pointer);
    let found: JsonValue | undefined = this.root;
    for (const part of partsOf(pointer)) {
      found = found?.kind === 'array' ? found.element(Number(part)) : found?.member(part);
    }
    if (found === undefined) throw new DocumentFault(`refers to ${shorten(pointer)}, which the document does not have`);
    return found;
  }
}

const tooLong = (pointer: string) =>
  new DocumentFault(
    `refers to ${shorten(pointer)}: a reference has at most 2,048 characters and ${MAX_POINTER_PARTS} parts`,
  );

const MAX_SHOWN = 100;
const shorten = (text: string) => (text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);

/** @throws DocumentFault */
function partsOf(pointer: string): string[] {
  const parts = decodePointer(pointer).slice(2).split('/');
  if (parts.length > MAX_POINTER_PARTS) throw tooLong(pointer);
  return parts.map(nameOfPart);
}

/** Returns the name that a part of a pointer means. */
export const nameOfPart = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

/** Returns a pointer, or part of one, as it is without the escapes of a URL. @throws DocumentFault */
export function decodePointer(pointer: string): string {
  try {
    return decodeURIComponent(pointer);
  } catch {
    throw new DocumentFault(`refers to ${shorten(pointer)}, which is not a JSON pointer`);
  }
}
