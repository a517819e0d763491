import { usageError } from './cli-error';
import type { OptionSpec, Values } from './spec';

const DURATION = /^(\d{1,6})(s|m|h|d)$/;
const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** An option that is given or not. With flags of `--no-…` it is true unless given. */
export function flag(flags: string, description: string): OptionSpec<boolean> {
  return { flags, description, kind: 'flag', parse: () => true, fallback: flags.includes('--no-') };
}

/** An option with a value. @param parse throws Error with a message that completes "must …"; null is none of the choices */
function valued<T>(
  flags: string,
  description: string,
  parse: OptionSpec<T>['parse'],
  choices?: readonly string[],
): OptionSpec<T | undefined> {
  return { flags, description, kind: 'value', parse, ...(choices && { choices }) };
}

export function text(flags: string, description: string): OptionSpec<string | undefined> {
  return valued(flags, description, (value) => value);
}

/** An option that may be repeated. */
export function texts(flags: string, description: string): OptionSpec<string[]> {
  return { flags, description, kind: 'values', parse: (value) => [value], fallback: [] };
}

/** An option of which one word can be chosen, in any case and with dashes for underscores. */
export function choice<const C extends string>(flags: string, description: string, choices: readonly C[]) {
  const spell = (value: string) => value.toLowerCase().replaceAll('-', '_');
  const parse = (value: string) => choices.find((each) => spell(each) === spell(value)) ?? null;
  return valued<C>(flags, description, parse, choices);
}

export function integer(flags: string, description: string, min: number, max: number): OptionSpec<number | undefined> {
  return valued(flags, description, (value) => {
    const number = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
    if (!(number >= min && number <= max)) throw new Error(`be a whole number from ${min} to ${max}`);
    return number;
  });
}

/** Returns the milliseconds of a duration such as `2h`; null when it is none. */
function parseDuration(text: string): number | null {
  const [, count, unit] = DURATION.exec(text) ?? [];
  return count === undefined ? null : Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
}

/** A duration in milliseconds. */
export function duration(flags: string, description: string): OptionSpec<number | undefined> {
  return valued(flags, description, (value) => {
    const ms = parseDuration(value);
    if (ms === null) throw new Error('be a duration such as 30s, 15m, 2h or 7d');
    return ms;
  });
}

/** Returns the whole hours of a duration in milliseconds. @param option such as `--grace-period` @throws CliError when they are not whole */
export function wholeHours(option: string, ms: number | undefined): number | undefined {
  const hours = ms === undefined ? undefined : ms / UNIT_MS.h;
  if (hours === undefined || Number.isInteger(hours)) return hours;
  throw usageError(`${option} must be whole hours.`, 'Give it as 1h, 24h or 7d.');
}

const TIMES = '(a time such as `2026-01-31T12:00:00Z`, or an age such as `30m`, `2h` or `7d`)';

/** A point in time: RFC 3339, a date, or an age such as `2h`. */
export function time(flags: string, description: string): OptionSpec<Date | undefined> {
  return valued(flags, `${description} ${TIMES}`, (value) => {
    const agoMs = parseDuration(value);
    if (agoMs !== null) return new Date(Date.now() - agoMs);
    const date = /^\d{4}-\d{2}-\d{2}/.test(value) ? new Date(value) : new Date(Number.NaN);
    if (Number.isNaN(date.getTime())) throw new Error('be a time such as 2026-01-31T12:00:00Z, or an age such as 2h');
    return date;
  });
}

/** Confirms a destructive command. */
export const yes = flag('-y, --yes', 'don’t ask for confirmation');

/** The options of every list. */
export const paging = {
  limit: integer('-n, --limit <number>', 'show this many rows (default 20)', 1, 100_000),
  all: flag('-a, --all', 'show all rows'),
};

const DEFAULT_ROWS = 20;
const MAX_PAGE = 100;

/** Returns the rows that a list shows at most; undefined for all of them. */
export function rowLimit({ limit, all }: Values<typeof paging>): number | undefined {
  return all ? undefined : (limit ?? DEFAULT_ROWS);
}

