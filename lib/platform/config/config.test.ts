import { describe, expect, it } from 'vitest';
import { ConfigError, parseConfig } from './config';
import { environmentOf, type Part, REQUIRED_OF } from './parts';
import type { Variable } from './variable-types';
import { VARIABLES } from './variables';

function faultsOf(environment: Record<string, string>, required?: readonly (keyof typeof VARIABLES)[]): string[] {
  try {
    parseConfig(environment, required);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults;
  }
}

describe('defaults', () => {
  it('are unset for variables without one', () => {
    const config = parseConfig({});
    for (const name of ['DATABASE_URL', 'AUTH_SECRET', 'PLATFORM_ADMIN_TOKEN', 'MAIL_URL', 'APP_BASE_URL'] as const) {
      expect(config[name], name).toBeUndefined();
    }
  });

  it('apply to empty variables too', () => {
    const empty = Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, '']));
    expect(parseConfig(empty)).toEqual({ ...parseConfig({}), DELIVERY_ALLOWED_CIDRS: [] });
  });
});

/** An invalid value for each variable that can have one. */
const BAD: Partial<Record<keyof typeof VARIABLES, string>> = {
  DATABASE_URL: 'mysql://localhost/app',
  DATABASE_DIRECT_URL: 'mysql://localhost/app',
  PORT: '70000',
  APP_BASE_URL: 'https://example.com/path',
  AUTH_SECRET: 'short',
  ENCRYPTION_KEY: 'bm90IDMyIGJ5dGVz',
  AUTH_PASSWORD_MIN_LENGTH: '7',
  AUTH_BCRYPT_COST: '3',
  AUTH_LOCKOUT_ENABLED: 'yes',
  PARTITION_MAINTENANCE_ENABLED: '1',
  IDP_OAUTH_ISSUER: 'http://idp.example.com',
  PLATFORM_ADMIN_TOKEN: 'short',
  METRICS_TOKEN: 'short',
  MAIL_URL: 'https://mail.example.com',
  MAIL_FROM: 'no address at all',
  API_ALLOWED_ORIGINS: 'https://app.example.com/',
  TRUSTED_PROXIES: 'everybody',
  LOG_LEVEL: 'loud',
  LOG_FORMAT: 'color',
  DELIVERY_RETRY_SECONDS: '5,soon',
  DELIVERY_ALLOWED_CIDRS: '10.0.0.0',
  DATA_RETENTION_CRON: '99 2 * * *',
  DATA_RETENTION_LIMIT_CRON: '* * *',
  DATA_RETENTION_BURST_CLEANUP_CRON: '0 0 30 2 *',
};
const WHOLE_NUMBERS = Object.entries(VARIABLES)
  .filter(([, variable]) => /^\d+$/.test(variable.default))
  .map(([name]) => name);

describe('a bad value', () => {
  const cases = [
    ...Object.entries(BAD),
    ['MAIL_URL', 'smtp://mail,10.0.0.0'],
    ['MAIL_URL', '\u0000smtp://mail'],
    ['PLATFORM_ADMIN_TOKEN', 'é'.repeat(24)],
    ['METRICS_TOKEN', 'пароль-пароль'],
    ...['https://u:p@idp.example', 'https://idp.example/?a', 'https://idp.example/#a'].map((bad) => [
      'IDP_OAUTH_ISSUER',
      bad,
    ]),
    ...WHOLE_NUMBERS.flatMap((name) => ['1.5', '-1', 'many'].map((bad) => [name, bad])),
  ];

  it.each(cases)(
    '%s=%s is one line that names the variable and its default, and not a secret',
    (name = '', bad = '') => {
      const variable = VARIABLES[name as keyof typeof VARIABLES];
      const faults = faultsOf({ [name]: bad });
      expect(faults).toHaveLength(1);
      expect(faults[0]).toMatch(new RegExp(`^${name}: \\S.* \\(default: `));
      expect(faults[0]).toContain(`(default: ${variable.default === '' ? 'unset' : variable.default})`);
      expect(faults[0]).not.toContain('\n');
      if ('secret' in variable) expect(faults[0]).not.toContain(bad);
    },
  );

  it('is more destinations than a replay can forward to', () => {
    expect(faultsOf({ PROJECT_MAX_DESTINATIONS: '1000' })).toEqual([]);
    expect(faultsOf({ PROJECT_MAX_DESTINATIONS: '1001' })).toEqual([
      'PROJECT_MAX_DESTINATIONS: must be at most 1000 (default: 500)',
    ]);
  });

  it('is reported together with all others', () => {
    const faults = faultsOf(BAD as Record<string, string>);
    expect(faults.map((fault) => fault.split(':')[0]).sort()).toEqual(Object.keys(BAD).sort());
  });
});

