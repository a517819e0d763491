import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, it, vi } from 'vitest';
import { ApiError } from '@/components/auth-session/api-error';
import { type ApiForm, fieldErrors, useApiForm } from './use-api-form';

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

it('sends what the form has, beside what it showed when it opened', async () => {
  const send = vi.fn(async () => {});
  const forms: ApiForm<{ name: string }>[] = [];
  const Form = () => {
    forms.push(useApiForm({ defaultValues: { name: 'old' }, send }));
    return null;
  };
  renderToString(createElement(Form));
  forms[0]?.setValue('name', 'new');
  forms[0]?.submit();
  await vi.waitFor(() => expect(send).toHaveBeenCalledWith({ name: 'new' }, { name: 'old' }));
});
