import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, it, vi } from 'vitest';
import { ApiError } from '@/components/auth-session/api-error';
import { type ApiForm, type ApiFormOptions, fieldErrors, useApiForm } from './use-api-form';

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

/** Renders a form once. Returns it. */
function render<Values extends object>(options: ApiFormOptions<Values>): ApiForm<Values> {
  let form: ApiForm<Values> | undefined;
  renderToString(
    createElement(() => {
      form = useApiForm(options);
      return null;
    }),
  );
  if (form === undefined) throw new Error('The form was not rendered.');
  return form;
}

it('sends what the form has, beside what it showed when it opened', async () => {
  const send = vi.fn(async () => {});
  const form = render({ defaultValues: { name: 'old' }, send });
  form.setValue('name', 'new');
  form.submit();
  await vi.waitFor(() => expect(send).toHaveBeenCalledWith({ name: 'new' }, { name: 'old' }));
});

it('takes no change while it is sent, and takes some again afterwards', async () => {
  let refuse = () => {};
  const send = vi.fn(
    () =>
      new Promise((_, reject) => {
        refuse = () => reject(new Error('refused'));
      }),
  );
  const form = render({ defaultValues: { name: 'old', enabled: false }, send });
  const change = (name: string) => {
    form.register('name').onChange({ target: { name: 'name', value: name } });
    form.setSome({ enabled: true });
    return { name: form.getValues('name'), enabled: form.getValues('enabled') };
  };
  form.submit();
  await vi.waitFor(() => expect(send).toHaveBeenCalledTimes(1));
  expect(change('lost')).toEqual({ name: 'old', enabled: false });
  refuse();
  await vi.waitFor(() => expect(change('kept')).toEqual({ name: 'kept', enabled: true }));
});
