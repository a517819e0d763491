import { describe, expect, it } from 'vitest';
import { ATTEMPT_RESULTS } from '@/lib/delivery/worker-counters';
import { describeFailure, ExchangeError } from '@/lib/platform/net/failure-reason';
import { FAILURE, SUCCESS } from '@/tests/delivery/outcomes';
import { resultLabelOf } from './record-outcomes';

const failed = (responseStatus: number | null, error = `Answered with status ${responseStatus}`) =>
  resultLabelOf({ ...FAILURE, responseStatus, error });
const without = (code: string) => failed(null, describeFailure({ code }));

describe('the result of an attempt', () => {
  it.each([
    [301, 'redirect'],
    [404, 'client_error'],
    [410, 'client_error'],
    [429, 'client_error'],
    [500, 'server_error'],
    [503, 'server_error'],
  ])('is the class of status %i', (status, label) => {
    expect(failed(status)).toBe(label);
  });

  it.each([
    ['ENOTFOUND', 'dns'],
    ['LOOKUP_TIMEOUT', 'dns'],
    ['SEMAPHORE_FULL', 'dns'],
    ['CONNECT_TIMEOUT', 'timed_out'],
    ['ECONNREFUSED', 'connection'],
    ['ECONNRESET', 'connection'],
    ['EHOSTUNREACH', 'connection'],
    ['CERT_HAS_EXPIRED', 'tls'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls'],
    ['UND_ERR_RESPONSE', 'invalid_response'],
    ['SOMETHING_NEW', 'connection'],
  ])('is the class of error %s without a status', (code, label) => {
    expect(without(code)).toBe(label);
  });

  it('is a success, a timeout after the head, a cut response, a refused address, or nothing sent', () => {
    expect(resultLabelOf(SUCCESS)).toBe('succeeded');
    expect(failed(200, describeFailure(new ExchangeError('RESPONSE_TIMEOUT')))).toBe('timed_out');
    expect(failed(200, 'Connection closed before the response was complete')).toBe('connection');
    expect(failed(null, describeFailure(new ExchangeError('ADDRESS_REFUSED')))).toBe('address_refused');
    expect(resultLabelOf({ ...FAILURE, responseStatus: null, requestParts: null })).toBe('not_sent');
  });

  it('is always one of those that start at 0, so a rate misses none', () => {
    for (const status of [null, 100, 200, 302, 418, 599]) expect(ATTEMPT_RESULTS).toContain(failed(status));
  });
});
