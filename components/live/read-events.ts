/** One server-sent event. */
export interface StreamEvent {
  type: string;
  data: string;
}

/** The stream sends less than a hundred; more without the end of an event is not this stream. */
const MAX_EVENT_CHARS = 4096;

/**
 * Reads server-sent events until the stream ends. EventSource cannot do this: it sends no Authorization header.
 *
 * @param onBytes called for everything that arrives, also comments
 * @throws when the connection breaks, or when an event is too long
 */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  { onEvent, onBytes }: { onEvent: (event: StreamEvent) => void; onBytes: () => void },
): Promise<void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onBytes();
    const parts = (rest + decoder.decode(value, { stream: true })).split('\n\n');
    rest = parts.pop() ?? '';
    if (rest.length > MAX_EVENT_CHARS) throw new Error('an event is too long');
    for (const part of parts) {
      const event = parseEvent(part);
      if (event !== null) onEvent(event);
    }
  }
}

/** Returns null for a comment. */
function parseEvent(text: string): StreamEvent | null {
  const event: StreamEvent = { type: 'message', data: '' };
  let isEmpty = true;
  for (const line of text.split('\n')) {
    const [, name, value = ''] = /^(event|data): ?(.*)$/.exec(line) ?? [];
    if (name === undefined) continue;
    isEmpty = false;
    if (name === 'event') event.type = value;
    else event.data += value;
  }
  return isEmpty ? null : event;
}
