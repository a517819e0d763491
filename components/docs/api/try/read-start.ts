/** The most of a body that a page shows, in bytes. */
export const MAX_SHOWN_BYTES = 256 * 1024;

export interface BodyStart {
  text: string;
  /** Whether the body has more than `text`. */
  isTruncated: boolean;
}

/** Reads at most MAX_SHOWN_BYTES of a body as UTF-8, and cancels the rest, so that a large response stays unread. */
export async function readStart(response: Response): Promise<BodyStart> {
  const reader = response.body?.getReader();
  if (reader === undefined) return { text: '', isTruncated: false };
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { text: text + decoder.decode(), isTruncated: false };
    const room = MAX_SHOWN_BYTES - bytes;
    text += decoder.decode(value.subarray(0, room), { stream: true });
    bytes += value.length;
    if (bytes <= MAX_SHOWN_BYTES) continue;
    await reader.cancel();
    return { text, isTruncated: true };
  }
}
