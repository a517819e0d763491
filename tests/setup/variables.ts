import { randomBytes } from 'node:crypto';
import { type Config, parseConfig } from '@/lib/platform/config/config';
import { setOnce } from '@/lib/platform/globals';

/** Variables for tests: generated secrets, cheap hashing, no limit on sign-ins, no log. */
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

/** Sets the configuration of this process to the test variables with `overrides`. */
export function setTestConfig(overrides: Record<string, string> = {}): Config {
  const config = parseConfig({ ...testVariables(), ...overrides });
  setOnce('config', config);
  setOnce('log', undefined);
  setOnce('request-log', undefined);
  return config;
}
