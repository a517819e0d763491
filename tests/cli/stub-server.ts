import http, { type IncomingHttpHeaders, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach } from 'vitest';

export interface StubRequest {
  verb: string;
  path: string;
  headers: IncomingHttpHeaders;
}

/** A server that answers as a test says, and records what it is asked. */
export interface StubServer {
  url(): string;
  readonly requests: StubRequest[];
  /** Answers the requests to a path; unknown paths get 404. */
  on(path: string, answer: (response: ServerResponse, message: IncomingMessage) => void): void;
  /** As `on`, with a JSON object. */
  onJson(path: string, body: object, status?: number, headers?: Record<string, string>): void;
}

/** Starts a stub server for all tests of a file; each test begins without answers. */
export function useStubServer(): StubServer {
  const requests: StubRequest[] = [];
  const answers = new Map<string, (response: ServerResponse, message: IncomingMessage) => void>();
  let server: Server;
  beforeAll(async () => {
    server = http.createServer((message, response) => {
      const path = new URL(message.url ?? '/', 'http://localhost').pathname;
      requests.push({ verb: message.method ?? '', path, headers: message.headers });
      message.resume();
      const answer = answers.get(path);
      if (answer === undefined) response.writeHead(404).end();
      else answer(response, message);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  beforeEach(() => {
    requests.length = 0;
    answers.clear();
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    on: (path, answer) => void answers.set(path, answer),
    onJson: (path, body, status = 200, headers = {}) =>
      void answers.set(path, (response) =>
        response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body)),
      ),
  };
}
