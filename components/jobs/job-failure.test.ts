import { expect, it } from 'vitest';
import { describeFailure } from './job-failure';

const ERROR = 'The database took too long.';

it('says why the last tries of a job failed, and what happens next', () => {
  expect(describeFailure({ status: 'RUNNING', failedTries: 0, error: null })).toBeUndefined();
  expect(describeFailure({ status: 'RUNNING', failedTries: 1, error: ERROR })).toBe(
    `${ERROR} The last try failed. It tries again within ten minutes.`,
  );
  expect(describeFailure({ status: 'CANCELED', failedTries: 3, error: ERROR })).toBe(ERROR);
});

it('says that what a failed job has done stays done, and only why when another try is useless', () => {
  expect(describeFailure({ status: 'FAILED', failedTries: 13, error: ERROR })).toBe(
    `${ERROR} The last 13 tries failed. What it has done stays done; start it again to do the rest.`,
  );
  expect(describeFailure({ status: 'FAILED', failedTries: 0, error: 'No destination is enabled.' })).toBe(
    'No destination is enabled.',
  );
});
