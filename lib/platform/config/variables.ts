import * as z from 'zod';
import { IS_CELL_NAME } from '@/lib/platform/cells/current-cell';
import { findAddressFault, findCidrFault } from './address-fault';
import { findDatabaseUrlFault } from './database-url';
import {
  boolean,
  cron,
  days,
  define,
  integer,
  isLoopbackHost,
  isOrigin,
  limit,
  list,
  mailbox,
  optional,
  refuseWith,
  share,
  smtpUrl,
  url,
  type Variable,
} from './variable-types';

/** The highest PROJECT_MAX_DESTINATIONS: one statement of a replay reads all destinations of a source. */
export const MAX_DESTINATIONS = 1_000;

const baseUrl = url(/^https?:$/).refine(
  (text) => URL.canParse(text) && new URL(text).pathname === '/' && new URL(text).search === '',
  'must be an origin without a path',
);

const PLAIN_HTTP = 'plain http is for loopback only';
const isSecure = (text: string) =>
  !URL.canParse(text) || new URL(text).protocol === 'https:' || isLoopbackHost(new URL(text).hostname);

const isBare = (text: string) => {
  if (!URL.canParse(text)) return true;
  const { username, password, search, hash } = new URL(text);
  return [username, password, search, hash].every((part) => part === '');
};

/** A token that clients send in a header. */
const headerText = (minChars: number) =>
  z
    .string()
    .min(minChars, `must have at least ${minChars} characters`)
    .regex(/^[\x20-\x7e]*$/, 'must be ASCII: it is sent in a header');

