import { describe, expect, it } from 'vitest';
import { ConfigError, parseConfig } from './config';
import { VARIABLES } from './variables';

function faultsOf(environment: Record<string, string>): string[] {
  try {
    parseConfig(environment);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.faults;
  }
}

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
    ...['DATA_RETENTION_SERVICE_HOST', 'DATA_RETENTION_SERVICE_PORT', 'DATA_RETENTION_SERVICE_PORT_HTTP'],
    ...['DATA_RETENTION_PORT', 'DATA_RETENTION_PORT_80_TCP', 'DATA_RETENTION_PORT_80_TCP_ADDR'],
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
