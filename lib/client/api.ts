import type { ListRequest } from './list-request';
import type { CallOptions } from './options';
import type { IdsOf, Verb } from './path';

/** The parts of a request that differ from call to call. */
export interface RequestParts<P extends string> {
  ids?: IdsOf<P>;
  query?: object | undefined;
  body?: object | undefined;
  /** Text fields that the response must have. */
  needs?: readonly string[];
  /** The request has no credential. Getting an access token must not need an access token. */
  isAnonymous?: true;
  /** Makes the request repeatable. Undefined: the transport generates one. */
  idempotencyKey?: string | undefined;
  /** The request has an idempotency key. */
  isRepeatable?: true;
}

/** Options as a method receives them; a method without a project in its path ignores `projectId`. */
export type AnyOptions = CallOptions & { projectId?: string };

/** What the methods of resources are built on. Tests replace it to compare the methods with the routes of the server. */
export interface Api {
  /** Sends a request whose response is a JSON object. */
  call<T extends object, const P extends string>(
    verb: Verb,
    path: P,
    parts?: RequestParts<P>,
    options?: AnyOptions,
  ): Promise<T>;
  /** Sends a request whose response has no body. */
  run<const P extends string>(verb: Verb, path: P, parts?: RequestParts<P>, options?: AnyOptions): Promise<void>;
  /** Gets a list page by page. */
  list<T, const P extends string>(path: P, parts?: RequestParts<P>, options?: AnyOptions): ListRequest<T>;
  /** Gets a body without parsing it. */
  download<const P extends string>(path: P, parts?: RequestParts<P>, options?: AnyOptions): Promise<Response>;
}
