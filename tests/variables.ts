import { randomBytes } from 'node:crypto';
import { type Config, parseConfig } from '@/lib/platform/config/config';
import { setOnce } from '@/lib/platform/globals';

/** Variables for tests: secrets of their own, cheap hashing, as many sign-ins as it takes, no log. */
export function testVariables(): Record<string, string> {
  return {
    AUTH_SECRET: randomBytes(32).toString('hex'),
    ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    AUTH_BCRYPT_COST: '4',
    AUTH_RATE_LIMIT_LOGIN_PER_MINUTE: '100000',
    AUTH_RATE_LIMIT_REGISTER_PER_MINUTE: '100000',
    LOG_LEVEL: 'silent',
  };
}

/** Makes the test variables, with `overrides`, this process's configuration. */
export function setTestConfig(overrides: Record<string, string> = {}): Config {
  const config = parseConfig({ ...testVariables(), ...overrides });
  setOnce('config', config);
  setOnce('log', undefined);
  return config;
}
