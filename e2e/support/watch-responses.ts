import type { BrowserContext, Request } from '@playwright/test';
import { checkResponse, ResponseFault } from './check-response';

/** What the browser says of a body that it dropped: its page navigated away or closed, or the response is a redirect. */
const BODY_GONE =
  /No (?:resource|data found for resource) with given identifier|has been closed|unavailable for redirect responses/;

/** Checks the responses of the API that the pages of browser contexts receive. */
export class ResponseWatch {
  readonly #pending = new Set<Promise<void>>();
  readonly #faults = new Set<string>();

  /** Checks what the pages of a context receive from now on. */
  watch(context: BrowserContext): BrowserContext {
    context.on('requestfinished', (request) => {
      if (!new URL(request.url()).pathname.startsWith('/api/v1/')) return;
      const checking = this.#check(request).finally(() => this.#pending.delete(checking));
      this.#pending.add(checking);
    });
    return context;
  }

  /** Resolves when the responses received so far are checked. */
  async settle(): Promise<void> {
    await Promise.all(this.#pending);
  }

  /** Returns the faults found since the last call, each once. */
  takeFaults(): string[] {
    const faults = [...this.#faults];
    this.#faults.clear();
    return faults;
  }

  async #check(request: Request): Promise<void> {
    try {
      const response = await request.response().catch(unlessGone);
      if (response === null) return;
      const status = response.status();
      // The browser reads the body of a 304 from its cache.
      const text = status === 304 ? null : await response.text().catch(unlessGone);
      checkResponse(request.method(), request.url(), { status, headers: response.headers(), text });
    } catch (error) {
      this.#faults.add(error instanceof ResponseFault ? error.message : `${request.url()}: ${error}`);
    }
  }
}

function unlessGone(error: unknown): null {
  if (BODY_GONE.test(String(error))) return null;
  throw error;
}
