/**
 * A body of more bytes is large: what holds many messages at once has none of it (docs/decisions/071-large-bodies-have-places.md), and
 * nothing parses it or shows more of it.
 */
export const LARGE_BODY_BYTES = 512 * 1024;

/**
 * An answer with more content takes milliseconds of the thread, to read it and to write it as JSON: its owner takes turns for it
 * (docs/decisions/066-tenants-take-turns-in-next.md).
 */
export const LARGE_ANSWER_BYTES = 128 * 1024;
