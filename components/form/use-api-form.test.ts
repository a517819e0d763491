import { expect, it } from 'vitest';
import { ApiError } from '@/components/auth-session/api-error';
import { fieldErrors } from './use-api-form';

const apiError = (errors: { path: string; message: string }[]) =>
  new ApiError({ status: 400, code: 'validation_failed', detail: 'x', requestId: null, errors });

it('assigns an error to the field it names, as a sentence', () => {
  expect(fieldErrors(apiError([{ path: 'url', message: 'must be an absolute URL' }]), ['url'])).toEqual([
    { name: 'url', message: 'Must be an absolute URL.' },
  ]);
});

it('assigns an error inside a list to the field of the list', () => {
  expect(fieldErrors(apiError([{ path: 'retrySeconds.3', message: 'x' }]), ['url', 'retrySeconds'])[0]?.name).toBe(
    'retrySeconds',
  );
});

it('ignores an error without a field of the form', () => {
  expect(
    fieldErrors(
      apiError([
        { path: '', message: 'x' },
        { path: 'urls', message: 'x' },
      ]),
      ['url'],
    ),
  ).toEqual([]);
  expect(fieldErrors(new Error('x'), ['url'])).toEqual([]);
});