describe('variables that belong together', () => {
  it('are refused when the longest lockout is shorter than the first', () => {
    expect(faultsOf({ AUTH_LOCKOUT_INITIAL_SECONDS: '1000' })).toEqual([
      expect.stringMatching(/^AUTH_LOCKOUT_MAX_SECONDS: .*AUTH_LOCKOUT_INITIAL_SECONDS/),
    ]);
  });

  it.each([
    { APP_BASE_URL: 'https://app.example', TUNNEL_BASE_URL: 'https://app.example' },
    { APP_BASE_URL: 'https://app.example', TUNNEL_BASE_URL: 'https://APP.example:8443' },
    { TUNNEL_BASE_URL: 'http://localhost:4000' },
  ])('are refused when tunnels share the host name of the dashboard: %j', (environment) => {
    expect(faultsOf(environment as Record<string, string>)).toEqual([
      expect.stringMatching(/^TUNNEL_BASE_URL: .*another host name/),
    ]);
  });

  it('are refused when the portal shares the host name of tunnels, or is served without https', () => {
    const shared = { PORTAL_BASE_URL: 'https://portal.example:8443', TUNNEL_BASE_URL: 'https://portal.example' };
    expect(faultsOf(shared)).toEqual([expect.stringMatching(/^PORTAL_BASE_URL: .*another host name/)]);
    expect(faultsOf({ PORTAL_BASE_URL: 'http://portal.example' })).toEqual([expect.stringMatching(/loopback/)]);
    expect(faultsOf({ PORTAL_BASE_URL: 'https://portal.example/path' })).toEqual([expect.stringMatching(/origin/)]);
    for (const url of ['https://portal.example', 'http://localhost:3000']) {
      expect(faultsOf({ PORTAL_BASE_URL: url })).toEqual([]);
    }
  });

  it('are accepted when tunnels have a host name of their own', () => {
    const environment = { APP_BASE_URL: 'https://app.example', TUNNEL_BASE_URL: 'https://tunnels.example' };
    expect(faultsOf(environment)).toEqual([]);
  });

  it.each([
    [{ IDP_OAUTH_CLIENT_ID: 'id' }, /^IDP_OAUTH_CLIENT_SECRET: /],
    [{ IDP_OAUTH_CLIENT_SECRET: 'secret' }, /^IDP_OAUTH_CLIENT_ID: /],
  ])('are refused when half of an OAuth client is missing', (environment, line) => {
    expect(faultsOf(environment as Record<string, string>)).toEqual([expect.stringMatching(line)]);
  });
});

it('DATABASE_DIRECT_URL is refused without DATABASE_URL, and accepted with it', () => {
  const direct = { DATABASE_DIRECT_URL: 'postgresql://localhost/app' };
  expect(faultsOf(direct)).toEqual(['DATABASE_DIRECT_URL: must be set together with DATABASE_URL (default: unset)']);
  expect(faultsOf({ ...direct, DATABASE_URL: 'postgresql://localhost:6432/app' })).toEqual([]);
});

