import { once, setOnce } from '@/lib/platform/globals';
import { VARIABLES } from './variables';

type Parsed = { readonly [Name in keyof typeof VARIABLES]: (typeof VARIABLES)[Name]['schema']['_zod']['output'] };

/** The configuration of a process: the variables by name, and values derived from several of them. */
export interface Config extends Parsed {
  /** The origin of the dashboard, without a trailing slash. */
  readonly baseUrl: string;
}

/** Invalid variables: one line each, with the variable, the error and the default. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: string[];
  constructor(faults: string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

/**
 * Checks an environment against VARIABLES and reports all errors together, including misspelled names.
 *
 * @param required names without a default that must be set, for a process that runs alone
 * @throws ConfigError
 */
export function parseConfig(
  environment: Record<string, string | undefined>,
  required: readonly (keyof typeof VARIABLES)[] = [],
): Config {
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, variable] of Object.entries(VARIABLES)) {
    const given = environment[name];
    const result = variable.schema.safeParse(inputFor(name, given, variable.default));
    if (result.success) values[name] = result.data;
    else faults.push(faultLine(name, result.error.issues[0]?.message ?? 'is not valid', variable.default));
  }
  for (const name of required) {
    const value = values[name];
    const missing = value === undefined || (Array.isArray(value) && value.length === 0);
    if (missing && !faults.some((fault) => fault.startsWith(`${name}:`))) {
      faults.push(faultLine(name, 'must be set', ''));
    }
  }
  faults.push(...crossFaults(values), ...mistypedFaults(environment));
  if (faults.length > 0) throw new ConfigError(faults);
  const parsed = values as unknown as Parsed;
  return { ...parsed, baseUrl: new URL(parsed.APP_BASE_URL ?? `http://localhost:${parsed.PORT}`).origin };
}

function inputFor(name: string, given: string | undefined, byDefault: string): string | undefined {
  // The only variable where empty and unset differ: empty allows no range, unset depends on APP_BASE_URL.
  if (name === 'DELIVERY_ALLOWED_CIDRS') return given;
  return given === undefined || given.trim() === '' ? byDefault : given.trim();
}

function faultLine(name: string, fault: string, byDefault: string): string {
  return `${name}: ${fault} (default: ${byDefault === '' ? 'unset' : byDefault})`;
}

function crossFaults(values: Record<string, unknown>): string[] {
  const faults: string[] = [];
  if (values.DATABASE_DIRECT_URL !== undefined && values.DATABASE_URL === undefined) {
    faults.push(faultLine('DATABASE_DIRECT_URL', 'must be set together with DATABASE_URL', ''));
  }
  const initial = values.AUTH_LOCKOUT_INITIAL_SECONDS;
  const max = values.AUTH_LOCKOUT_MAX_SECONDS;
  if (typeof initial === 'number' && typeof max === 'number' && initial > max) {
    faults.push(faultLine('AUTH_LOCKOUT_MAX_SECONDS', 'must be at least AUTH_LOCKOUT_INITIAL_SECONDS', '900'));
  }
  const id = values.IDP_OAUTH_CLIENT_ID;
  const secret = values.IDP_OAUTH_CLIENT_SECRET;
  if ((id === undefined) !== (secret === undefined)) {
    const absent = id === undefined ? 'IDP_OAUTH_CLIENT_ID' : 'IDP_OAUTH_CLIENT_SECRET';
    faults.push(faultLine(absent, 'must be set together with the other half of the OAuth client', ''));
  }
  const tunnels = hostOf(values.TUNNEL_BASE_URL);
  const dashboard = hostOf(values.APP_BASE_URL ?? 'http://localhost');
  // Cookies belong to a host name, whatever the port: a tunnel could read and set those of the dashboard.
  if (tunnels !== null && tunnels === dashboard) {
    faults.push(faultLine('TUNNEL_BASE_URL', 'must have another host name than APP_BASE_URL', ''));
  }
  // A page of a tunnel may be framed by whoever made it. That of the portal says who may.
  if (tunnels !== null && tunnels === hostOf(values.PORTAL_BASE_URL)) {
    faults.push(faultLine('PORTAL_BASE_URL', 'must have another host name than TUNNEL_BASE_URL', ''));
  }
  return faults;
}

