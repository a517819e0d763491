import { EventDeliveryClient, type ProjectOptions } from '@/lib/client';
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
import { askYesNo } from './input/ask';
import { Output } from './output/output';
import { sanitize } from './output/sanitize';
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

const DEFAULT_ROWS = 20;
const MAX_PAGE = 100;

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
    throw new CliError({
      message: `“${name}” isn’t a valid profile name.`,
      reason: 'Names have up to 64 letters, digits, dots, dashes and underscores.',
      code: 'invalid_profile',
      exitCode: EXIT.usage,
    });
  }

  /** The profile; empty when it does not exist. @throws CliError when a person named one that does not exist */
  get profile(): Profile {
    const name = this.profileName;
    const { profiles } = this.settings;
    if (Object.hasOwn(profiles, name)) return profiles[name] ?? {};
    if (name === DEFAULT_PROFILE || this.terminal.env.EDS_API_KEY) return {};
    throw new CliError({
      message: `There is no profile “${name}”.`,
      code: 'unknown_profile',
      exitCode: EXIT.usage,
      next: `eds login --profile ${name}`,
    });
  }

  /** The URL of the server, without a slash at its end. */
  get url(): string {
    return serverUrl(this.terminal.env, this.profile);
  }

  /** The credentials of the command. @throws CliError when nobody is signed in */
  get access(): Access {
    const { terminal, folder, profileName, url } = this;
    this.#access ??= findAccess({ env: terminal.env, folder, profileName, url });
    return this.#access;
  }

  /** The client of the signed-in person or of the key. @throws CliError when nobody is signed in */
  get client(): EventDeliveryClient {
    this.#client ??= this.clientFor(this.access);
    return this.#client;
  }

  /** The client of the operator of the deployment. @throws CliError without EDS_ADMIN_TOKEN */
  get operator(): EventDeliveryClient {
    const token = this.terminal.env.EDS_ADMIN_TOKEN;
    if (token) return this.clientFor({ kind: 'operator', token: token.trim() });
    throw new CliError({
      ...notSignedIn('This command needs the operator’s token.').fields,
      next: 'Set EDS_ADMIN_TOKEN to the value of PLATFORM_ADMIN_TOKEN on the server.',
    });
  }

  /** Returns a client without credentials. */
  anonymousClient(url = this.url): EventDeliveryClient {
    return new EventDeliveryClient({ baseUrl: url, fetch: this.#fetch, headers: this.#headers });
  }

  /** The project of the command: --project, EDS_PROJECT, the profile's, or the only one. */
  projectId(): Promise<string> {
    this.#projectId ??= chooseProject(this);
    return this.#projectId;
  }

  /** Returns the options of a call in the project of the command. @throws CliError when no project is chosen */
  async projectOptions(): Promise<ProjectOptions & { projectId: string }> {
    return { projectId: await this.projectId(), signal: this.signal };
  }

  /** The organization of the command: --org, EDS_ORG, the profile's, or the one of the session. */
  organizationId(): Promise<string> {
    return chooseOrganization(this);
  }

  /** Asks before a destructive command. @throws CliError when the person declines, or cannot be asked and gave no --yes */
  async confirm(question: string, isConfirmed: boolean): Promise<void> {
    if (isConfirmed) return;
    const asked = sanitize(question);
    const answer = await askYesNo(this.terminal, asked, this.signal);
    if (answer === true) return;
    throw new CliError(
      answer === null
        ? {
            message: `${asked} There’s no terminal to ask on.`,
            code: 'unconfirmed',
            exitCode: EXIT.usage,
            next: 'Add --yes.',
          }
        : { message: 'Nothing was changed.', code: 'declined', exitCode: EXIT.failure },
    );
  }

  /** Returns the rows that a list shows at most; undefined for all of them. */
  rowLimit({ limit, all }: { limit: number | undefined; all: boolean }): number | undefined {
    return all ? undefined : (limit ?? DEFAULT_ROWS);
  }

  /** Returns how many rows a page needs, so that a short list takes one request. One more shows whether there are others. */
  pageSize(paging: { limit: number | undefined; all: boolean }): number {
    return Math.min(MAX_PAGE, (this.rowLimit(paging) ?? MAX_PAGE) + 1);
  }

  /** Returns a client with these credentials. */
  clientFor(access: Access, url = this.url): EventDeliveryClient {
    return this.#clientWith(access, url, this.#fetch);
  }

  /** Returns a client that also gives a copy of each response to a function. */
  clientThatReports(report: (response: Response) => void): EventDeliveryClient {
    return this.#clientWith(this.access, this.url, async (input, init) => {
      const response = await this.#fetch(input, init);
      report(response.clone());
      return response;
    });
  }

  #clientWith(access: Access, url: string, send: typeof fetch): EventDeliveryClient {
    const credentials = credentialsFor(access, send);
    return new EventDeliveryClient({
      baseUrl: url,
      ...credentials,
      headers: { ...this.#headers, ...credentials.headers },
    });
  }

  readonly #fetch: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    const version = response.headers.get('x-eds-version') ?? '';
    if (/^\d[\w.+-]{0,63}$/.test(version)) this.serverVersion = version;
    return response;
  };

  get #headers() {
    return { 'User-Agent': USER_AGENT };
  }
}