describe('a part that runs alone', () => {
  it('is refused without its database and secrets, with one line for each', () => {
    expect(faultsOf({}, REQUIRED_OF.web)).toEqual([
      'DATABASE_URL: must be set (default: unset)',
      'AUTH_SECRET: must be set (default: unset)',
      'ENCRYPTION_KEY: must be set (default: unset)',
    ]);
  });

  it('needs no secret that it does not use', () => {
    const database = { DATABASE_URL: 'postgresql://localhost/app' };
    expect(faultsOf(database, REQUIRED_OF.retention)).toEqual([]);
    expect(faultsOf(database, REQUIRED_OF.migrate)).toEqual([]);
    expect(faultsOf(database, REQUIRED_OF.worker)).toEqual(['ENCRYPTION_KEY: must be set (default: unset)']);
  });

  it('gets from npm start no secret that it does not use, and still starts', () => {
    const all = {
      DATABASE_URL: 'postgresql://localhost/app',
      AUTH_SECRET: 'a'.repeat(32),
      ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
      IDP_OAUTH_CLIENT_ID: 'id',
      IDP_OAUTH_CLIENT_SECRET: 'secret',
      PLATFORM_ADMIN_TOKEN: 'o'.repeat(24),
      METRICS_TOKEN: 'm'.repeat(8),
      MAIL_URL: 'smtp://mail.example.com',
      LOG_LEVEL: 'warn',
      NODE_ENV: 'production' as const,
    };
    const namesOf = (part: Part) => {
      const environment = environmentOf(part, all);
      expect(faultsOf(environment as Record<string, string>, REQUIRED_OF[part])).toEqual([]);
      return Object.keys(environment).filter((name) => (VARIABLES as Record<string, Variable<unknown>>)[name]?.secret);
    };
    expect(namesOf('worker')).toEqual(['DATABASE_URL', 'ENCRYPTION_KEY', 'MAIL_URL']);
    expect(namesOf('retention')).toEqual(['DATABASE_URL']);
    expect(namesOf('migrate')).toEqual(['DATABASE_URL']);
    expect(namesOf('web')).not.toContain('MAIL_URL');
    expect(environmentOf('web', all)).toMatchObject({ MAIL_ENABLED: 'true' });
    expect(environmentOf('web', { NODE_ENV: 'production' })).not.toHaveProperty('MAIL_ENABLED');
    expect(environmentOf('retention', all).LOG_LEVEL).toBe('warn');
  });

  it('reports an invalid secret once, and not also as missing', () => {
    const set = { DATABASE_URL: 'postgresql://localhost/app', ENCRYPTION_KEY: Buffer.alloc(32).toString('base64') };
    expect(faultsOf({ ...set, AUTH_SECRET: 'short' }, REQUIRED_OF.web)).toHaveLength(1);
    expect(faultsOf({ ...set, AUTH_SECRET: ' , ' }, REQUIRED_OF.web)).toHaveLength(1);
  });
});

describe('values', () => {
  it('have their types: lists as arrays, switches as booleans, the base URL without a slash', () => {
    const config = parseConfig({
      TRUSTED_PROXIES: ' 10.0.0.1 , 192.168.0.0/16,',
      AUTH_LOCKOUT_ENABLED: 'false',
      APP_BASE_URL: 'https://events.example.com/',
      AUTH_SECRET: `${'a'.repeat(32)}, ${'b'.repeat(40)}`,
    });
    expect(config.TRUSTED_PROXIES).toEqual(['10.0.0.1', '192.168.0.0/16']);
    expect(config.AUTH_LOCKOUT_ENABLED).toBe(false);
    expect(config.baseUrl).toBe('https://events.example.com');
    expect(config.AUTH_SECRET).toEqual(['a'.repeat(32), 'b'.repeat(40)]);
  });

  it('distinguish an empty list of allowed ranges from an unset one', () => {
    expect(parseConfig({ DELIVERY_ALLOWED_CIDRS: '' }).DELIVERY_ALLOWED_CIDRS).toEqual([]);
    expect(parseConfig({}).DELIVERY_ALLOWED_CIDRS).toBeUndefined();
  });
});