function hostOf(url: unknown): string | null {
  return typeof url === 'string' ? new URL(url).hostname : null;
}

function mistypedFaults(environment: Record<string, string | undefined>): string[] {
  return findMistypedNames(environment, Object.keys(VARIABLES)).map(({ name, meant }) => {
    const fault = 'is not a variable of this service';
    const only = meant.length === 1 ? (meant[0] as keyof typeof VARIABLES) : null;
    if (only === null) return `${name}: ${fault}; there are ${meant.join(', ')}`;
    return faultLine(name, `${fault}; did you mean ${only}?`, VARIABLES[only].default);
  });
}

/** Returns the configuration of this process, read once from its environment. @throws ConfigError */
export function config(): Config {
  return once('config', () => parseConfig(process.env));
}

/** The environment that says whether a terminal shows colors: NO_COLOR, FORCE_COLOR, TERM. */
export function terminalEnvironment(): NodeJS.ProcessEnv {
  return process.env;
}

/** Reads the environment at the start of a process. Prints errors, one line each, and exits with 1. */
export function loadConfigOrExit(required: readonly (keyof typeof VARIABLES)[]): Config {
  try {
    const loaded = parseConfig(process.env, required);
    setOnce('config', loaded);
    return loaded;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.faults.join('\n')}\n`);
    process.exit(1);
  }
}

/** Variables that decide what is deleted: if a misspelled one were ignored, its default could delete data to be kept. */
const GUARDED = /^(DATA_RETENTION_|OUTBOX_DEAD_|PARTITION_MAINTENANCE_)/;

/** Variables that Kubernetes sets in every container for a service, for example one named data-retention. */
const OF_KUBERNETES = /_(SERVICE_HOST|SERVICE_PORT(_\w+)?|PORT(_\d+_(TCP|UDP|SCTP)(_(ADDR|PORT|PROTO))?)?)$/;

/** The maximum edit distance of a misspelled name. */
const MAX_EDITS = 2;

/** An unknown name, and the variables that may be meant: the similar one, or all guarded ones. */
interface MistypedName {
  name: string;
  meant: string[];
}

/**
 * Finds unknown names that can only be meant for the retention of this service: those with one of its prefixes, and those
 * that differ from a variable by a typo. Other prefixes (`AUTH_`, `MAIL_`, …) are not checked: a host may set them for other
 * programs.
 *
 * @param known the names of all variables
 */
function findMistypedNames(environment: Record<string, string | undefined>, known: readonly string[]): MistypedName[] {
  const guarded = known.filter((name) => GUARDED.test(name));
  return Object.entries(environment).flatMap(([name, value]) => {
    if (known.includes(name) || value === undefined || value.trim() === '') return [];
    const upper = name.toUpperCase();
    // On Windows the environment ignores case, so the variable has already been read.
    if (known.includes(upper) && environment[upper] === value) return [];
    const near = guarded.find((candidate) => isNear(upper, candidate));
    if (near !== undefined) return [{ name, meant: [near] }];
    return GUARDED.test(upper) && !OF_KUBERNETES.test(upper) ? [{ name, meant: guarded }] : [];
  });
}

function isNear(one: string, other: string): boolean {
  return Math.abs(one.length - other.length) <= MAX_EDITS && countEdits(one, other) <= MAX_EDITS;
}

/** The Levenshtein distance, computed row by row. */
function countEdits(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (const [column, wanted] of [...other].entries()) {
      const replaced = (row[column] ?? 0) + (letter === wanted ? 0 : 1);
      next.push(Math.min(replaced, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[other.length] ?? 0;
}

/** Returns the variables of the environment that the resolver of the operating system reads, and nothing secret. */
export function resolverVariables(): NodeJS.ProcessEnv {
  const { NODE_ENV, PATH, SystemRoot, RES_OPTIONS, LOCALDOMAIN, HOSTALIASES, LD_LIBRARY_PATH } = process.env;
  return { NODE_ENV, PATH, SystemRoot, RES_OPTIONS, LOCALDOMAIN, HOSTALIASES, LD_LIBRARY_PATH };
}
