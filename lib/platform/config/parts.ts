/** Tells `npm start` that the configuration is bad, so restarting is pointless. The value of EX_CONFIG in sysexits.h. */
export const CONFIGURATION_EXIT_CODE = 78;

/** A process that can run alone. */
export type Part = 'web' | 'worker' | 'retention' | 'migrate';

/** The variables that a part needs to start. `npm start` creates the secrets and passes them on. */
export const REQUIRED_OF = {
  web: ['DATABASE_URL', 'AUTH_SECRET', 'ENCRYPTION_KEY'],
  worker: ['DATABASE_URL', 'ENCRYPTION_KEY'],
  retention: ['DATABASE_URL'],
  migrate: ['DATABASE_URL'],
} as const satisfies Record<Part, readonly string[]>;

const OF_WEB_ALONE = [
  'AUTH_SECRET',
  'IDP_OAUTH_CLIENT_ID',
  'IDP_OAUTH_CLIENT_SECRET',
  'PLATFORM_ADMIN_TOKEN',
  'METRICS_TOKEN',
];

/** They may contain a token of the collector. */
const OF_TRACES = ['OTEL_EXPORTER_OTLP_HEADERS', 'OTEL_EXPORTER_OTLP_TRACES_HEADERS'];

/** Secrets that a part does not use, withheld so that a vulnerability in it cannot reveal them. */
const WITHHELD: Record<Part, readonly string[]> = {
  web: ['MAIL_URL'],
  worker: OF_WEB_ALONE,
  retention: [...OF_WEB_ALONE, 'ENCRYPTION_KEY', 'MAIL_URL', ...OF_TRACES],
  migrate: [...OF_WEB_ALONE, 'ENCRYPTION_KEY', 'MAIL_URL', ...OF_TRACES],
};

/** Returns the environment of a part, without the secrets that it does not use. Web learns only whether emails are sent. */
export function environmentOf<Environment extends NodeJS.ProcessEnv>(part: Part, all: Environment): Environment {
  const kept = { ...all };
  for (const name of WITHHELD[part]) delete kept[name];
  if (part === 'web' && all.MAIL_URL) Object.assign(kept, { MAIL_ENABLED: 'true' });
  return kept;
}
