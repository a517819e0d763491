import { formatRelative } from './format-time';

/** Formats a time relative to now in whole seconds, so that times of the same second have the same age. */
export function relativeAge(at: Date, nowMs: number): string {
  return formatRelative(toSecond(at.getTime()), toSecond(nowMs));
}

function toSecond(ms: number): Date {
  return new Date(Math.floor(ms / 1000) * 1000);
}
