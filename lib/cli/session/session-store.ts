import { withConfigLock } from '@/lib/cli/config/config-lock';
import { readCredentials, type SessionCredentials, writeCredentials } from '@/lib/cli/config/credentials';
import { EventDeliveryClient, isApiError } from '@/lib/client';
import { notSignedIn } from './not-signed-in';
import { sessionFrom } from './session-from';

/** A token that expires sooner could do so on its way. */
const MARGIN_MS = 20_000;

/** The session of a profile, which all commands of the machine share. */
export class SessionStore {
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
      const next = await this.exchange(session);
      writeCredentials(this.folder, this.profile, next);
      return next.accessToken;
    });
  }

  /** Reads the session. @throws CliError when there is none for this server */
  read(): SessionCredentials {
    const found = readCredentials(this.folder, this.profile);
    if (found?.kind === 'session' && found.url === this.url) return found;
    throw notSignedIn(`You are not signed in to ${this.url}.`);
  }

  /** Not bound to Ctrl-C: between the exchange and the write the next refresh token exists only here. */
  private async exchange(session: SessionCredentials): Promise<SessionCredentials> {
    const client = new EventDeliveryClient({ baseUrl: this.url, maxRetries: 0 });
    try {
      return sessionFrom(this.url, await client.auth.refresh({ refreshToken: session.refreshToken }));
    } catch (error) {
      if (isApiError(error, 'invalid_refresh_token') || isApiError(error, 'refresh_superseded')) {
        throw notSignedIn('Your session has ended.', 'It was closed, or it was not used for too long.');
      }
      throw error;
    }
  }
}

function isFresh({ accessTokenExpiresAt }: SessionCredentials): boolean {
  return accessTokenExpiresAt - MARGIN_MS > Date.now();
}
