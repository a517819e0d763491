import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';

export interface VisitOptions {
  method?: string;
  /** In order; an array keeps repeated headers apart. */
  headers?: Record<string, string | string[]>;
  body?: Buffer | string;
}

/** A complete response of the public address. */
export interface Visited {
  status: number;
  headers: IncomingMessage['headers'];
  rawHeaders: string[];
  body: Buffer;
  /** The code of a problem document; undefined for other responses. */
  code: string | undefined;
}

/** Sends a request and reads the response. @throws Error when the connection breaks off */
export async function visit(url: string | URL, options: VisitOptions = {}): Promise<Visited> {
  const { body, response } = await begin(url, options);
  const bytes = await body();
  const text = bytes.toString('utf8');
  const isProblem = response.headers['content-type'] === 'application/problem+json';
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    rawHeaders: response.rawHeaders,
    body: bytes,
    code: isProblem ? (JSON.parse(text) as { code: string }).code : undefined,
  };
}

/** Sends a request and waits for the head of the response. */
export function begin(
  url: string | URL,
  { method = 'GET', headers = {}, body }: VisitOptions = {},
): Promise<{ request: ClientRequest; response: IncomingMessage; body(): Promise<Buffer> }> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers, agent: false }, (response) =>
      resolve({ request, response, body: () => collect(response) }),
    );
    request.on('error', reject);
    request.end(body);
  });
}

async function collect(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  if (!response.complete) throw new Error('the response is not complete');
  return Buffer.concat(chunks);
}
