// How operations are called in a terminal: one rule, and what differs from it.

/** Groups that are not named after their resource. */
const GROUPS: Readonly<Record<string, string>> = {
  apiKeys: 'keys',
  auditLog: 'audit',
  eventTypes: 'types',
  incomingEvents: 'incoming',
  organizations: 'orgs',
};

/** Flags of fields whose own name is too long to type, or says nothing. */
const FLAGS: Readonly<Record<string, string>> = { allowedCidrs: 'allow', pauseReason: 'reason', q: 'text' };

/** Words of schemas that read better in another way in the help. */
export const WORDS: Readonly<Record<string, string>> = {
  'Addresses that requests can come from; empty: any': 'allow only this IP address or range',
  'Its name': 'name',
  'Only events with a delivery in this state. `PENDING`: `QUEUED` or `RETRYING`. `UNDELIVERED`: `RETRYING` or `FAILED`':
    'only events with a delivery in this state',
  'Seconds to wait before each retry; empty: the deployment’s schedule':
    'seconds before each retry, such as `5,60,3600`; empty for the default schedule',
  'Time zone of the dashboard: the browser’s, or UTC': 'time zone of the dashboard',
  '`QUEUED`: before the first attempt. `RETRYING`: waiting for another attempt. `PENDING`: either. `UNDELIVERED`: `RETRYING` or `FAILED`':
    'only deliveries in this state',
};

/** Fields that are never part of a command line, where the history of the shell would keep them. */
export const SECRET = /(?:secret|password|token)$/i;

/** What ids of a path name, where their own words do not say it. */
const NOUNS: Readonly<Record<string, string>> = { apiKey: 'key', org: 'organization', user: 'person' };

/** Operations on what people pause and resume. Other resources are enabled and disabled. */
export const CAN_PAUSE = /^(?:endpoints|destinations)\./;

/** Resources whose id in a path may also be their name. */
export const NAMED = { alertId: 'alerts', sourceId: 'sources', tunnelId: 'tunnels' } as const;

/** The resource that requests name by its id or its uid. */
export const CUSTOMER = 'customer';

/** The id of an endpoint, in the place of which its uid can be given. */
export const ENDPOINT = 'endpointId';

/** What examples in the help name. */
export const EXAMPLES: Readonly<Record<string, string>> = {
  alert: 'Pager',
  customer: 'cus_8f2c1',
  organization: 'Acme',
  project: '"My shop"',
  source: 'shop',
  tunnel: 'laptop',
};

/** What an action has done, by the first word of its command. */
const PAST: Readonly<Record<string, string>> = {
  cancel: 'canceled',
  close: 'closed',
  create: 'created',
  delete: 'deleted',
  resend: 'sent',
  revoke: 'revoked',
  rotate: 'rotated',
  unlock: 'unlocked',
  update: 'changed',
};

/** Actions that ask first, besides those that delete something. */
export const ASKS = /^(?:close|delete|revoke|rotate)$/;

/** Why an operation is no command. A resource stands for all of its operations. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  'account.previewVerification': 'the page of a mailed link calls it',
  'account.switchOrganization': 'eds orgs use calls it, and keeps the tokens that it answers',
  'account.verifyEmail': 'the page of a mailed link calls it',
  auth: 'pages sign in; eds login and eds logout keep the tokens of a session',
  changes: 'a stream of hints for open pages; eds events tail and eds audit --follow read the lists again',
  device: 'eds login calls it, and the page where a person approves',
  downloads: 'npm installs from it; the page of a portal shows its logo',
  identityProvider: 'a browser is led through it',
  ingress: 'providers call it, without credentials',
  'invitations.accept': 'the page of a mailed link calls it',
  'invitations.preview': 'the page of a mailed link calls it',
  openapi: 'a document for tools',
  operations: 'monitors call it; eds version shows the version of the server',
  portal: 'the page that customers see calls it, with a token of its own',
  passwords: 'a password in a command line would be in the history of the shell',
  tunnelConnection: 'the WebSocket of eds listen',
};

/** Whether an operation is no command. */
export function isLeftOut(operation: string): boolean {
  return operation in LEFT_OUT || (operation.split('.')[0] ?? '') in LEFT_OUT;
}

/**
 * Returns the words of an operation's command: `bulkRetries.cancel` is `bulk-retries cancel`. A part that is read is named alone, so
 * `projects.getLimits` is `projects limits`, and what removes or erases is called delete.
 */
export function commandOf(operation: string): [group: string, name: string] {
  const [resource = '', method = ''] = operation.split('.');
  const name = dashed(method.replace(/^(?:get|list)(?=[A-Z])/, '').replace(/^[A-Z]/, (letter) => letter.toLowerCase()));
  return [GROUPS[resource] ?? dashed(resource), name.replace(/^(?:remove|erase)\b/, 'delete')];
}

/** Returns the verb of an operation's command, and the word for what was done: `invitations.revoke` is `revoke` and `revoked`. */
export function actionOf(operation: string): { verb: string; past: string | undefined } {
  const [verb = ''] = commandOf(operation)[1].split('-');
  return { verb, past: PAST[verb] };
}

/** Returns what an action is about: "the invitation 0197…", or "the secret of the destination shop 0197…". */
export function subjectOf(operation: string, ids: readonly string[]): string {
  const [, ...part] = commandOf(operation)[1].split('-');
  const whole = ['the', nounOf(operation.split('.')[0] ?? ''), ...ids].join(' ');
  return part.length === 0 ? whole : `the ${part.join(' ')} of ${whole}`;
}

/**
 * Returns the flag of a field without its dashes. A reference and a duration lose their ending: `endpointId` is `endpoint`. A secret is
 * asked for: `secret` is `with-secret`.
 */
export function flagOf(field: string): string {
  if (SECRET.test(field)) return `with-${dashed(field)}`;
  return FLAGS[field] ?? dashed(field.replace(/(?<=[a-z])(?:Id|Hours)$/, ''));
}

/** Returns the name of the argument of a field. */
export function argumentNameOf(field: string): string {
  return FLAGS[field] ?? field;
}

/** Returns what an id or a resource is: `apiKeyId` is a `key`, `bulkRetries` are a `bulk retry`. */
export function nounOf(name: string): string {
  const one = name
    .replace(/Id$/, '')
    .replace(/ies$/, 'y')
    .replace(/(?<=ss)es$|(?<!s)s$/, '');
  return NOUNS[one] ?? dashed(one).replaceAll('-', ' ');
}

/** `oldestAt` is OLDEST in the head of a table, and `durationMs` DURATION. */
export function headingOf(name: string): string {
  return name
    .replace(/(?:At|Ms)$/, '')
    .replace(/[A-Z]/g, (letter) => ` ${letter}`)
    .toUpperCase();
}

/** `deliveryId` is shown as `delivery-id`. */
export function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Returns what a sentence says first: "Get a tunnel" of "Get a tunnel; its URL …". */
export function firstClause(sentence: string): string {
  return sentence.split(/[;,.] |\.$/)[0] ?? sentence;
}

export function capitalized(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
