import { AppError } from '@/lib/platform/errors';

/** No client is connected, or it has disconnected. */
export function offline(detail = 'No client is connected to this tunnel.'): AppError {
  return new AppError('tunnel_offline', detail);
}

export function failed(detail: string): AppError {
  return new AppError('tunnel_failed', detail);
}

export function busy(detail: string): AppError {
  return new AppError('tunnel_busy', detail, { retryAfterSeconds: 1 });
}

export function timedOut(seconds: number): AppError {
  return new AppError('tunnel_timeout', `The local server did not respond within ${seconds} seconds.`);
}

/** The requester disconnected. Only the log shows this error. */
export function hungUp(): AppError {
  return new AppError('invalid_request', 'The connection closed before the response was complete.');
}

/** The rest of the body is never read, so the connection cannot carry another request. */
export function bodyTooLarge(limitBytes: number): AppError {
  const detail = `The body is larger than ${limitBytes / 1024 / 1024} MiB.`;
  return new AppError('payload_too_large', detail, { headers: { Connection: 'close' } });
}

/** Another owner needed the place of this request. */
export function displaced(): AppError {
  return busy('Too many requests are in flight, most of them in tunnels of the same owner.');
}
