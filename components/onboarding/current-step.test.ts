import { expect, it } from 'vitest';
import { currentStep, type Progress, shownDelivery, stateOf } from './current-step';

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
  const [succeeded, retrying] = [{ status: 'SUCCEEDED' }, { status: 'RETRYING' }];
  expect(shownDelivery(succeeded, retrying)).toBe(succeeded);
  expect(shownDelivery(undefined, retrying)).toBe(retrying);
});
