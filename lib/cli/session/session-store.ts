import { setTimeout as sleep } from 'node:timers/promises';
import type { SignedIn } from '@/lib/auth/schema';
import { CliError, notSignedIn } from '@/lib/cli/cli-error';
import { withConfigLock } from '@/lib/cli/config/config-lock';
import {
  proveWritable,
  readCredentials,
  type SessionCredentials,
  writeCredentials,
} from '@/lib/cli/config/credentials';
import { EventDeliveryClient, isApiError } from '@/lib/client';
import { VERSION } from '@/lib/client/headers';

/** The header of every request. */
export const USER_AGENT = `eds/${VERSION}`;

/** A token that expires sooner could do so on its way. */
const MARGIN_MS = 20_000;
/** How long another machine takes to store what it got for a refresh token. */
const SHARED_HOME_MS = 2_000;
const POLL_MS = 50;

/** The session of a profile, which all commands of the machine share. */
export class SessionStore {
  #email: string | undefined;

  constructor(
    private readonly folder: string,
    private readonly profile: string,
    private readonly url: string,
  ) {}

  /** Returns a valid access token, and refreshes it when it is about to expire. @throws CliError after the session's end */
  async accessToken(): Promise<string> {
    const session = this.read();
    return isFresh(session) ? session.accessToken : await this.refresh(session.accessToken);
  }

  /** Returns an access token that is not `rejected`: the server does not accept that one any more. */
  refresh(rejected: string): Promise<string> {
    return withConfigLock(this.folder, async () => {
      const session = this.read();
      // Another command has refreshed it in the meantime. A refresh token that is used twice ends the session.
      if (session.accessToken !== rejected && isFresh(session)) return session.accessToken;
      return (await this.exchange(session)).accessToken;
    });
  }

  /** Moves the session to another organization of the person. */
  switchOrganization(organizationId: string): Promise<SignedIn> {
    const change = ({ accessToken }: SessionCredentials) =>
      this.client(() => accessToken).account.switchOrganization({ organizationId });
    return withConfigLock(this.folder, async () => {
      const stored = this.read();
      let session = isFresh(stored) ? stored : await this.exchange(stored);
      const signedIn = await change(session).catch(async (error: unknown) => {
        if (!isApiError(error, 'token_expired')) throw error;
        session = await this.exchange(session);
        return await change(session);
      });
      writeCredentials(this.folder, this.profile, sessionFrom(this.url, signedIn, session));
      return signedIn;
    });
  }

  /** Reads the session. @throws CliError when there is none for this server, or somebody else has signed in meanwhile */
  read(): SessionCredentials {
    const found = readCredentials(this.folder, this.profile);
    if (found?.kind !== 'session' || found.url !== this.url) throw notSignedIn(`You aren’t signed in to ${this.url}.`);
    this.#email ??= found.email;
    if (found.email === this.#email) return found;
    throw notSignedIn(`You’re no longer signed in as ${this.#email}.`, `The profile now belongs to ${found.email}.`);
  }

  /** Not bound to Ctrl-C: between the exchange and the write the next refresh token exists only here. */
  private async exchange(session: SessionCredentials): Promise<SessionCredentials> {
    proveWritable(this.folder);
    try {
      const signedIn = await this.client().auth.refresh({ refreshToken: session.refreshToken });
      const next = sessionFrom(this.url, signedIn);
      writeCredentials(this.folder, this.profile, next);
      return next;
    } catch (error) {
      const isSpent = isApiError(error, 'refresh_superseded');
      if (!isSpent && !isApiError(error, 'invalid_refresh_token')) throw error;
      const newer = await this.readNewer(session, isSpent ? SHARED_HOME_MS : 0);
      if (newer !== null) return newer;
      throw notSignedIn('Your session has ended.', 'It was closed, or expired because it wasn’t used.');
    }
  }

  /** The lock does not reach other machines that share the folder over a network: one of them may have been first. */
  private async readNewer(spent: SessionCredentials, waitMs: number): Promise<SessionCredentials | null> {
    for (const deadline = performance.now() + waitMs; ; await sleep(POLL_MS)) {
      const found = this.read();
      if (found.refreshToken !== spent.refreshToken) return found;
      if (performance.now() >= deadline) return null;
    }
  }

  private client(accessToken?: () => string): EventDeliveryClient {
    const headers = { 'User-Agent': USER_AGENT };
    return new EventDeliveryClient({ baseUrl: this.url, maxRetries: 0, headers, ...(accessToken && { accessToken }) });
  }
}

function isFresh({ accessTokenExpiresAt }: SessionCredentials): boolean {
  return accessTokenExpiresAt - MARGIN_MS > Date.now();
}

/**
 * Returns what is stored of a response to a sign-in, a refresh, or a switch of organization, which has no refresh token.
 * @throws CliError for a response that no session can be made of
 */
export function sessionFrom(url: string, signedIn: SignedIn, previous?: SessionCredentials): SessionCredentials {
  const { accessToken, expiresIn, refreshToken = previous?.refreshToken, user, organization } = signedIn;
  if (typeof refreshToken !== 'string' || typeof user?.email !== 'string' || !Number.isFinite(expiresIn)) {
    throw new CliError('The server’s response isn’t a session.', 'unexpected_response', {
      next: 'Check the URL of the server: eds config show',
    });
  }
  return {
    kind: 'session',
    url,
    accessToken,
    accessTokenExpiresAt: Date.now() + expiresIn * 1000,
    refreshToken,
    email: user.email,
    organizationId: organization?.id ?? null,
  };
}
