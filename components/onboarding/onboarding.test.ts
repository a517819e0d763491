import { expect, it } from 'vitest';
import { chooseHome } from './home-page';
import { currentStep, type Progress, receivedPollMs, sampleType, shownDelivery, stateOf } from './use-first-steps';

const first = { id: 'a', organizationId: 'ours', lastEventAt: null };
const second = { id: 'b', organizationId: 'ours', lastEventAt: null };
const theirs = { id: 'c', organizationId: 'theirs', lastEventAt: '2026-03-01T00:00:00.000Z' };
const projects = [theirs, first, second];
const organizationId = 'ours';

it('chooses the last opened project of any organization', () => {
  expect(chooseHome(projects, { asked: null, last: 'b', organizationId })).toEqual({ project: second, stay: false });
  expect(chooseHome(projects, { asked: null, last: 'c', organizationId })).toEqual({ project: theirs, stay: false });
});

it('stays on the project of the URL', () => {
  expect(chooseHome(projects, { asked: 'a', last: 'b', organizationId })).toEqual({ project: first, stay: true });
});

it('chooses the project of the organization with the newest event in a fresh browser', () => {
  const quiet = '2026-01-01T00:00:00.000Z';
  const busy = '2026-02-01T00:00:00.000Z';
  const wish = { asked: null, last: null, organizationId };
  const used = [first, { ...first, id: 'q', lastEventAt: quiet }, { ...second, lastEventAt: busy }, theirs];
  expect(chooseHome(used, wish).project?.id).toBe('b');
});

it('ignores a deleted project and one of another account', () => {
  const wish = { asked: 'gone', last: 'gone too', organizationId };
  expect(chooseHome(projects, wish)).toEqual({ project: first, stay: false });
});

it('chooses no project when there are none', () => {
  expect(chooseHome([], { asked: 'a', last: 'b', organizationId })).toEqual({ project: null, stay: false });
});

it('chooses no project in an empty organization, although another organization has some', () => {
  const wish = { asked: null, last: null, organizationId: 'empty' };
  expect(chooseHome(projects, wish)).toEqual({ project: null, stay: false });
});

const NOTHING: Progress = {
  hasProject: false,
  hasEvent: false,
  hasEndpoint: false,
  hasSubscription: false,
  hasDelivery: false,
  hasSuccess: false,
};
const withProject = { ...NOTHING, hasProject: true };
const withEndpoint = { ...withProject, hasEndpoint: true, hasSubscription: true };

it.each([
  ['project', NOTHING],
  ['endpoint', withProject],
  ['endpoint', { ...withProject, hasEndpoint: true }],
  ['event', withEndpoint],
  ['delivery', { ...withEndpoint, hasEvent: true, hasDelivery: true }],
  [null, { ...withProject, hasSuccess: true }],
] as const)('continues with %s for existing data', (step, progress) => {
  expect(currentStep(progress)).toBe(step);
});

it('asks for an endpoint before an event, even if an event was sent already', () => {
  expect(currentStep({ ...withProject, hasEvent: true })).toBe('endpoint');
});

it('asks for another event when the first one matched no endpoint', () => {
  expect(currentStep({ ...withEndpoint, hasEvent: true })).toBe('event');
});

it('marks earlier steps as done and following steps as later', () => {
  expect([stateOf('endpoint', 'event'), stateOf('event', 'event'), stateOf('delivery', 'event')]).toEqual([
    'done',
    'current',
    'later',
  ]);
  expect(stateOf('delivery', null)).toBe('done');
});

it('draws the delivery that succeeded below “was delivered”, also while a newer one is retrying', () => {
  const succeeded = { status: 'SUCCEEDED' };
  const retrying = { status: 'RETRYING' };
  expect(shownDelivery(succeeded, retrying)).toBe(succeeded);
  expect(shownDelivery(undefined, retrying)).toBe(retrying);
});

it.each([
  ['*', 'order.paid'],
  ['order.*', 'order.paid'],
  ['invoice.*', 'invoice.created'],
  ['customer.plan.changed', 'customer.plan.changed'],
])('sends an event that a subscription to %s matches', (pattern, type) => {
  expect(sampleType(pattern)).toBe(type);
});

it('looks for what the test receiver got until there is something, for half a minute', () => {
  expect(receivedPollMs(undefined, 0)).toBe(500);
  expect(receivedPollMs([], 30_000)).toBe(500);
  expect(receivedPollMs([], 30_001)).toBe(0);
  expect(receivedPollMs([{}], 0)).toBe(0);
});
