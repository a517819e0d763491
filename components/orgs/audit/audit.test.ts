import { expect, it } from 'vitest';
import { PROVIDERS } from '@/components/sources/providers';
import { AUDIT_ACTIONS } from '@/lib/audit/types';
import { ACTION_LABELS, actionLabel, targetLabel } from './action-labels';
import { detailLines } from './action-summary';
import { targetPath } from './audit-columns';

it('has a distinct label for every action', () => {
  expect(Object.keys(ACTION_LABELS).toSorted()).toEqual([...AUDIT_ACTIONS].toSorted());
  expect(new Set(Object.values(ACTION_LABELS)).size).toBe(AUDIT_ACTIONS.length);
});

it('returns an unknown action unchanged', () => {
  expect(actionLabel('gone.away')).toBe('gone.away');
  expect(actionLabel('toString')).toBe('toString');
});

it('labels the target type', () => {
  expect(targetLabel('api_key')).toBe('API key');
  expect(targetLabel('tunnel_route')).toBe('Tunnel route');
});

const ID = '01a1fbe6-c475-7000-8000-0123456789ab';

it('joins a change into one line', () => {
  expect(detailLines({ from: 'VIEWER', to: 'ADMIN' })).toEqual([
    { label: 'Change', value: 'Viewer → Admin', isId: false },
  ]);
});

it('recognizes an id and labels it', () => {
  expect(detailLines({ projectId: ID })).toEqual([{ label: 'Project', value: ID, isId: true }]);
});

it('formats lists, hours, constants and null', () => {
  expect(
    detailLines({ fields: ['eventType', 'url'], state: 'READ_WRITE', gracePeriodHours: 24, expiresAt: null }),
  ).toEqual([
    { label: 'Changed', value: 'event type, URL', isId: false },
    { label: 'State', value: 'Read write', isId: false },
    { label: 'Grace period', value: '24 h', isId: false },
    { label: 'Expires at', value: '–', isId: false },
  ]);
});

it('names a value as its own page names it', () => {
  const valuesOf = (details: Record<string, unknown>) => detailLines(details).map(({ value }) => value);
  expect(valuesOf({ role: 'VIEWER', scope: 'READ_WRITE', method: 'PASSWORD' })).toEqual([
    'Viewer',
    'Read and write',
    'Password',
  ]);
  expect(valuesOf({ provider: 'GENERIC_HMAC' })).toEqual([PROVIDERS.GENERIC_HMAC.name]);
  expect(valuesOf({ cause: 'account.deleted', reason: 'gone' })).toEqual([
    'Account deleted',
    'Responded with 410 Gone',
  ]);
  expect(valuesOf({ role: 'toString' })).toEqual(['toString']);
});

it('shows unknown details as JSON', () => {
  expect(detailLines({ to: { deep: [1] } })).toEqual([{ label: 'To', value: '{"deep":[1]}', isId: false }]);
  expect(detailLines({})).toEqual([]);
});

it('shows each changed field before and after, and only names one whose value is not kept', () => {
  const changes = {
    url: { from: 'https://a.example', to: 'https://b.example' },
    description: { from: null, to: 'Shop' },
    enabled: { from: true, to: false },
    retrySeconds: { from: [5, 30], to: [] },
    secret: {},
    filter: { from: null, to: '{"path":"data.amount","op":"gte","value":1000}' },
  };
  const lines = detailLines({ projectId: 'p1', changes });
  expect(lines.map(({ label, value }) => `${label}: ${value}`)).toEqual([
    'URL: https://a.example → https://b.example',
    'Description: none → Shop',
    'Enabled: yes → no',
    'Retry seconds: 5, 30 → none',
    'Secret: changed',
    'Filter: none → data.amount is at least 1000',
    'Project ID: p1',
  ]);
});

it('leaves out the name of the target', () => {
  expect(detailLines({ targetName: 'Laptop' })).toEqual([]);
});

const entry = (type: string, exists = true, details: Record<string, unknown> = { projectId: 'p1' }) => ({
  target: { type, id: 't1', exists },
  details,
});

it('opens the target, or the list that it is in', () => {
  expect(targetPath(entry('project', true, {}))).toBe('/projects/t1');
  expect(targetPath(entry('customer'))).toBe('/projects/p1/customers/t1');
  expect(targetPath(entry('endpoint'))).toBe('/projects/p1/endpoints/t1');
  expect(targetPath(entry('tunnel'))).toBe('/projects/p1/tunnels/t1');
  expect(targetPath(entry('api_key'))).toBe('/projects/p1/keys');
  expect(targetPath(entry('destination', true, { projectId: 'p1', sourceId: 's1' }))).toBe('/projects/p1/sources/s1');
});

it('opens nothing that is gone, has no page or lacks its project', () => {
  expect(targetPath(entry('endpoint', false))).toBeNull();
  expect(targetPath(entry('session'))).toBeNull();
  expect(targetPath(entry('destination'))).toBeNull();
  expect(targetPath(entry('source', true, {}))).toBeNull();
});
