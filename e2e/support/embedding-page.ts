import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { callApi, type Workspace } from './api';

/** A page of a company's own product, at an origin of its own. */
export interface EmbeddingPage {
  origin: string;
  /** What it consists of, at each path. */
  html: string;
  close(): Promise<void>;
}

/** Starts a server of a company on a free port of this machine. @param files further answers, by path */
export async function startEmbeddingPage(files: Record<string, string> = {}): Promise<EmbeddingPage> {
  const server = createServer((request, response) => {
    const file = files[request.url ?? ''];
    const type = file === undefined ? 'text/html; charset=utf-8' : 'text/javascript';
    response.writeHead(200, { 'Content-Type': type }).end(file ?? page.html);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const page: EmbeddingPage = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    html: '',
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
  return page;
}

/** Makes a customer with a portal that these origins may frame. @returns what makes links to it */
export async function makePortal({ projectId, token, key }: Workspace, allowedOrigins: string[]) {
  await callApi('PATCH', `/projects/${projectId}`, { token, body: { portal: { name: 'Acme', allowedOrigins } } });
  await callApi('POST', `/projects/${projectId}/customers`, { key, body: { uid: 'cus_1', name: 'Globex' } });
  const path = `/projects/${projectId}/customers/cus_1/portal-links`;
  return async (body: object = {}) => (await callApi<{ url: string }>('POST', path, { key, body })).url;
}
