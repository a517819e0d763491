// How operations are called in a terminal: one rule, and what differs from it.

/** Groups that are not named after their resource. */
const GROUPS: Readonly<Record<string, string>> = {
  apiKeys: 'keys',
  auditLog: 'audit',
  incomingEvents: 'incoming',
  organizations: 'orgs',
};

/** Flags of fields whose own name is too long to type. */
const FLAGS: Readonly<Record<string, string>> = { allowedCidrs: 'allow', pauseReason: 'reason' };

/** What ids of a path name, where their own words do not say it. */
const NOUNS: Readonly<Record<string, string>> = { apiKey: 'key', org: 'organization', user: 'person' };

/** Resources whose id in a path may also be their name. */
export const NAMED = { sourceId: 'sources', tunnelId: 'tunnels' } as const;

/** What an action has done, by the first word of its command. */
export const PAST: Readonly<Record<string, string>> = {
  cancel: 'Canceled',
  close: 'Closed',
  create: 'Created',
  delete: 'Deleted',
  resend: 'Sent',
  revoke: 'Revoked',
  rotate: 'Rotated',
  unlock: 'Unlocked',
  update: 'Changed',
};

/** Actions that ask first, besides those that delete something. */
export const ASKS = /^(?:close|delete|revoke|rotate)\b/;

/** Why an operation is no command. A resource stands for all of its operations. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  'account.previewVerification': 'the page of a mailed link calls it',
  'account.switchOrganization': 'eds orgs use calls it, and keeps the tokens that it answers',
  'account.verifyEmail': 'the page of a mailed link calls it',
  auth: 'pages sign in; eds login and eds logout keep the tokens of a session',
  changes: 'a stream of hints for open pages; eds events tail and eds audit --follow read the lists again',
  device: 'eds login calls it, and the page where a person approves',
  downloads: 'npm installs from it',
  identityProvider: 'a browser is led through it',
  ingress: 'providers call it, without credentials',
  'invitations.accept': 'the page of a mailed link calls it',
  'invitations.preview': 'the page of a mailed link calls it',
  openapi: 'a document for tools',
  operations: 'monitors call it; eds version shows the version of the server',
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

/** Returns the flag of a field without its dashes. A reference and a duration lose their ending: `endpointId` is `endpoint`. */
export function flagOf(field: string): string {
  return FLAGS[field] ?? dashed(field.replace(/(?<=[a-z])(?:Id|Hours)$/, ''));
}

/** Returns what an id or a resource is: `apiKeyId` is a `key`, `bulkRetries` are a `bulk retry`. */
export function nounOf(name: string): string {
  const one = name.replace(/Id$/, '').replace(/ies$/, 'y').replace(/s$/, '');
  return NOUNS[one] ?? dashed(one).replaceAll('-', ' ');
}

/** `deliveryId` is shown as `delivery-id`. */
export function dashed(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
