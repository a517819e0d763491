import { headingOf } from '@/lib/cli/routes/names';
import type { Answer, FieldKind } from '@/lib/cli/routes/operation';
import type { SearchMatch } from '@/lib/events/schema';
import { sanitize } from '@/lib/platform/terminal/sanitize';
import type { Style } from '@/lib/platform/terminal/style';

const GOOD = /^(ACTIVE|enabled|online|SUCCEEDED|DELIVERED|COMPLETED|verified|yes|ok|2\d\d)$/i;
const BAD = /^(FAILED|failing|EXHAUSTED|DEAD|REVOKED|EXPIRED|disabled|unverified|no|[45]\d\d)$/i;
const PENDING = /^(PENDING|paused|QUEUED|ROTATING|RETRYING|IN_PROGRESS|RUNNING|SCHEDULED|CANCELED|offline|3\d\d)$/i;

type Cell = string | number | boolean | null | undefined;

/** A column of a table, or a field of a record. */
export interface Column<T> {
  header: string;
  value(row: T): Cell;
  /**
   * `state`: colored by what it means. `time`: an RFC 3339 time, shown as an age on a terminal. `id`: never cut, because people
   * copy it. `url`: in a narrow table without its scheme, then without its middle. `size`: bytes. `duration`: milliseconds.
   */
  kind?: 'text' | 'state' | 'time' | 'id' | 'url' | 'size' | 'duration';
  /** A table that is wider than the terminal leaves out the columns with the highest numbers first; without a number, none. */
  spare?: number;
  /** The parameter of a list without which it is left out. */
  of?: string;
  /** A table leaves it out where no row has a value. Programs get it always. */
  isOptional?: true;
}

/** Where a search found its text. */
export const MATCH: Column<{ match?: SearchMatch | undefined }> = {
  header: 'FOUND',
  value: ({ match }) => match && `${match.before}${match.found}${match.after}`,
  of: 'q',
};

/** The customer of an endpoint or event. */
export const CUSTOMER: Column<{ customerUid: string | null }> = {
  header: 'CUSTOMER',
  value: ({ customerUid }) => customerUid,
  isOptional: true,
  spare: 2,
};

/** A field that is a column of its own; `:1` to `:3` make it spare. */
type Field<T> = (keyof T & string) | `${keyof T & string}:${1 | 2 | 3}`;

const KINDS: Record<string, Column<never>['kind']> = { id: 'id', url: 'url', status: 'state', size: 'size' };

/**
 * Makes columns of fields, and leaves those that are columns as they are. A field is named as in the API, in capitals, and shown
 * by its name: `lastUsedAt` is the time LAST USED.
 */
export function columns<T>(...given: (Field<T> | Column<T>)[]): Column<T>[] {
  return given.map((each) => {
    if (typeof each !== 'string') return each;
    const [name = '', spare] = each.split(':');
    return {
      header: headingOf(name),
      value: (row) => row[name as keyof T] as Cell,
      kind: name.endsWith('At') ? 'time' : KINDS[name],
      ...(spare !== undefined && { spare: Number(spare) }),
    };
  });
}

/** Texts that a list shows: they name the thing, or say what went wrong with it. */
const NAMING = /^(?:name|title|email|url|targetUrl|type|eventType|method|provider|path|error)$/;
/** What a narrow table leaves out first. */
const SPARE: Partial<Record<FieldKind, number>> = { time: 2, number: 1 };

/**
 * Makes the columns of an answer. A list shows its id, names, states, numbers and times. A record shows every field, and those of its
 * objects after the name of each.
 */
