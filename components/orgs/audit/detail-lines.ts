import { compactJson } from '@/components/ui/format-json';

export interface DetailLine {
  label: string;
  value: string;
  /** An id: in mono, cut, and with a button to copy it. */
  isId: boolean;
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** A word of the API in capitals, such as READ_WRITE. */
const CONSTANT = /^[A-Z][A-Z0-9_]*$/;

/** The facts of an entry, each on a line: whatever they are, since the actions to come have facts of their own. */
export function detailLines(details: Record<string, unknown>): DetailLine[] {
  const { from, to, ...others } = details;
  const lines = Object.entries(others).map(([name, value]) => toLine(name, value));
  // The two ends of a change belong together.
  if (typeof from === 'string' && typeof to === 'string') {
    return [{ label: 'Change', value: `${inWords(from)} → ${inWords(to)}`, isId: false }, ...lines];
  }
  const ends = Object.entries({ from, to }).filter(([, value]) => value !== undefined);
  return [...ends.map(([name, value]) => toLine(name, value)), ...lines];
}

function toLine(name: string, value: unknown): DetailLine {
  const isId = typeof value === 'string' && ID.test(value);
  return { label: labelOf(isId ? name.replace(/Id$/, '') : name), value: isId ? value : show(value), isId };
}

/** "gracePeriodHours" → "Grace period hours". */
function labelOf(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function show(value: unknown): string {
  if (typeof value === 'string') return inWords(value);
  if (value === null) return 'none';
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.map(inWords).join(', ');
  return typeof value === 'object' ? compactJson(value) : String(value);
}

function inWords(text: string): string {
  return CONSTANT.test(text) ? text.toLowerCase().replaceAll('_', ' ') : text;
}
