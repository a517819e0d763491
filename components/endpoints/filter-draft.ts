import { ApiError } from '@/components/auth-session/api-error';
import { parseJson } from '@/components/auth-session/request';
import { prettyJson } from '@/components/ui/format-json';
import {
  type FilterRow,
  type FilterRows,
  filterTextOf,
  isJson,
  jsonOf,
  rowsOf,
} from '@/lib/delivery/filters/filter-policy';

/** A filter while it is edited: as rows, or as JSON where it is not a list of conditions. */
export interface FilterDraft extends FilterRows {
  isJson: boolean;
  json: string;
}

export const NEW_ROW: FilterRow = { path: '', op: 'eq', value: '' };

/** Returns what the form shows at first: an empty row for no filter. @param filter as the API shows it */
export function draftOf(filter: Record<string, unknown> | null): FilterDraft {
  const found = rowsOf(filter);
  if (found === null) return { isJson: true, json: prettyJson(filter), join: 'all', rows: [] };
  return { ...found, isJson: false, json: '', rows: filter === null ? [NEW_ROW] : found.rows };
}

/** Whether a row has a path, and a value that can be read. */
export const isComplete = (row: FilterRow) => row.path.trim() !== '' && jsonOf(row) !== null;

/** Returns the JSON of what is edited, null for no filter; undefined while it is incomplete. */
export function textOf(draft: FilterDraft): string | null | undefined {
  if (draft.isJson) {
    const text = draft.json.trim();
    if (text === '') return null;
    return text.startsWith('{') && isJson(text) ? text : undefined;
  }
  return draft.rows.every(isComplete) ? filterTextOf(draft) : undefined;
}

/** Shows the same filter as JSON. Rows that are incomplete are left out. */
export function asJsonDraft(draft: FilterDraft): FilterDraft {
  const rows = draft.rows.filter(isComplete);
  const text = filterTextOf({ ...draft, rows });
  return { ...draft, isJson: true, json: text === null ? '' : indented(text) };
}

/** Indents JSON, unless this browser would change the digits of its numbers. */
function indented(text: string): string {
  const value = parseJson(text);
  return JSON.stringify(value) === text ? prettyJson(value) : text;
}

/** Shows the same filter as rows; null if it is not a list of conditions. */
export function asRowsDraft(draft: FilterDraft): FilterDraft | null {
  const text = textOf(draft);
  if (text === undefined) return null;
  const found = rowsOf(text === null ? null : parseJson(text));
  return found === null ? null : { ...draft, ...found, isJson: false };
}

/** What is wrong with a filter, and in which row. */
export interface FilterFault {
  /** Null if it is edited as JSON, or if it is about all of it. */
  row: number | null;
  message: string;
}

/** Returns what the API says of a filter; null for an error that is not about it. */
export function faultOf(error: unknown, { isJson: isText, rows }: FilterDraft): FilterFault | null {
  if (!(error instanceof ApiError)) return null;
  const found = error.errors.find(({ path }) => path === 'filter' || path.startsWith('filter.'));
  if (found === undefined) return null;
  const [, group, index = ''] = found.path.split('.');
  const isInGroup = group === 'all' || group === 'any';
  const row = isText || rows.length === 0 ? null : isInGroup ? Number(index) : rows.length === 1 ? 0 : null;
  const place = isText && found.path !== 'filter' ? `${found.path.slice('filter.'.length)} ` : '';
  const text = `${place}${found.message}.`;
  return { row, message: text.charAt(0).toUpperCase() + text.slice(1) };
}

const MAX_PATHS = 100;
const MAX_MEMBERS = 8;

/** Lists the paths of values in the data of an event, to choose from. */
export function pathsOf(data: unknown): string[] {
  const paths = ['type'];
  const open: [path: string, value: unknown, members: number][] = [['data', data, 0]];
  for (let next = open.shift(); next !== undefined && paths.length < MAX_PATHS; next = open.shift()) {
    const [path, value, members] = next;
    if (members > 0) paths.push(path);
    if (typeof value !== 'object' || value === null || members === MAX_MEMBERS) continue;
    const entries = Array.isArray(value)
      ? Object.entries(value).slice(0, 1)
      : Object.entries(value).slice(0, MAX_PATHS);
    for (const [name, child] of entries) {
      if (name !== '' && !name.includes('.') && name !== 'rawJSON') open.push([`${path}.${name}`, child, members + 1]);
    }
  }
  return paths;
}
