/** What a call sends besides its path. */
interface CallOptions {
  token?: string;
  key?: string;
  body?: object;
}

/** The sessions page names the browser of a sign-in; without it the owner would have signed in from "node". */
const USER_AGENT =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

/** A refusal of the API. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** Calls the API of an instance, as a signed-in person or with a key. */
export class Api {
  constructor(readonly baseUrl: string) {}

  /** Returns the JSON of the response. @throws RefusedError with the code and detail of the problem document */
  async call<T>(method: string, path: string, { token, key, body }: CallOptions = {}): Promise<T> {
    const response = await fetch(`${this.baseUrl}/api/v1${path}`, {
      method,
      headers: {
        'User-Agent': USER_AGENT,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        ...(key === undefined ? {} : { 'X-API-Key': key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = response.status === 204 ? null : await response.json();
    if (response.ok) return answer as T;
    throw new RefusedError(answer.code, `${method} ${path}: ${response.status} ${answer.code}: ${answer.detail}`);
  }
}
