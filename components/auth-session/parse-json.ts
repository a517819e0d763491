interface SourceAwareJson {
  parse(text: string, reviver: (key: string, value: unknown, context?: { source?: string }) => unknown): unknown;
  rawJSON?(text: string): unknown;
}

const json = JSON as SourceAwareJson;

/**
 * JSON as it was written: a number that would be rounded or written otherwise (an id beyond 2^53, `129.00`) keeps its
 * digits when it is shown or copied again, in browsers that have JSON.rawJSON.
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
    // A reviver visits every level by recursion, and data nested deeply enough overflows that.
    return JSON.parse(text);
  }
}
