import { createInterface } from 'node:readline';
import type { EventDeliveryClient } from '@/lib/client';
import type { AnyOptions, Api, RequestParts } from '@/lib/client/api';
import { createResources } from '@/lib/client/generated/resources';
import { ListRequest } from '@/lib/client/list-request';
import { createTransport } from '@/lib/client/transport';
import { sanitize } from '@/lib/platform/terminal/sanitize';
import { CliError, EXIT, notSignedIn } from './cli-error';
import {
  configFolder,
  DEFAULT_PROFILE,
  PROFILE_NAME,
  type Profile,
  readSettings,
  type Settings,
  serverUrl,
} from './config/settings';
import { Output } from './output/output';
import { type Access, credentialsFor, findAccess } from './session/access';
import { chooseOrganization, chooseProject } from './session/choose';
import { USER_AGENT } from './session/session-store';
import type { Terminal } from './terminal';

/** The options that every command has. */
export interface GlobalOptions {
  json: boolean;
  profile: string | undefined;
  project: string | undefined;
  org: string | undefined;
}

/** What a command works with. */
export class Context {
  readonly out: Output;
  /** The folder of the configuration. */
  readonly folder: string;
  #settings: Settings | undefined;
  #access: Access | undefined;
  #client: EventDeliveryClient | undefined;
  #projectId: Promise<string> | undefined;
  /** The version of the server; null before its first response. */
  serverVersion: string | null = null;

  constructor(
    readonly terminal: Terminal,
    readonly globals: GlobalOptions,
    /** Aborts on Ctrl-C. */
    readonly signal: AbortSignal,
  ) {
    this.out = new Output(terminal, globals.json);
    this.folder = configFolder(terminal.env, terminal.platform);
  }

  get settings(): Settings {
    this.#settings ??= readSettings(this.folder);
    return this.#settings;
  }

  /** The name of the profile: --profile, EDS_PROFILE, or the current one. */
  get profileName(): string {
    const name = this.globals.profile ?? (this.terminal.env.EDS_PROFILE || this.settings.current);
    if (PROFILE_NAME.test(name)) return name;
    throw new CliError(`“${name}” isn’t a valid profile name.`, 'invalid_profile', {
      reason: 'Names have up to 64 letters, digits, dots, dashes and underscores.',
      exitCode: EXIT.usage,
    });
  }

  /** The profile; empty when it does not exist. @throws CliError when a person named one that does not exist */
  get profile(): Profile {
    const name = this.profileName;
    const { profiles } = this.settings;
    if (Object.hasOwn(profiles, name)) return profiles[name] ?? {};
    if (name === DEFAULT_PROFILE || this.terminal.env.EDS_API_KEY) return {};
    throw new CliError(`There is no profile “${name}”.`, 'unknown_profile', {
      exitCode: EXIT.usage,
      next: `eds login --profile ${name}`,
    });
  }

  /** The URL of the server, without a slash at its end. */
  get url(): string {
    return serverUrl(this.terminal.env, this.profile);
  }

  /** Whether a person or the environment named a server. */
  get hasChosenUrl(): boolean {
    return Boolean(this.terminal.env.EDS_API_URL || this.profile.url);
  }

  /** The credentials of the command. @throws CliError when nobody is signed in */
  get access(): Access {
    const { terminal, folder, profileName, url } = this;
    this.#access ??= findAccess({ env: terminal.env, folder, profileName, url });
    return this.#access;
  }

  /**
   * The client of the signed-in person or of the key. Its calls end at Ctrl-C, and use the project of the command.
   * @throws CliError when nobody is signed in
   */
  get client(): EventDeliveryClient {
    this.#client ??= this.clientFor(this.access);
    return this.#client;
  }

  /** As `client`, for calls that must not end at Ctrl-C, such as those that clean up after it. */
  get cleanupClient(): EventDeliveryClient {
    return this.#clientWith(this.access, this.#fetch, undefined);
  }

