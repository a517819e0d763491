import { describe, expect, it } from 'vitest';
import { readEvents, type StreamEvent } from './project-stream';

async function readAll(chunks: string[]): Promise<{ events: StreamEvent[]; bytes: number }> {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(encoder.encode(chunk));
      controller.close();
    },
  });
  const events: StreamEvent[] = [];
  let bytes = 0;
  await readEvents(body, {
    onEvent: (event) => void events.push(event),
    onBytes: () => {
      bytes += 1;
    },
  });
  return { events, bytes };
}

describe('server-sent events', () => {
  it('are read whole, however they are cut', async () => {
    const text = 'event: ready\ndata: {}\n\nevent: change\ndata: {"kinds":["événement"]}\n\n';
    const expected = [
      { type: 'ready', data: '{}' },
      { type: 'change', data: '{"kinds":["événement"]}' },
    ];
    expect((await readAll([text])).events).toEqual(expected);
    expect((await readAll([...text])).events).toEqual(expected);
  });

  it('are separate from comments, which show that the connection lives', async () => {
    expect(await readAll([':\n\n', 'event: change\ndata: {}\n\n:\n\n'])).toEqual({
      events: [{ type: 'change', data: '{}' }],
      bytes: 2,
    });
  });

  it('that never end are refused', async () => {
    await expect(readAll(['data: ', 'x'.repeat(5000)])).rejects.toThrow('too long');
  });

  it('without an end are not told', async () => {
    expect((await readAll(['event: change\ndata: {}\n'])).events).toEqual([]);
  });
});
