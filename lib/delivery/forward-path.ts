import { isId } from '@/lib/platform/ids';

/**
 * The header of a forward with the sources that its event has passed through, oldest first. Without it, a destination that
 * is the URL of a source would forward the same event forever, and multiply it.
 */
export const PATH_HEADER = 'x-eds-via';
/** The most sources that an event passes through. */
const MAX_SOURCES = 5;

/** Reads the ids of the sources from values of the header. Skips everything else. */
export function pathOf(values: readonly string[]): string[] {
  const names = values.flatMap((value) => value.split(','));
  return names.map((name) => name.trim().toLowerCase()).filter(isId);
}

/** Returns why a source must reject an event that has passed through `path`; null if it may accept it. */
export function loopFault(path: readonly string[], sourceId: string): string | null {
  if (path.includes(sourceId))
    return 'This source has already received and forwarded this event: its forwards form a loop.';
  return path.length < MAX_SOURCES ? null : `This event has already passed through ${MAX_SOURCES} sources.`;
}