describe('a misspelled retention variable prevents the start', () => {
  it.each([
    ['DATA_RETENTION_EVNTS_DAYS', 'DATA_RETENTION_EVENTS_DAYS', '90'],
    ['DATA_RETENTION_ATTEMPT_DAYS', 'DATA_RETENTION_ATTEMPTS_DAYS', '90'],
    ['data_retention_events_days', 'DATA_RETENTION_EVENTS_DAYS', '90'],
    ['DATA_RETENTION_EVENTS_DAYS ', 'DATA_RETENTION_EVENTS_DAYS', '90'],
    ['OUTBOX_DEAD_RETENTION_DAY', 'OUTBOX_DEAD_RETENTION_DAYS', '90'],
    ['PARTITION_MAINTENANCE_ENABLE', 'PARTITION_MAINTENANCE_ENABLED', 'true'],
    ['DATA_RETENSION_EVENTS_DAYS', 'DATA_RETENTION_EVENTS_DAYS', '90'],
    ['DATARETENTION_CRON', 'DATA_RETENTION_CRON', '0 2 * * *'],
    ['PARTITIONS_MAINTENANCE_ENABLED', 'PARTITION_MAINTENANCE_ENABLED', 'true'],
  ])('%s is reported with the similar %s and its default', (name, meant, byDefault) => {
    expect(faultsOf({ [name]: '365' })).toEqual([
      `${name}: is not a variable of this service; did you mean ${meant}? (default: ${byDefault})`,
    ]);
  });

  it.each(['DATA_RETENTION_DAYS', 'DATA_RETENTION_TUNNEL_LOG_DAYS', 'OUTBOX_DEAD_AFTER'])(
    '%s, which resembles no variable, is reported with the names of all in one line',
    (name) => {
      const [fault, ...others] = faultsOf({ [name]: '365' });
      expect(others).toEqual([]);
      expect(fault).toMatch(new RegExp(`^${name}: is not a variable of this service; there are [^\n]*$`));
      for (const known of Object.keys(VARIABLES).filter((known) => /RETENTION|PARTITION/.test(known))) {
        expect(fault).toContain(known);
      }
    },
  );

  it('does not hide other errors', () => {
    expect(faultsOf({ DATA_RETENTION_EVNTS_DAYS: '365', PORT: '70000' })).toHaveLength(2);
  });
});

describe('the start continues', () => {
  it('when every variable is set by its name', () => {
    const set = Object.entries(VARIABLES).filter(([, variable]) => variable.default !== '');
    expect(faultsOf(Object.fromEntries(set.map(([name, variable]) => [name, variable.default])))).toEqual([]);
  });

  it('when such a name is set but empty, which counts as unset', () => {
    expect(faultsOf({ DATA_RETENTION_EVNTS_DAYS: ' ' })).toEqual([]);
  });

  it('when the host ignores the case of names, as Windows does', () => {
    expect(faultsOf({ Data_Retention_Cron: '0 3 * * *', DATA_RETENTION_CRON: '0 3 * * *' })).toEqual([]);
  });

  it.each([
    'DATA_RETENTION_SERVICE_HOST',
    'DATA_RETENTION_SERVICE_PORT',
    'DATA_RETENTION_SERVICE_PORT_HTTP',
    'DATA_RETENTION_PORT',
    'DATA_RETENTION_PORT_80_TCP',
    'DATA_RETENTION_PORT_80_TCP_ADDR',
  ])('when Kubernetes sets %s for a service named data-retention', (name) => {
    expect(faultsOf({ [name]: 'tcp://10.0.0.1:80' })).toEqual([]);
  });

  it.each(['DATA_DIRECTORY', 'RETENTION_DAYS', 'OUTBOX_TABLE', 'PARTITION_COUNT', 'npm_config_data_retention', 'PATH'])(
    'that another program has a variable %s',
    (name) => {
      expect(faultsOf({ [name]: '365' })).toEqual([]);
    },
  );
});
