import type { AuthOptions } from 'next-auth';
import { setNextAuthUrl } from '@/lib/platform/config/next-auth-url';

type Handler = (request: object, response: RecordedResponse, options: AuthOptions) => Promise<void>;

/** A request to one of next-auth's actions. */
interface NextAuthRequest {
  method: 'GET' | 'POST';
  action: readonly string[];
  query?: Record<string, string>;
  body?: Record<string, string>;
  cookies?: Record<string, string>;
}

/** The response that next-auth would have sent. */
interface NextAuthResponse {
  location: string | null;
  /** Complete Set-Cookie values. */
  cookies: string[];
  body: unknown;
}

/**
 * Calls next-auth through the interface of Next's older API routes, which needs no server. It sees only the given
 * query, cookies and body, and nothing else of the client's request.
 */
export async function callNextAuth(request: NextAuthRequest, options: AuthOptions): Promise<NextAuthResponse> {
  setNextAuthUrl();
  const { method, action, query = {}, body = {}, cookies = {} } = request;
  const response = new RecordedResponse();
  const handler = await loadHandler();
  await handler({ method, query: { ...query, nextauth: action }, body, cookies, headers: {} }, response, options);
  return { location: response.location, cookies: response.cookies, body: response.body };
}

/** Loaded at the first sign-in, so that a deployment without a provider does not load it. */
async function loadHandler(): Promise<Handler> {
  const { default: imported } = await import('next-auth');
  // A CommonJS package: how often its default is wrapped depends on the loader, Node or a bundler.
  const candidate = imported as unknown as Handler | { default: Handler };
  return typeof candidate === 'function' ? candidate : candidate.default;
}

/** The members of a response that next-auth uses. */
class RecordedResponse {
  location: string | null = null;
  cookies: string[] = [];
  body: unknown;

  status(): this {
    return this;
  }

  getHeader(name: string): string[] | undefined {
    return name === 'Set-Cookie' ? this.cookies : undefined;
  }

  setHeader(name: string, value: string | string[]): this {
    if (name === 'Set-Cookie') this.cookies = [value].flat();
    else if (name === 'Location') this.location = String(value);
    return this;
  }

  send(body: unknown): void {
    this.body = body;
  }

  json(body: unknown): void {
    this.body = body;
  }

  end(): void {}
}