/** Returns how many rows a page needs, so that a short list takes one request. One more shows whether there are others. */
export function pageSize(shown: Values<typeof paging>): number {
  return Math.min(MAX_PAGE, (rowLimit(shown) ?? MAX_PAGE) + 1);
}

/** The options that enable or disable a resource. */
export const enabling = { enable: flag('--enable', 'enable it'), disable: flag('--disable', 'disable it') };

/** The options that pause or resume an endpoint or a destination. Those of other resources work too: scripts use them. */
export const pausing = {
  pause: flag('--pause', 'pause it'),
  resume: flag('--resume', 'resume it'),
  enable: hidden(enabling.enable),
  disable: hidden(enabling.disable),
};

/** Returns the option that works, but that the help does not show. */
export function hidden<T>(option: OptionSpec<T>): OptionSpec<T> {
  return { ...option, isHidden: true };
}

type Switches = Partial<Values<typeof pausing>>;

/** Returns what --enable and --resume, or --disable and --pause change; undefined without them. @throws CliError for both */
export function enabledOf({ enable, resume, disable, pause }: Switches): boolean | undefined {
  const [isOn, isOff] = [enable || resume, disable || pause];
  if (isOn && isOff) {
    const names = pause === undefined ? '--enable or --disable' : '--pause or --resume';
    throw usageError(`Give ${names}, not both.`);
  }
  return isOn || isOff ? Boolean(isOn) : undefined;
}

/** @throws CliError when the options of an update name nothing to change */
export function requireChange(change: Record<string, unknown>): void {
  if (Object.values(change).some((value) => value !== undefined)) return;
  throw usageError('Name what to change.', 'Add --help to see the options.');
}

/** An option with a list of whole numbers. */
export function integers(flags: string, description: string): OptionSpec<number[] | undefined> {
  return valued(flags, description, (list) => {
    const parts = list.split(/[\s,]+/).filter((part) => part !== '');
    if (parts.every((part) => /^\d{1,9}$/.test(part))) return parts.map(Number);
    throw new Error('be whole numbers, such as 5,60,3600');
  });
}

/** The options that every command has. */
export const GLOBAL_OPTIONS: readonly Omit<OptionSpec<unknown>, 'parse'>[] = [
  flag('--json', 'write JSON to standard output'),
  { ...text('--profile <name>', 'use this profile (`EDS_PROFILE`)'), completes: 'profile' },
  text('--project <id|name>', 'use this project (`EDS_PROJECT`)'),
  text('--org <id|name>', 'use this organization (`EDS_ORG`)'),
  flag('--no-color', 'disable color (`NO_COLOR`)'),
];

/** The variables that commands read. */
export const ENVIRONMENT = [
  { name: 'EDS_API_URL', meaning: 'URL of the server (default: the profile’s, or `http://localhost:3000`)' },
  { name: 'EDS_API_KEY', meaning: 'API key of a project, used instead of your session' },
  { name: 'EDS_PROFILE', meaning: 'profile to use' },
  { name: 'EDS_PROJECT', meaning: 'ID or name of the project' },
  { name: 'EDS_ORG', meaning: 'ID or name of the organization' },
  { name: 'EDS_CONFIG_DIR', meaning: 'folder for profiles and credentials (default: `~/.config/eds`)' },
  { name: 'EDS_ADMIN_TOKEN', meaning: 'operator token, for `eds admin`' },
  { name: 'SVIX_TOKEN, CONVOY_API_KEY', meaning: 'token of the other service, for `eds import`' },
  { name: 'NO_COLOR, FORCE_COLOR', meaning: 'turn colors off or on (default: only on a terminal)' },
] as const;

/** What each exit code means, for scripts. */
export const EXIT_MEANINGS = [
  { code: 0, meaning: 'success' },
  { code: 1, meaning: 'failure' },
  { code: 2, meaning: 'invalid usage' },
  { code: 3, meaning: 'not found' },
  { code: 4, meaning: 'not signed in' },
  { code: 5, meaning: 'forbidden' },
  { code: 6, meaning: 'rate limited' },
  { code: 7, meaning: 'server unreachable' },
  { code: 130, meaning: 'interrupted' },
] as const;
