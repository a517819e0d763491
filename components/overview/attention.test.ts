import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, it } from 'vitest';
import { TooltipProvider } from '@/components/ui/tooltip';
import type { Attention, ProjectStats } from '@/lib/stats/schema';
import { AttentionList, nameOf, pathOf } from './attention';

const item = (change: Partial<Attention>): Attention => ({
  reason: 'ENDPOINT_FAILING',
  count: 1,
  since: null,
  endpointId: null,
  destinationId: null,
  sourceId: null,
  name: 'https://a.example.com/',
  description: null,
  ...change,
});

it('leads to the page of the only endpoint, or of the source of the only destination', () => {
  expect(pathOf(item({ endpointId: 'e1' }))).toBe('endpoints/e1');
  expect(pathOf(item({ reason: 'DESTINATION_FAILING', destinationId: 'd1', sourceId: 's1' }))).toBe('sources/s1');
  expect(pathOf(item({ reason: 'SOURCE_WITHOUT_SECRET', sourceId: 's1' }))).toBe('sources/s1');
});

it('leads to the list that has several ones first', () => {
  const many = { count: 2, endpointId: 'e1' };
  expect(pathOf(item(many))).toBe('endpoints?state=FAILING&sort=success');
  expect(pathOf(item({ ...many, reason: 'ENDPOINT_DISABLED' }))).toBe('endpoints?state=DISABLED');
  expect(pathOf(item({ ...many, reason: 'ENDPOINT_SILENT' }))).toBe('endpoints?sort=lastDeliveryAt');
  expect(pathOf(item({ reason: 'DESTINATION_DISABLED', count: 2, sourceId: 's1' }))).toBe('sources');
});

it('names a target by its description, else by its host and path', () => {
  expect(nameOf(item({ description: 'CRM' }))).toBe('“CRM”');
  expect(nameOf(item({ name: 'http://127.0.0.1:4190/hooks?x=1' }))).toBe('127.0.0.1:4190/hooks?x=1');
  expect(nameOf(item({ name: 'https://a.example.com/' }))).toBe('a.example.com');
  expect(nameOf(item({ reason: 'SOURCE_WITHOUT_SECRET', name: 'Shop' }))).toBe('“Shop”');
});

it('isolates a description, which may turn the direction of text, from what is said of its endpoint', () => {
  const stats = {
    attention: [item({ description: '\u202eMRC' })],
    backlog: { oldestDueAt: null, waiting: 0, waitingIsAtLeast: false },
    totals: { incoming: { rejected: 0 } },
  } as unknown as ProjectStats;
  const list = createElement(AttentionList, { stats });
  expect(renderToString(createElement(TooltipProvider, null, list))).toMatch(
    /<bdi>“\u202eMRC”<\/bdi>(<!-- -->| )*is failing/,
  );
});
