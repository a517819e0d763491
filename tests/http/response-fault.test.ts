import { describe, expect, it } from 'vitest';
import { findResponseFault } from './response-fault';

const PATH = '/api/v1/auth/providers';
const CONFLICT = { status: 409, code: 'conflict' };
const PROVIDER = { id: 'idp', name: 'Example' };
const PROBLEM = {
  type: 'https://events.example.com/docs/errors#not_found',
  title: 'Not found',
  status: 404,
  detail: 'There is no such thing.',
  code: 'not_found',
  requestId: '1',
};

const asJson = (status: number, body: unknown, contentType = 'application/json') => ({
  status,
  headers: { 'content-type': contentType },
  text: JSON.stringify(body),
});
const asProblem = (body: unknown) => asJson(404, body, 'application/problem+json');

describe('a response', () => {
  it.each([
    ['that its route declares', 'GET', PATH, asJson(200, { data: [PROVIDER] })],
    ['to a path with a query', 'GET', `${PATH}?a=b`, asJson(200, { data: [] })],
    ['that is a problem', 'GET', PATH, asProblem(PROBLEM)],
    [
      'of the declared media type',
      'GET',
      '/metrics',
      { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, text: '' },
    ],
    ['of a page', 'GET', '/login', asJson(200, { anything: 1 })],
    ['to HEAD', 'HEAD', PATH, { status: 200, headers: {}, text: '' }],
    ['that did not change', 'GET', PATH, { status: 304, headers: {}, text: '' }],
    ['whose body is unknown', 'GET', PATH, { ...asJson(200, {}), text: null }],
  ])('%s has no fault', (_, method, path, response) => {
    expect(findResponseFault(method, path, response)).toBeNull();
  });

  it.each([
    ['with another status', 'GET', PATH, asJson(201, { data: [] }), 'declared is 200'],
    ['with another status and an unknown body', 'GET', PATH, { ...asJson(201, {}), text: null }, 'declared is 200'],
    ['of another media type', 'GET', '/metrics', asJson(200, {}), 'has content type application/json'],
    ['of a path that no route has', 'GET', '/api/v1/nothing', asJson(200, {}), 'declared is no such route'],
    ['of a verb that no route has', 'PUT', PATH, asJson(200, {}), 'declared is no such route'],
    [
      'with a code that no declaration implies',
      'GET',
      PATH,
      asProblem({ ...PROBLEM, ...CONFLICT }),
      'the code conflict',
    ],
    ['without a field', 'GET', PATH, asJson(200, {}), '"path":["data"]'],
    ['without a nested field', 'GET', PATH, asJson(200, { data: [{ id: 'idp' }] }), '"path":["data",0,"name"]'],
    ['with a field of another type', 'GET', PATH, asJson(200, { data: 'idp' }), '"expected":"array"'],
    ['with an undescribed field', 'GET', PATH, asJson(200, { data: [], total: 0 }), 'undescribed: total'],
    [
      'with an undescribed nested field',
      'GET',
      PATH,
      asJson(200, { data: [{ ...PROVIDER, secret: 's' }] }),
      '"path":["data","0"],"message":"undescribed: secret"',
    ],
    ['that is not JSON', 'GET', PATH, { ...asJson(200, {}), text: '<html>' }, 'SyntaxError'],
    ['with a body that did not change', 'GET', PATH, { ...asJson(304, {}) }, 'has a body'],
    ['with an error that is no problem', 'GET', PATH, asJson(404, PROBLEM), 'content type application/json'],
    ['with a problem without its code', 'GET', PATH, asProblem({ ...PROBLEM, code: undefined }), '"path":["code"]'],
    ['with a problem that says more', 'GET', PATH, asProblem({ ...PROBLEM, stack: '' }), 'undescribed: stack'],
  ])('%s has a fault that names the request, the status and the issue', (_, method, path, response, issue) => {
    const fault = findResponseFault(method, path, response);
    expect(fault).toMatch(new RegExp(`^${method} ${path} ${response.status}: `));
    expect(fault).toContain(issue);
  });
});
