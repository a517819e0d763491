import { describe, expect, it } from 'vitest';
import { explainFailure } from './explain-failure';

const explain = (responseStatus: number | null, error: string | null) => {
  const explained = explainFailure({ responseStatus, error });
  return explained && `${explained.what} ${explained.advice}`;
};

describe('why a request failed', () => {
  it.each([
    [500, 'Answered with status 500', /^Your server answered 500 Internal Server Error\. .*logs/],
    [418, 'Answered with status 418', /^Your server answered 418\. Answer with a status from 200/],
    [401, 'Answered with status 401', /secret of this endpoint/],
    [302, 'Answered with status 302: redirects are not followed', /We don’t follow redirects/],
    [410, 'Answered with status 410', /turned the endpoint off/],
    [200, 'Connection closed before the response was complete', /closed the connection/],
    [null, 'No response within 15 s', /didn’t answer within 15 s\. Answer at once/],
    [null, 'No connection within 5 s', /firewall/],
    [null, 'Connection refused', /Start your server/],
    [null, 'DNS lookup failed: no answer within 4 s', /spelling/],
    [null, 'Host name not found', /spelling/],
    [null, 'Address is not public', /reached from the internet/],
    [null, 'TLS certificate expired', /certificate/],
    [null, 'Response headers are too large', /valid HTTP/],
    [null, 'Host name has more than 64 addresses', /too many addresses/],
    [null, 'Something else', /^Something else\. Check that your server runs/],
  ])('is said in plain words, with what to do: %s, %s', (status, error, expected) => {
    expect(explain(status, error)).toMatch(expected);
  });

  it('is not said of a request that arrived', () => {
    expect(explain(204, null)).toBeNull();
  });
});
