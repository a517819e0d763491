import { Agent, request } from 'undici';
import { checkResponse, flattenHeaders } from './check-response';

export interface AttackRequest {
  token?: string;
  cookie?: string;
  headers?: Record<string, string | string[]>;
  /** Sent as JSON. */
  body?: unknown;
  /** The loopback address to send from, which limits and lockouts see as the client. */
  from?: string;
}

export interface AttackResponse {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  cookies: string[];
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: responses have any shape.
  json: any;
}

let lastAddress = 0;

/** Returns an unused loopback address. */
export function newClientAddress(): string {
  lastAddress += 1;
  return `127.9.${Math.floor(lastAddress / 250)}.${(lastAddress % 250) + 1}`;
}

/**
 * Returns a function that sends requests with any headers, including those a browser does not allow, and checks the
 * responses.
 */
export function createAttacker(baseUrl: string) {
  // `localhost` can resolve to ::1, which cannot be reached from an IPv4 address.
  const origin = baseUrl.replace('localhost', '127.0.0.1');
  return async (method: string, path: string, options: AttackRequest = {}): Promise<AttackResponse> => {
    const { token, cookie, headers = {}, body, from = '127.0.0.1' } = options;
    const dispatcher = new Agent({ localAddress: from });
    const sent = body === undefined ? undefined : JSON.stringify(body);
    const url = `${origin}${path.startsWith('/api') ? '' : '/api/v1'}${path}`;
    const response = await request(url, {
      method: method as 'GET',
      dispatcher,
      headers: {
        ...(sent === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(cookie === undefined ? {} : { cookie }),
        ...headers,
      },
      ...(sent === undefined ? {} : { body: sent }),
    });
    const text = await response.body.text();
    await dispatcher.close();
    checkResponse(method, url, { status: response.statusCode, headers: flattenHeaders(response.headers), text });
    return {
      status: response.statusCode,
      headers: response.headers,
      cookies: [response.headers['set-cookie'] ?? []].flat(),
      text,
      json: /json/.test(String(response.headers['content-type'])) ? JSON.parse(text) : undefined,
    };
  };
}

/** Returns the refresh token cookie of a response as a Cookie header. */
export function cookieOf(response: AttackResponse): string {
  return (
    /^refresh_token=[^;]*/.exec(response.cookies.find((cookie) => cookie.startsWith('refresh_token=')) ?? '')?.[0] ?? ''
  );
}
