import { setTimeout as sleep } from 'node:timers/promises';
import type { DeviceCodes, SignedIn } from '@/lib/auth/schema';
import { CliError } from '@/lib/cli/cli-error';
import { withConfigLock } from '@/lib/cli/config/config-lock';
import { type Credentials, writeCredentials } from '@/lib/cli/config/credentials';
import { prepareFolder } from '@/lib/cli/config/json-file';
import { readSettings, writeSettings } from '@/lib/cli/config/settings';
import type { Context } from '@/lib/cli/context';
import { EXIT } from '@/lib/cli/exit-codes';
import { readStdin } from '@/lib/cli/input/read-stdin';
import { flag, text } from '@/lib/cli/options';
import { serverUrl } from '@/lib/cli/session/access';
import { openBrowser } from '@/lib/cli/session/open-browser';
import { sessionFrom } from '@/lib/cli/session/session-from';
import { command } from '@/lib/cli/spec';
import { isApiError, NetworkError } from '@/lib/client';

export const login = command({
  name: 'login',
  summary: 'Sign in.',
  details:
    'Shows a URL and a code. Approve the code in a browser, on any machine. With --with-api-key, stores the key of a project ' +
    'that it reads from standard input.',
  options: {
    url: text('--url <url>', 'the server; the profile keeps it (EDS_API_URL)'),
    browser: flag('--no-browser', 'do not open a browser'),
    withApiKey: flag('--with-api-key', 'read an API key from standard input'),
  },
  examples: [
    { line: 'login --url https://events.example.com', does: 'Sign in to a server.' },
    { line: 'login --profile staging --url https://staging.example.com', does: 'Keep a second server as a profile.' },
    { line: 'login --with-api-key < key.txt', does: 'Use the key of a project.' },
  ],
  run: async (context, { options }) => {
    const url = serverUrl(context.terminal.env, profileOf(context), options.url);
    // Before the person approves anything: a session that cannot be stored would be lost.
    prepareFolder(context.folder);
    if (options.withApiKey) return signInWithKey(context, url);
    const signedIn = await signInByDevice(context, url, options.browser);
    await store(context, url, sessionFrom(url, signedIn));
    const { user, organization } = signedIn;
    context.out.done(
      { url, profile: context.profileName, user, organization },
      `Signed in to ${url} as ${user.email}${organization === null ? '' : ` (${organization.name})`}.`,
    );
    if (context.terminal.env.EDS_API_KEY) context.out.note('EDS_API_KEY is set: other commands use that key.');
  },
});

/** A profile that does not exist yet is created. */
function profileOf({ settings, profileName }: Context) {
  return Object.hasOwn(settings.profiles, profileName) ? (settings.profiles[profileName] ?? {}) : {};
}

async function signInWithKey(context: Context, url: string): Promise<void> {
  const apiKey = (await readStdin(context.terminal, 'the key')).trim();
  const check = context.clientFor({ kind: 'key', apiKey }, url);
  const own = await check.apiKeys.getOwn({ signal: context.signal });
  await store(context, url, { kind: 'key', url, apiKey });
  context.out.done(
    { url, profile: context.profileName, apiKey: own },
    `Stored the key “${own.name}” of the project ${own.project.name} on ${url}.`,
  );
}

async function signInByDevice(context: Context, url: string, mayOpenBrowser: boolean): Promise<SignedIn> {
  const client = context.anonymousClient(url);
  const clientName = context.terminal.hostName.slice(0, 100) || 'eds';
  const codes = await client.device.start({ clientName }, { signal: context.signal });
  context.out.note(`Open ${codes.verificationUri} and enter the code ${codes.userCode}`);
  if (mayOpenBrowser) openBrowser(context.terminal, codes.verificationUriComplete);
  context.out.note('Waiting for your approval…');
  return await poll(context, codes, (deviceCode) =>
    client.device.exchange({ deviceCode }, { signal: context.signal, maxRetries: 0 }),
  );
}

/** Polls as RFC 8628 section 3.5 says: at the interval of the server, and 5 s slower after each slow_down. */
async function poll(
  context: Context,
  { deviceCode, interval, expiresIn }: DeviceCodes,
  exchange: (deviceCode: string) => Promise<SignedIn>,
): Promise<SignedIn> {
  const deadline = Date.now() + expiresIn * 1000;
  for (let seconds = interval; Date.now() < deadline; ) {
    await sleep(seconds * 1000, undefined, { signal: context.signal });
    try {
      return await exchange(deviceCode);
    } catch (error) {
      if (isApiError(error, 'slow_down')) seconds += 5;
      else if (isApiError(error, 'rate_limited')) seconds = Math.max(seconds, error.retryAfterSeconds ?? 0);
      else if (!isApiError(error, 'authorization_pending') && !(error instanceof NetworkError)) throw explain(error);
    }
  }
  throw notApproved('The code has expired before it was approved.', 'expired_token');
}

function explain(error: unknown): unknown {
  if (isApiError(error, 'access_denied')) return notApproved('The sign-in was denied in the browser.', error.code);
  if (isApiError(error, 'expired_token'))
    return notApproved('The code has expired before it was approved.', error.code);
  return error;
}

function notApproved(message: string, code: string): CliError {
  return new CliError({ message, code, exitCode: EXIT.notSignedIn, next: 'eds login' });
}

/** Signing in again forgets the project: it may be one of another server or person. */
function store(context: Context, url: string, credentials: Credentials): Promise<void> {
  const { folder, profileName } = context;
  return withConfigLock(folder, async () => {
    const settings = readSettings(folder);
    writeCredentials(folder, profileName, credentials);
    writeSettings(folder, {
      current: context.globals.profile ?? settings.current,
      profiles: { ...settings.profiles, [profileName]: { url } },
    });
  });
}
