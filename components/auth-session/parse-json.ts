interface SourceAwareJson {
  parse(text: string, reviver: (key: string, value: unknown, context?: { source?: string }) => unknown): unknown;
  rawJSON?(text: string): unknown;
}

const json = JSON as SourceAwareJson;

/**
 * Parses JSON and keeps the digits of numbers that JavaScript would round or format differently (2^53 and above,
 * `129.00`), in browsers with JSON.rawJSON.
 */
export function parseJson(text: string): unknown {
  if (json.rawJSON === undefined) return JSON.parse(text);
  try {
    return json.parse(text, (_key, value, context) => {
      const source = context?.source;
      return typeof value !== 'number' || source === undefined || String(value) === source
        ? value
        : json.rawJSON?.(source);
    });
  } catch {
    // A reviver is called recursively, so deeply nested data overflows the stack.
    return JSON.parse(text);
  }
}
