import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { anyone } from '@/lib/api/callers';
import { problemCodesOf } from '@/lib/api/openapi/operation';
import { route } from '@/lib/http/route';
import { findUnseenProblems } from './unseen-problems';

const register = route({
  summary: 'Register.',
  caller: anyone(),
  body: z.object({}),
  errors: ['email_taken'],
  response: { status: 204 },
  handler: async () => ({ status: 204 }),
});
const logOut = route({
  summary: 'Log out.',
  caller: anyone(),
  response: { status: 204 },
  handler: async () => ({ status: 204 }),
});
const table = { '/register': { POST: register }, '/logout': { POST: logOut } };
const implied = problemCodesOf('POST', logOut);

describe('the documented problems that no test saw', () => {
  it('are all of them when there was no response', () => {
    const ofAny = implied.map((code) => `any route ${code}`);
    expect(findUnseenProblems(table, new Set())).toEqual(
      expect.arrayContaining([...ofAny, 'POST /register email_taken']),
    );
  });

  it('lack those that another route had, unless only the route declares them', () => {
    const seen = new Set([...implied.map((code) => `POST /logout ${code}`), 'POST /logout email_taken']);
    expect(findUnseenProblems(table, seen)).toEqual(['POST /register email_taken']);
  });

  it('are none when the route itself had them', () => {
    const seen = new Set([...implied.map((code) => `POST /logout ${code}`), 'POST /register email_taken']);
    expect(findUnseenProblems(table, seen)).toEqual([]);
  });
});
