/**
 * Reads a body of at most `limitBytes` as text, and cancels the rest.
 * @returns null when the body is larger or not UTF-8
 */
export async function readText(response: Response, limitBytes: number): Promise<string | null> {
  const reader = response.body?.getReader();
  if (reader === undefined) return '';
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let [text, bytes] = ['', 0];
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      bytes += part.value.length;
      if (bytes > limitBytes) return null;
      text += decode(decoder, part.value);
    }
    return text + decode(decoder);
  } catch (fault) {
    if (fault === NOT_UTF8) return null;
    throw fault;
  } finally {
    // Frees the connection; it does nothing after the end of the body.
    void reader.cancel().catch(() => {});
  }
}

const NOT_UTF8 = new Error('not UTF-8');

function decode(decoder: TextDecoder, bytes?: Uint8Array): string {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined });
  } catch {
    throw NOT_UTF8;
  }
}

/** Parses text that must be a JSON object; null for anything else. */
export function parseObject(text: string | null): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text ?? '');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
