import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CryptoKey, decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { type Configuration, Provider } from 'oidc-provider';

export type Claims = Record<string, unknown>;

const KID = 'provider-key';

/** A real identity provider. Tests control its accounts and failures. */
export interface TestProvider {
  issuer: string;
  /** The claims of every account, by subject. */
  accounts: Map<string, Claims>;
  /** Rewrites each ID token before it is sent, if set. */
  rewriteIdToken: ((token: string) => Promise<string>) | undefined;
  /** Whether it closes every connection. */
  isDown: boolean;
  /** Signs claims as the provider does, or with another key. */
  sign(claims: Claims, key?: CryptoKey): Promise<string>;
  /** Registers a client. Before this, every path answers 404. */
  register(client: { id: string; secret: string; redirectUri: string }): void;
  close(): Promise<void>;
}

/** Starts a provider on a free port of 127.0.0.1, which is another site than the product at localhost. */
export async function startProvider(): Promise<TestProvider> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = { ...(await exportJWK(privateKey)), kid: KID, alg: 'RS256', use: 'sig' };
  let serve = (_request: IncomingMessage, response: ServerResponse): unknown => response.writeHead(404).end();
  const server = createServer((request, response) => {
    if (provider.isDown) request.socket.destroy();
    else void serve(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const provider: TestProvider = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    accounts: new Map(),
    rewriteIdToken: undefined,
    isDown: false,
    sign: (claims, key = privateKey) =>
      new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: KID, typ: 'JWT' }).sign(key),
    register: ({ id, secret, redirectUri }) => {
      serve = describeProvider(provider, {
        clients: [{ client_id: id, client_secret: secret, redirect_uris: [redirectUri] }],
        jwks: { keys: [jwk] },
      });
    },
    close: () => closeServer(server),
  };
  return provider;
}

/** Returns a function that changes claims of an ID token and signs it again. */
export function withClaims(provider: TestProvider, changes: Claims): (token: string) => Promise<string> {
  return (token) => provider.sign({ ...decodeJwt(token), ...changes });
}

function describeProvider(provider: TestProvider, given: Configuration) {
  const oidc = new Provider(provider.issuer, {
    ...given,
    // Like Google: the ID token has all claims of the scopes.
    conformIdTokenClaims: false,
    claims: { openid: ['sub', 'hd'], email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['provider'] },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    findAccount: (_ctx, sub) =>
      provider.accounts.has(sub)
        ? { accountId: sub, claims: () => ({ sub, ...provider.accounts.get(sub) }) }
        : undefined,
    // A sign-in includes consent.
    loadExistingGrant: async ({ oidc: { client, session, params } }) => {
      // A second sign-in of the same browser keeps the grant of the first, whose code depends on it.
      const known = client === undefined ? undefined : session?.grantIdFor(client.clientId);
      const present = known === undefined ? undefined : await oidc.Grant.find(known);
      if (present?.accountId === session?.accountId && present !== undefined) return present;
      const grant = new oidc.Grant({ clientId: client?.clientId, accountId: session?.accountId });
      grant.addOIDCScope(String(params?.scope));
      await grant.save();
      return grant;
    },
    ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 60, IdToken: 60 },
  });
  oidc.use(async (ctx, next) => {
    await next();
    const body = ctx.body as { id_token?: string } | undefined;
    if (provider.rewriteIdToken !== undefined && body?.id_token !== undefined) {
      body.id_token = await provider.rewriteIdToken(body.id_token);
    }
  });
  const callback = oidc.callback();
  return async (request: IncomingMessage, response: ServerResponse) => {
    if (!request.url?.startsWith('/interaction/')) return callback(request, response);
    if (request.method === 'GET') return showAccounts(provider, response);
    const sub = new URLSearchParams(await readText(request)).get('sub') ?? '';
    const result = sub === '' ? { error: 'access_denied' } : { login: { accountId: sub } };
    await oidc.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  };
}

function showAccounts(provider: TestProvider, response: ServerResponse): void {
  const buttons = [...provider.accounts].map(
    ([sub, { email }]) => `<button name="sub" value="${sub}">Continue as ${String(email)}</button>`,
  );
  response.writeHead(200, { 'Content-Type': 'text/html' });
  response.end(`<h1>Choose an account</h1><form method="post">${buttons.join('')}<button>Cancel</button></form>`);
}

async function readText(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return text;
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
