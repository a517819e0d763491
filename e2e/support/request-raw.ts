import { request } from 'node:http';
import { checkResponse, flattenHeaders } from './check-response';

export interface RawPathResponse {
  status: number;
  allow: string | undefined;
}

export interface RawPathOptions {
  headers?: Record<string, string | string[]>;
  body?: string;
}

/**
 * Sends a path unchanged, from a connection of its own: a URL parser would resolve its dots. Checks the response.
 * @throws ResponseFault
 */
export function requestRaw(
  baseUrl: string,
  method: string,
  path: string,
  { headers = {}, body }: RawPathOptions,
): Promise<RawPathResponse> {
  const { port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port, method, path, headers, agent: false }, async (response) => {
      const { statusCode: status = 0, headers: received } = response;
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of response) chunks.push(chunk);
        const text = Buffer.concat(chunks).toString();
        checkResponse(method, `${baseUrl}${path}`, { status, headers: flattenHeaders(received), text });
        resolve({ status, allow: received.allow });
      } catch (error) {
        reject(error);
      }
    })
      .on('error', reject)
      .end(body);
  });
}
