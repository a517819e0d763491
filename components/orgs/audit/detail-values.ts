import { SCOPES } from '@/components/keys/scopes';
import { ROLE_LABELS } from '@/components/orgs/role-labels';
import { PROVIDERS } from '@/components/sources/providers';
import { ACTION_LABELS } from './action-labels';

type Labels = Readonly<Record<string, string>>;

function labelsOf<Value extends object>(
  values: Readonly<Record<string, Value>>,
  name: (value: Value) => string,
): Labels {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, name(value)]));
}

const ROLES = labelsOf(ROLE_LABELS, ({ label }) => label);

/** The names of values, by the name of their detail: as the pages call them that show them. */
const LABELS: Readonly<Record<string, Labels>> = {
  role: ROLES,
  from: ROLES,
  to: ROLES,
  scope: labelsOf(SCOPES, ({ label }) => label),
  provider: labelsOf(PROVIDERS, ({ name }) => name),
  method: { PASSWORD: 'Password', IDP: 'Identity provider', DEVICE: 'Device code' },
  reason: { gone: 'Responded with 410 Gone', failing: 'Every attempt failed' },
  cause: { ...ACTION_LABELS, 'inviter.may_not_invite': 'Inviter can’t invite anymore' },
};

/** A constant of the API, such as READ_WRITE. */
const CONSTANT = /^[A-Z][A-Z0-9_]*$/;

/** Returns the text of a detail, with the name that pages give to a value. Unknown constants become words. */
export function showValue(name: string, text: string): string {
  const labels = LABELS[name];
  if (labels !== undefined && Object.hasOwn(labels, text)) return labels[text] ?? text;
  if (name === 'fields') return toWords(text);
  return CONSTANT.test(text) ? capitalize(toWords(text)) : text;
}

/** Turns a name of the API into words: "eventType" → "event type", "url" → "URL". */
export function toWords(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
    .replace(/\b(?:url|id|ip)\b/g, (word) => word.toUpperCase());
}

export function capitalize(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
