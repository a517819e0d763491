/**
 * A body of more bytes is large: what holds many messages at once has none of it (docs/decisions/071-large-bodies-have-places.md), and
 * nothing parses it or shows more of it.
 */
export const LARGE_BODY_BYTES = 512 * 1024;
