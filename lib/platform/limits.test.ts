import { afterEach, describe, expect, it } from 'vitest';
import { setTestConfig } from '@/tests/setup/variables';
import { isAppError } from './errors';
import { setOnce } from './globals';
import { type LimitVariable, refuseBeyondLimit } from './limits';

afterEach(() => setOnce('config', undefined));

function refusal(variable: LimitVariable, count: number, overrides: Record<string, string> = {}) {
  setTestConfig(overrides);
  try {
    refuseBeyondLimit(variable, count);
  } catch (error) {
    if (isAppError(error)) return { code: error.code, status: error.status, detail: error.message };
    throw error;
  }
  return null;
}

describe('a limit', () => {
  it('allows one up to the limit, and refuses the next', () => {
    expect(refusal('PROJECT_MAX_ENDPOINTS', 999)).toBeNull();
    expect(refusal('PROJECT_MAX_ENDPOINTS', 1000)).toEqual({
      code: 'limit_reached',
      status: 409,
      detail:
        'This project has 1,000 endpoints, the most it may have (PROJECT_MAX_ENDPOINTS). ' +
        'Delete one, or ask the operator to raise the limit.',
    });
  });

  it('says how many to remove when it was lowered below the count', () => {
    expect(refusal('PROJECT_MAX_ENDPOINTS', 1200)?.detail).toBe(
      'This project has 1,200 endpoints, more than the 1,000 it may have (PROJECT_MAX_ENDPOINTS). ' +
        'Delete 201, or ask the operator to raise the limit.',
    );
  });

  it('uses the singular for a limit of one', () => {
    expect(refusal('PROJECT_MAX_API_KEYS', 1, { PROJECT_MAX_API_KEYS: '1' })?.detail).toBe(
      'This project has 1 active API key, the most it may have (PROJECT_MAX_API_KEYS). ' +
        'Revoke one, or ask the operator to raise the limit.',
    );
  });

  it.each([
    ['PROJECT_MAX_SUBSCRIPTIONS', 5000, 'This project has 5,000 subscriptions, the most it may have'],
    ['PROJECT_MAX_API_KEYS', 100, 'This project has 100 active API keys, the most it may have'],
    ['ORGANIZATION_MAX_PROJECTS', 100, 'This organization has 100 projects, the most it may have'],
    [
      'ORGANIZATION_MAX_MEMBERS',
      1000,
      'This organization has 1,000 members and pending invitations, the most it may have',
    ],
    ['USER_MAX_ORGANIZATIONS', 20, 'You own 20 organizations, the most you may own'],
  ] as const)('%s is %i unless the environment says otherwise', (variable, byDefault, begins) => {
    expect(refusal(variable, byDefault - 1)).toBeNull();
    expect(refusal(variable, byDefault)?.detail).toContain(`${begins} (${variable}). `);
  });
});
