import { compactJson } from '@/components/ui/format-json';
import { capitalize, showValue, toWords } from './detail-values';

export interface DetailLine {
  label: string;
  value: string;
  /** Whether the value is an id, which is shortened and can be copied. */
  isId: boolean;
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const HOURS = /Hours$/;

/**
 * Returns the details of an entry as lines, except the name of the target, which has a column of its own. Works with any
 * details, so that new actions need no code here.
 */
export function detailLines(details: Record<string, unknown>): DetailLine[] {
  const { from, to, targetName: _named, ...others } = details;
  const lines = Object.entries(others).map(([name, value]) => toLine(name, value));
  // `from` and `to` form one line.
  if (typeof from === 'string' && typeof to === 'string') {
    return [{ label: 'Change', value: `${showValue('from', from)} → ${showValue('to', to)}`, isId: false }, ...lines];
  }
  const ends = Object.entries({ from, to }).filter(([, value]) => value !== undefined);
  return [...ends.map(([name, value]) => toLine(name, value)), ...lines];
}

function toLine(name: string, value: unknown): DetailLine {
  if (typeof value === 'string' && ID.test(value))
    return { label: labelOf(name.replace(/Id$/, '')), value, isId: true };
  // "gracePeriodHours: 24" → "Grace period 24 h".
  if (typeof value === 'number' && HOURS.test(name)) {
    return { label: labelOf(name.replace(HOURS, '')), value: `${value} h`, isId: false };
  }
  return { label: labelOf(name), value: show(name, value), isId: false };
}

function labelOf(name: string): string {
  return name === 'fields' ? 'Changed' : capitalize(toWords(name));
}

function show(name: string, value: unknown): string {
  if (typeof value === 'string') return showValue(name, value);
  if (value === null) return '–';
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) {
    return value.map((item) => showValue(name, item)).join(', ');
  }
  return typeof value === 'object' ? compactJson(value) : String(value);
}
