import type { ReactNode } from 'react';
import { parseJson } from '@/components/auth-session/request';
import { SCOPES } from '@/components/keys/key-state';
import { ROLE_LABELS } from '@/components/orgs/role-labels';
import { PROVIDERS } from '@/components/sources/providers';
import { cn } from '@/components/ui/cn';
import { CopyableId } from '@/components/ui/copyable-id';
import { compactJson } from '@/components/ui/format-json';
import type { AuditLogEntry } from '@/lib/audit/schema';
import { describeFilter, isJson } from '@/lib/delivery/filters/filter-policy';
import { ACTION_LABELS, actionLabel } from './action-labels';

/** The action of an entry and its details. `showValue` shows the value of a detail. */
export function ActionSummary({
  entry,
  showValue = showIdOrText,
  className,
}: {
  entry: AuditLogEntry;
  showValue?: (line: DetailLine) => ReactNode;
  className?: string;
}) {
  const lines = detailLines(entry.details);
  return (
    <div className={cn('min-w-0 py-1', className)}>
      <span className="font-medium" title={entry.action}>
        {actionLabel(entry.action)}
      </span>
      {lines.length === 0 ? null : (
        <dl className="mt-0.5 grid gap-0.5 text-muted text-xs">
          {lines.map((line) => (
            // As high with an id as with a name, which may load later.
            <div key={line.label} className="flex min-h-6 min-w-0 flex-wrap items-center gap-x-1.5">
              <dt>{line.label}</dt>
              <dd className="wrap-anywhere min-w-0 text-text">{showValue(line)}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

/** Shows an id to copy, or a text. */
export function showIdOrText({ label, value, isId }: DetailLine): ReactNode {
  return isId ? <CopyableId id={value} short label={`Copy ID: ${label.toLowerCase()}`} /> : value;
}

type Labels = Readonly<Record<string, string>>;

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

export interface DetailLine {
  label: string;
  value: string;
  /** Whether the value is an id, which is shortened and can be copied. */
  isId: boolean;
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const HOURS = /Hours$/;

/**
 * Returns the details of an entry as lines, except the name of the target, which has a column of its own. Works with any
 * details, so that new actions need no code here.
 */
export function detailLines(details: Record<string, unknown>): DetailLine[] {
  const { from, to, targetName: _named, changes, ...others } = details;
  const lines = [...linesOfChanges(changes), ...Object.entries(others).map(([name, value]) => toLine(name, value))];
  // `from` and `to` form one line.
  if (typeof from === 'string' && typeof to === 'string') {
    return [{ label: 'Change', value: `${showValue('from', from)} → ${showValue('to', to)}`, isId: false }, ...lines];
  }
  const ends = Object.entries({ from, to }).filter(([, value]) => value !== undefined);
  return [...ends.map(([name, value]) => toLine(name, value)), ...lines];
}

/** One line for each changed field. A change without values is one that the log does not keep. */
function linesOfChanges(changes: unknown): DetailLine[] {
  return Object.entries(isRecord(changes) ? changes : {}).map(([name, change]) => {
    const isKept = isRecord(change) && 'from' in change && 'to' in change;
    const value = isKept ? `${showEnd(name, change.from)} → ${showEnd(name, change.to)}` : 'changed';
    return { label: labelOf(name), value, isId: false };
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function showEnd(name: string, value: unknown): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (name === 'filter' && typeof value === 'string' && isJson(value)) return describeFilter(parseJson(value));
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map((item) => show(name, item)).join(', ');
  return value === null || value === '' ? 'none' : show(name, value);
}

function toLine(name: string, value: unknown): DetailLine {
  if (typeof value === 'string' && ID.test(value))
    return { label: labelOf(name.replace(/Id$/, '')), value, isId: true };
  // "gracePeriodHours: 24" → "Grace period 24 h".
  if (typeof value === 'number' && HOURS.test(name)) {
    return { label: labelOf(name.replace(HOURS, '')), value: `${value} h`, isId: false };
  }
  return { label: labelOf(name), value: show(name, value), isId: false };
}

function labelOf(name: string): string {
  return name === 'fields' ? 'Changed' : capitalize(toWords(name));
}

function show(name: string, value: unknown): string {
  if (typeof value === 'string') return showValue(name, value);
  if (value === null) return '–';
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) {
    return value.map((item) => showValue(name, item)).join(', ');
  }
  return typeof value === 'object' ? compactJson(value) : String(value);
}

function labelsOf<Value extends object>(
  values: Readonly<Record<string, Value>>,
  name: (value: Value) => string,
): Labels {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, name(value)]));
}

/** Returns the text of a detail, with the name that pages give to a value. Unknown constants become words. */
function showValue(name: string, text: string): string {
  const labels = LABELS[name];
  if (labels !== undefined && Object.hasOwn(labels, text)) return labels[text] ?? text;
  if (name === 'fields') return toWords(text);
  return CONSTANT.test(text) ? capitalize(toWords(text)) : text;
}

/** Turns a name of the API into words: "eventType" → "event type", "url" → "URL". */
function toWords(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase()
    .replace(/\b(?:url|id|uid|ip)\b/g, (word) => word.toUpperCase());
}

function capitalize(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
