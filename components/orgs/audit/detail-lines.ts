import { compactJson } from '@/components/ui/format-json';

export interface DetailLine {
  label: string;
  value: string;
  /** Whether the value is an id, which is shortened and can be copied. */
  isId: boolean;
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** A constant of the API, such as READ_WRITE. */
const CONSTANT = /^[A-Z][A-Z0-9_]*$/;

/**
 * Returns the details of an entry as lines, except the name of the target, which has a column of its own. Works with any
 * details, so that new actions need no code here.
 */
export function detailLines(details: Record<string, unknown>): DetailLine[] {
  const { from, to, targetName: _named, ...others } = details;
  const lines = Object.entries(others).map(([name, value]) => toLine(name, value));
  // `from` and `to` form one line.
  if (typeof from === 'string' && typeof to === 'string') {
    return [{ label: 'Change', value: `${humanize(from)} → ${humanize(to)}`, isId: false }, ...lines];
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
  if (typeof value === 'string') return humanize(value);
  if (value === null) return 'none';
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.map(humanize).join(', ');
  return typeof value === 'object' ? compactJson(value) : String(value);
}

function humanize(text: string): string {
  return CONSTANT.test(text) ? text.toLowerCase().replaceAll('_', ' ') : text;
}
