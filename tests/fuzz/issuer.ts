import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll } from 'vitest';
import { config } from '@/lib/platform/config/config';
import { setOnce } from '@/lib/platform/globals';

/** Runs an identity provider for the tests of a file. It answers every request with its discovery document. */
export function useIssuer(): void {
  let server: Server;
  beforeAll(async () => {
    server = createServer((message, response) => {
      const issuer = `http://${message.headers.host}`;
      const document = { issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` };
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ ...document, jwks_uri: `${issuer}/jwks` }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    setOnce('config', { ...config(), IDP_OAUTH_ISSUER: `http://127.0.0.1:${port}` });
  });
  afterAll(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
}