export function columnsOf(answer: Answer, isRecord = false): Column<object>[] {
  const id = Object.entries(answer).find(([, kind]) => kind === 'id')?.[0];
  return fieldsOf(answer, [])
    .filter(([path, kind]) => isRecord || (path.length === 1 && isListed(path[0] ?? '', kind, id)))
    .map(([path, kind]) => {
      const name = path.join('.');
      if (name === 'enabled') return ENABLED as Column<object>;
      const spare = isRecord ? undefined : SPARE[kind];
      return {
        header: path.map(headingOf).join(' '),
        value: (row) =>
          cellOf(path.reduce<unknown>((value, key) => (value as Record<string, unknown> | null)?.[key], row)),
        kind: displayOf(path.at(-1) ?? '', kind),
        ...(spare !== undefined && { spare }),
      };
    });
}

function fieldsOf(answer: Answer, before: readonly string[]): [path: string[], kind: FieldKind][] {
  return Object.entries(answer).flatMap(([name, kind]): [string[], FieldKind][] => {
    const path = [...before, name];
    if (typeof kind === 'string') return [[path, kind]];
    if (!isList(kind)) return fieldsOf(kind, path);
    return typeof kind[0] === 'string' ? [[path, 'texts']] : [];
  });
}

const isList = (kind: Answer[string]): kind is readonly [FieldKind | Answer] => Array.isArray(kind);

function isListed(name: string, kind: FieldKind, id: string | undefined): boolean {
  if (kind === 'id') return name === id;
  if (kind === 'text') return NAMING.test(name);
  return kind !== 'json' && kind !== 'texts' && name !== 'updatedAt';
}

function displayOf(name: string, kind: FieldKind): Column<object>['kind'] {
  if (/url$/i.test(name)) return 'url';
  if (/(?:size|bytes)$/i.test(name)) return 'size';
  if (kind === 'number' && name.endsWith('Ms')) return 'duration';
  return ({ id: 'id', time: 'time', choice: 'state' } as const)[kind as 'id'];
}

function cellOf(value: unknown): Cell {
  if (Array.isArray(value) && value.every((each) => typeof each !== 'object')) return value.join(', ');
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as Cell);
}

/** Whether a resource is enabled. */
export const ENABLED: Column<{ enabled: boolean }> = {
  header: 'STATE',
  value: ({ enabled }) => (enabled ? 'enabled' : 'disabled'),
  kind: 'state',
};

/** Returns the text of a cell for a program: nothing is shortened. */
export function plainCell<T>(column: Column<T>, row: T): string {
  return sanitize(String(column.value(row) ?? ''));
}

/** Returns the text of a cell for a person, without color. */
export function readableCell<T>(column: Column<T>, row: T, now: Date): string {
  const value = column.value(row);
  if (value === null || value === undefined || value === '') return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (column.kind === 'time') return formatAge(new Date(String(value)), now);
  if (column.kind === 'size') return formatSize(Number(value));
  return sanitize(column.kind === 'duration' ? `${value} ms` : String(value));
}

/** Colors the text of a cell; `text` may be padded. */
export function paintCell<T>(column: Column<T>, text: string, style: Style): string {
  if (column.kind === 'time') return style.dim(text);
  if (column.kind !== 'state') return text;
  const word = text.trim();
  if (GOOD.test(word)) return style.green(text);
  if (BAD.test(word)) return style.red(text);
  return PENDING.test(word) ? style.yellow(text) : text;
}

const UNITS = [
  ['d', 86_400],
  ['h', 3_600],
  ['m', 60],
  ['s', 1],
] as const;

/** Says how far a time is from now, in its largest unit: "5m ago", "in 2h". Times more than 30 days away are dates. */
export function formatAge(time: Date, now: Date): string {
  const seconds = Math.round((now.getTime() - time.getTime()) / 1000);
  if (Number.isNaN(seconds)) return '-';
  if (Math.abs(seconds) > 30 * 86_400) return time.toISOString().slice(0, 10);
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? ['s', 1];
  const count = Math.floor(Math.abs(seconds) / size);
  if (count === 0) return 'now';
  return seconds > 0 ? `${count}${unit} ago` : `in ${count}${unit}`;
}

/** Returns a number of bytes for a person, such as `1.4 KiB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KiB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
}

/** Formats how long something took: "480 ms", "1.2 s", "3 min". */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 60_000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`;
}