/** All variables of the service, by name. Units are in the name or in `about`. */
export const VARIABLES = {
  DATABASE_URL: define(
    optional(url(/^postgres(ql)?:$/).superRefine(refuseWith(findDatabaseUrlFault))),
    '',
    'PostgreSQL 15 or newer. Unset: `npm start` runs an embedded one in DATA_DIR.',
    true,
  ),
  DATABASE_DIRECT_URL: define(
    optional(url(/^postgres(ql)?:$/).superRefine(refuseWith(findDatabaseUrlFault))),
    '',
    'The same database past a pooler. Set it if DATABASE_URL is a PgBouncer. Unset: DATABASE_URL is direct.',
    true,
  ),
  DATA_DIR: define(
    z.string().min(1, 'must not be empty'),
    '.data',
    'Folder for the embedded database, generated secrets, and emails not sent by SMTP.',
  ),
  PORT: define(integer(0, 65_535), '3000', 'Port of the dashboard and the API.'),
  APP_BASE_URL: define(
    optional(baseUrl),
    '',
    'Public URL of the dashboard, used in every link. Unset: http://localhost:PORT.',
  ),
  AUTH_SECRET: define(
    optional(list((part) => (part.length >= 32 ? null : 'must have at least 32 characters'))),
    '',
    'Comma-separated secrets, each for an EdDSA signing key: the first signs, all verify.',
    true,
  ),
  ENCRYPTION_KEY: define(
    optional(
      list((part) =>
        /^[A-Za-z0-9+/_-]+={0,2}$/.test(part) && Buffer.from(part, 'base64').length === 32
          ? null
          : 'must be 32 bytes in base64',
      ),
    ),
    '',
    'Comma-separated base64 keys of 32 bytes: the first encrypts stored secrets, all decrypt.',
    true,
  ),
  REGISTRATION: define(
    z.enum(['open', 'invited', 'closed'], 'must be open, invited or closed'),
    'open',
    'Who may create an account: anyone (`open`), people whom an organization has invited (`invited`), or no one (`closed`). The first person can always register.',
  ),
  AUTH_ACCESS_TOKEN_SECONDS: define(integer(1, 86_400), '900', 'Lifetime of an access token, in seconds.'),
  AUTH_REFRESH_TOKEN_SECONDS: define(
    integer(1, 2_592_000),
    '86400',
    'Lifetime of a refresh token, in seconds: a session ends after that time without use.',
  ),
  AUTH_PASSWORD_MIN_LENGTH: define(integer(8, 72), '10', 'Minimum number of characters in a password.'),
  AUTH_BCRYPT_COST: define(integer(4, 15), '12', 'Cost of bcrypt. Below 10 only for tests.'),
  AUTH_RATE_LIMIT_LOGIN_PER_MINUTE: define(
    integer(1, 1_000_000),
    '10',
    'Sign-in attempts per IP and per email, per minute.',
  ),
  AUTH_RATE_LIMIT_REGISTER_PER_MINUTE: define(integer(1, 1_000_000), '300', 'Registrations per IP, per minute.'),
  AUTH_LOCKOUT_ENABLED: define(boolean, 'true', 'Whether repeated failures lock an address.'),
  AUTH_LOCKOUT_THRESHOLD: define(integer(1, 1000), '5', 'Consecutive failures before the first lockout.'),
  AUTH_LOCKOUT_INITIAL_SECONDS: define(
    integer(1, 86_400),
    '60',
    'Length of the first lockout, in seconds; doubles with each further failure.',
  ),
  AUTH_LOCKOUT_MAX_SECONDS: define(integer(1, 604_800), '900', 'Length of the longest lockout, in seconds.'),
  AUTH_LOCKOUT_FAILURE_WINDOW_MINUTES: define(
    integer(1, 10_080),
    '60',
    'Period over which failures are counted, in minutes.',
  ),
  IDP_OAUTH_CLIENT_ID: define(
    optional(z.string()),
    '',
    'OAuth client ID at the identity provider. Unset: no sign-in with a provider.',
  ),
  IDP_OAUTH_CLIENT_SECRET: define(optional(z.string()), '', 'Secret of the OAuth client.', true),
  IDP_OAUTH_ISSUER: define(
    url(/^https?:$/)
      .refine(isSecure, PLAIN_HTTP)
      .refine(isBare, 'must have no user, query or fragment'),
    'https://accounts.google.com',
    'Issuer of the provider (OpenID Connect discovery).',
  ),
  IDP_OAUTH_NAME: define(z.string().min(1).max(40), 'Google', 'Name on the button: "Continue with …".'),
  IDP_OAUTH_ORGANIZATION_CLAIM: define(
    z.string().regex(/^[\x21-\x7e]{1,200}$/, 'must be the name of a claim'),
    'hd',
    'Claim with the domain after which the organization of a new person is named. Google sends hd.',
  ),
  USER_MAX_ORGANIZATIONS: limit('20', 'Organizations a person may own.'),
  ORGANIZATION_MAX_PROJECTS: limit('100', 'Projects an organization may have.'),
  ORGANIZATION_MAX_MEMBERS: limit('1000', 'Members and pending invitations an organization may have.'),
  PROJECT_MAX_CUSTOMERS: limit('100000', 'Customers a project may have.'),
  CUSTOMER_MAX_ENDPOINTS: limit('20', 'Endpoints a customer may have.'),
  PROJECT_MAX_ENDPOINTS: limit('1000', 'Endpoints a project may have, without those of customers.'),
  PROJECT_MAX_SUBSCRIPTIONS: limit(
    '5000',
    'Subscriptions the endpoints of a project may have, and those of each of its customers.',
  ),
  PROJECT_MAX_EVENT_TYPES: limit('1000', 'Event types the catalogue of a project may have.'),
  PROJECT_MAX_SOURCES: limit('100', 'Sources a project may have.'),
  PROJECT_MAX_DESTINATIONS: limit('500', 'Destinations a project may have, up to 1000.', MAX_DESTINATIONS),
  PROJECT_MAX_TUNNELS: limit('100', 'Tunnels a project may have.'),
  PROJECT_MAX_ALERTS: limit('20', 'Alerts a project may have.'),
  PROJECT_MAX_API_KEYS: limit('100', 'Active API keys a project may have; revoked and expired keys do not count.'),
  OWNER_MAX_STORED_BYTES: define(
    integer(0, Number.MAX_SAFE_INTEGER),
    '107374182400',
    'Bytes that all organizations of one owner may have stored within the retention; more get 429. 0: no limit.',
  ),
  OWNER_MAX_INTAKE_BYTES_PER_MINUTE: define(
    integer(0, Number.MAX_SAFE_INTEGER),
    '1073741824',
    'Bytes of events and incoming requests of all organizations of one owner per minute, in each web process; more get 429. 0: no limit.',
  ),
  STORAGE_PATH: define(
    optional(z.string()),
    '',
    'A path on the file system of the database, if web can see it. `npm start` sets it for the embedded database.',
  ),
  STORAGE_MIN_FREE_BYTES: define(
    integer(0, Number.MAX_SAFE_INTEGER),
    '1073741824',
    'Free bytes at STORAGE_PATH, at most a fifth of its size, below which web takes in no more events. 0: no limit.',
  ),
  DATABASE_MAX_BYTES: define(
    integer(0, Number.MAX_SAFE_INTEGER),
    '0',
    'Size of the database from which on web takes in no more events. Deliveries wait when the database exceeds it by 7.5 %. 0: no limit.',
  ),
  PLATFORM_ADMIN_TOKEN: define(optional(headerText(24)), '', 'Operator token. Unset: /api/v1/admin returns 404.', true),
  METRICS_TOKEN: define(
    optional(headerText(8)),
    '',
    'Bearer token that GET /metrics requires. Unset: no token is required.',
    true,
  ),
  MAIL_URL: define(
    optional(smtpUrl),
    '',
    'smtp://user:password@host:port. Unset: emails are saved as .eml files in DATA_DIR/mail.',
    true,
  ),
  MAIL_ENABLED: define(
    boolean,
    'false',
    'Whether the worker has a MAIL_URL, for web where it runs without that secret. `npm start` sets it.',
  ),
  MAIL_FROM: define(mailbox, 'Event Delivery Service <no-reply@localhost>', 'Sender of every email.'),
  API_ALLOWED_ORIGINS: define(
    list((part) => (part === '*' || isOrigin(part) ? null : 'must be an origin such as https://app.example.com, or *')),
    '',
    'Comma-separated origins whose pages may call the API (CORS), never with cookies; * for all.',
  ),
  TRUSTED_PROXIES: define(
    list(findAddressFault),
    '',
    'Comma-separated addresses or CIDRs of proxies whose X-Forwarded-For is trusted.',
  ),
  ANONYMOUS_REQUESTS_PER_SECOND: define(
    integer(0, 1_000_000),
    '100',
    'Requests without a valid credential that a network may send per second, in each web process; a page counts as 4. 0: no bound.',
  ),
  LOG_LEVEL: define(
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'], 'must be a pino level'),
    'info',
    'trace, debug, info, warn, error, fatal or silent.',
  ),
  LOG_FORMAT: define(
    z.enum(['auto', 'json', 'pretty'], 'must be auto, json or pretty'),
    'auto',
    'Form of log lines: `json`, `pretty` for people to read, or `auto`: pretty on a terminal, otherwise json.',
  ),
  LOG_REQUEST_SAMPLE: define(
    share,
    '1',
    'Share of the requests that are logged, from 0 to 1. Those with a status of 400 and above always are.',
  ),
  DELIVERY_RETRY_SECONDS: define(
    list((part) => (/^\d+$/.test(part) && Number(part) <= 604_800 ? null : 'must be whole seconds, at most 604800')),
    '5,300,1800,7200,18000,36000,50400,72000,86400',
    'Comma-separated seconds before each retry of a delivery.',
  ),
  DELIVERY_ALLOWED_CIDRS: define(
    z.preprocess((text) => text, z.union([z.undefined(), list(findCidrFault)])) as z.ZodType<string[] | undefined>,
    '',
    'Comma-separated non-public ranges that deliveries may reach. Unset: loopback and private ranges if APP_BASE_URL is a loopback address, otherwise no ranges. Set but empty: no ranges. Endpoints of customers reach public addresses only, unless APP_BASE_URL is a loopback address.',
  ),
  DELIVERY_CONCURRENCY: define(
    integer(1, 10_000),
    '200',
    'Deliveries a worker sends at once, for all of its cells together. Those that take over a second use separate slots, half as many.',
  ),
  DELIVERY_ENDPOINT_CONCURRENCY: define(integer(1, 1000), '20', 'Deliveries a worker sends at once to one endpoint.'),
  WORKER_CELLS: define(
    list((part) => (IS_CELL_NAME.test(part) ? null : 'must be the name of a cell, such as cell_00')),
    '',
    'Comma-separated cells that a worker serves. Unset: all. Each worker also sends mails and finishes erasures.',
  ),
  PROJECT_ENDPOINT_TESTS_PER_MINUTE: define(integer(1, 10_000), '30', 'Endpoint tests a project may send, per minute.'),
  SOURCE_REQUESTS_PER_MINUTE: define(
    integer(1, 1_000_000_000),
    '6000',
    'Requests a source may receive per minute, in each web process; more get 429.',
  ),
  SOURCE_MAX_BODY_BYTES: define(
    integer(524_288, 26_214_400),
    '524288',
    'Bytes of the body of a request to a source; larger ones get 413.',
  ),
  SOURCE_UNVERIFIED_PER_HOUR: define(
    integer(0, 100_000),
    '100',
    'Requests without a valid signature that are kept per source and hour; more are only counted.',
  ),
  PORTAL_BASE_URL: define(
    optional(baseUrl.refine(isSecure, PLAIN_HTTP)),
    '',
    'Public URL of the portal that customers see. Unset: it is served from APP_BASE_URL.',
  ),
  TUNNEL_BASE_URL: define(
    optional(baseUrl),
    '',
    'Public URL of tunnels, on another site than APP_BASE_URL. Unset: they are served from APP_BASE_URL, and browsers save their responses instead of showing them.',
  ),
  TUNNEL_PEER_URL: define(
    optional(url(/^http:$/)),
    '',
    'Address at which other web processes reach this one, such as http://10.0.0.5:3000. Unset: the first IPv4 address of the machine, with PORT.',
  ),
  TUNNEL_LOG_BODY_BYTES: define(
    integer(0, 1_048_576),
    '65536',
    'Bytes of each body that the tunnel log stores for replays; 0 for none.',
  ),
  TUNNEL_LOG_HEADERS: define(boolean, 'true', 'Whether the tunnel log stores headers, without credentials.'),
  STOP_DELAY_SECONDS: define(
    integer(0, 300),
    '0',
    'Seconds that web still serves after SIGTERM while readiness fails, so that load balancers stop sending. The image sets 5; `npm start` never waits.',
  ),
  DATA_RETENTION_ATTEMPTS_DAYS: days('90', 'failed attempts'),
  DATA_RETENTION_SUCCESSFUL_ATTEMPTS_DAYS: days('14', 'successful (2xx) attempts'),
  DATA_RETENTION_EVENTS_DAYS: days('90', 'events'),
  DATA_RETENTION_INCOMING_EVENTS_DAYS: days('30', 'incoming events'),
  DATA_RETENTION_MAX_ATTEMPTS_PER_DELIVERY: define(integer(1, 100_000), '10', 'Newest attempts kept per delivery.'),
  DATA_RETENTION_BATCH_SIZE: define(
    integer(1, 100_000),
    '1000',
    'Rows deleted in one batch; at most 2,000 for the cap.',
  ),
  OUTBOX_DEAD_RETENTION_DAYS: days('90', 'dead outbox rows'),
  PARTITION_MAINTENANCE_ENABLED: define(boolean, 'true', 'Creates partitions ahead of time and drops expired ones.'),
  DATA_RETENTION_CRON: define(cron, '0 2 * * *', 'Main cleanup (UTC).'),
  DATA_RETENTION_LIMIT_CRON: define(cron, '*/30 * * * *', 'Attempts-per-delivery cap (UTC).'),
  DATA_RETENTION_BURST_CLEANUP_CRON: define(cron, '0 */4 * * *', 'Burst cleanup (UTC).'),
  DATA_RETENTION_TABLE_METRICS_INTERVAL_MS: define(
    integer(1000, 2_147_483_647),
    '900000',
    'Milliseconds between estimates of table sizes.',
  ),
} satisfies Record<string, Variable<unknown>>;