  /** The client of the operator of the deployment. @throws CliError without EDS_ADMIN_TOKEN */
  get operator(): EventDeliveryClient {
    return this.clientFor(this.#operatorAccess);
  }

  /** The project of the command: --project, EDS_PROJECT, the profile's, or the only one. */
  projectId(): Promise<string> {
    this.#projectId ??= chooseProject(this);
    return this.#projectId;
  }

  /** The organization of the command: --org, EDS_ORG, the profile's, or the one of the session. */
  organizationId(): Promise<string> {
    return chooseOrganization(this);
  }

  /** Returns a context for another project or organization than --project and --org name, by ID or name. */
  choosing(change: { project?: string; org?: string }): Context {
    return new Context(this.terminal, { ...this.globals, ...change }, this.signal);
  }

  /** Asks before a destructive command. @throws CliError when the person declines, or cannot be asked and gave no --yes */
  async confirm(question: string, isConfirmed: boolean): Promise<void> {
    if (isConfirmed) return;
    const asked = sanitize(question);
    const answer = await askYesNo(this.terminal, asked, this.signal);
    if (answer === true) return;
    if (answer === false) throw new CliError('Nothing was changed.', 'declined');
    const fields = { exitCode: EXIT.usage, next: 'Add --yes.' };
    throw new CliError(`${asked} There’s no terminal to ask on.`, 'unconfirmed', fields);
  }

  /** Returns a client with these credentials, as `client`. */
  clientFor(access: Access, url = this.url): EventDeliveryClient {
    return this.#clientWith(access, this.#fetch, this.signal, url);
  }

  /** Returns a client without credentials, as `cleanupClient`. */
  anonymousClient(url = this.url): EventDeliveryClient {
    return this.#clientWith(null, this.#fetch, undefined, url);
  }

  /** Returns a client that also gives a copy of each response to a function. */
  clientThatReports(report: (response: Response) => void): EventDeliveryClient {
    const send: typeof fetch = async (input, init) => {
      const response = await this.#fetch(input, init);
      report(response.clone());
      return response;
    };
    return this.#clientWith(this.access, send, this.signal);
  }

  /** What the methods of `client` call, or those of `operator`. */
  api(caller: 'person' | 'operator'): Api {
    return this.#apiWith(caller === 'operator' ? this.#operatorAccess : this.access, this.#fetch, this.signal);
  }

  get #operatorAccess(): Access {
    const token = this.terminal.env.EDS_ADMIN_TOKEN;
    if (token) return { kind: 'operator', token: token.trim() };
    const next = 'Set EDS_ADMIN_TOKEN to the value of PLATFORM_ADMIN_TOKEN on the server.';
    throw notSignedIn('This command needs the operator’s token.', undefined, next);
  }

  #clientWith(access: Access | null, send: typeof fetch, signal: AbortSignal | undefined, url = this.url) {
    return createResources(this.#apiWith(access, send, signal, url));
  }

  #apiWith(access: Access | null, send: typeof fetch, signal: AbortSignal | undefined, url = this.url): Api {
    const credentials = access === null ? { fetch: send } : credentialsFor(access, send);
    const headers = { 'User-Agent': USER_AGENT, ...credentials.headers };
    const api = createTransport({ baseUrl: url, ...credentials, headers });
    return bindApi(api, signal, () => this.projectId());
  }

  readonly #fetch: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    const version = response.headers.get('x-eds-version') ?? '';
    if (/^\d[\w.+-]{0,63}$/.test(version)) this.serverVersion = version;
    return response;
  };
}

/**
 * Returns an API whose calls end with a signal and know the project of the command, so that commands need not pass them on.
 * @param projectId called when a path needs a project and the call names none
 */
function bindApi(api: Api, signal: AbortSignal | undefined, projectId: () => Promise<string>): Api {
  const complete = async (path: string, parts: RequestParts<string> = {}, options: AnyOptions = {}) => {
    const needsProject = path.includes('{projectId}') && (parts.ids?.projectId ?? options.projectId) === undefined;
    return { signal, ...options, ...(needsProject && { projectId: await projectId() }) };
  };
  return {
    call: async (verb, path, parts, options) => await api.call(verb, path, parts, await complete(path, parts, options)),
    run: async (verb, path, parts, options) => await api.run(verb, path, parts, await complete(path, parts, options)),
    download: async (path, parts, options) => await api.download(path, parts, await complete(path, parts, options)),
    list: (path, parts, options) =>
      new ListRequest(async (cursor) => {
        const query = { ...parts?.query, ...(cursor !== undefined && { cursor }) };
        return await api.list(path, { ...parts, query } as typeof parts, await complete(path, parts, options));
      }),
  };
}

/**
 * Asks a question whose default is no; the end of the input (Ctrl-D) is a no too.
 * @returns null without a terminal: nobody would see it
 */
async function askYesNo(terminal: Terminal, question: string, signal: AbortSignal): Promise<boolean | null> {
  const { stdin, stderr } = terminal;
  if (!stdin.isTTY || !stderr.isTTY) return null;
  // Not as a terminal: readline would take Ctrl-C away from the process.
  const lines = createInterface({ input: stdin, terminal: false });
  stderr.write(`${question} [y/N] `);
  try {
    return /^y(es)?$/i.test((await firstLine(lines, signal)).trim());
  } finally {
    lines.close();
    stdin.pause();
  }
}

function firstLine(lines: ReturnType<typeof createInterface>, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    lines.once('line', resolve);
    lines.once('close', () => resolve(''));
  });
}
