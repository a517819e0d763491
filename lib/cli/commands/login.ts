import { setTimeout as sleep } from 'node:timers/promises';
import type { SignedIn } from '@/lib/auth/schema';
import { withConfigLock } from '@/lib/cli/config/config-lock';
import { type Credentials, proveWritable, writeCredentials } from '@/lib/cli/config/credentials';
import { isUnencrypted, readSettings, serverUrl, writeSettings } from '@/lib/cli/config/settings';
import type { Context } from '@/lib/cli/context';
import { readStdin } from '@/lib/cli/input/read-input';
import { flag, text } from '@/lib/cli/options';
import { openBrowser } from '@/lib/cli/session/open-browser';
import { sessionFrom } from '@/lib/cli/session/session-store';
import { NOT_CLOSED, signOut } from '@/lib/cli/session/sign-out';
import { waitForApproval } from '@/lib/cli/session/wait-for-approval';
import { command } from '@/lib/cli/spec';

export const login = command({
  summary: 'Sign in.',
  details:
    'Shows a URL and a code. Approve the code in a browser, on any machine. With `--with-api-key`, stores a project’s API ' +
    'key from standard input.',
  options: {
    url: text('--url <url>', 'the server’s URL, stored in the profile (`EDS_API_URL`)'),
    browser: flag('--no-browser', 'don’t open a browser'),
    withApiKey: flag('--with-api-key', 'read an API key from standard input'),
  },
  examples: {
    'login --url https://events.example.com': 'Sign in to a server.',
    'login --profile staging --url https://staging.example.com': 'Add a second server as a profile.',
    'login --with-api-key < key.txt': 'Use a project’s API key.',
  },
  run: async (context, { options }) => {
    const url = serverUrl(context.terminal.env, profileOf(context), options.url);
    // Before the person approves anything: a session that cannot be stored would be lost.
    await withConfigLock(context.folder, async () => proveWritable(context.folder));
    if (isUnencrypted(url)) {
      context.out.note(
        'The connection to this server isn’t encrypted. Others on the network could take over your session.',
      );
    }
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
  const own = await check.apiKeys.getOwn();
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
  const { signal } = context;
  return await waitForApproval(codes, {
    exchange: () => client.device.exchange({ deviceCode: codes.deviceCode }, { signal, maxRetries: 0 }),
    sleep: (ms) => sleep(ms, undefined, { signal }),
    now: () => performance.now(),
  });
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

export const logout = command({
  summary: 'Sign out of the profile and close its session.',
  examples: { logout: 'Sign out.' },
  run: async (context) => {
    const { out, profileName } = context;
    const ended = await signOut(context, profileName);
    if (ended === null) return out.done({ profile: profileName, signedOut: false }, 'You weren’t signed in.');
    out.done({ profile: profileName, signedOut: true }, `Signed out of ${ended.url}.`);
    if (!ended.isClosed) out.note(NOT_CLOSED);
  },
});

export const whoami = command({
  operations: ['account.get', 'apiKeys.getOwn'],
  summary: 'Show who is signed in and where.',
  examples: { whoami: 'Show the account, the server and the profile.' },
  run: async ({ out, url, profileName: profile, access, client }) => {
    const place = [
      { header: 'SERVER', value: () => url },
      { header: 'PROFILE', value: () => profile },
    ];
    if (access.kind === 'key') {
      const own = await client.apiKeys.getOwn();
      return out.record({ url, profile, apiKey: own }, [
        ...place,
        { header: 'API KEY', value: () => own.name },
        { header: 'SCOPE', value: () => own.scope },
        { header: 'PROJECT', value: () => own.project.name },
        { header: 'PROJECT ID', value: () => own.project.id },
      ]);
    }
    const { user, organizations } = await client.account.get();
    out.record({ url, profile, user, organizations }, [
      ...place,
      { header: 'EMAIL', value: () => user.email },
      { header: 'NAME', value: () => user.name },
      { header: 'ORGANIZATIONS', value: () => organizations.map(({ name, role }) => `${name} (${role})`).join(', ') },
    ]);
  },
});
