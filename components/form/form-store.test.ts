import { beforeEach, expect, it, vi } from 'vitest';
import { FormStore } from './form-store';

/** What the store uses of an element; later ones come later on the page. */
function field(order: number, value = '', type = 'text') {
  return {
    order,
    type,
    value,
    focus: vi.fn(),
    select: vi.fn(),
    compareDocumentPosition: (other: { order: number }) => (other.order > order ? 4 : 2),
  } as unknown as HTMLInputElement & { focus: ReturnType<typeof vi.fn>; select: ReturnType<typeof vi.fn> };
}

const REQUIRED = { required: 'Enter it.' };
let store: FormStore<{ email: string; password: string }>;

beforeEach(() => {
  vi.stubGlobal('Node', { DOCUMENT_POSITION_FOLLOWING: 4 });
  store = new FormStore({ email: '', password: '' });
});

it('shows no error before the first submission', () => {
  store.mount('email', { element: field(1), rules: REQUIRED });
  store.change('email', '');
  expect(store.getState().errors).toEqual({});
});

it('refuses an empty required field and focuses the first one on the page', () => {
  const [email, password] = [field(1), field(2)];
  store.mount('password', { element: password, rules: REQUIRED });
  store.mount('email', { element: email, rules: REQUIRED });
  expect(store.validate()).toBe(false);
  expect(store.getState().errors).toEqual({ email: 'Enter it.', password: 'Enter it.' });
  expect(email.focus).toHaveBeenCalledOnce();
  expect(password.focus).not.toHaveBeenCalled();
});

it('accepts values that meet the rules', () => {
  store.mount('email', { element: field(1, 'a@b.example'), rules: REQUIRED });
  expect(store.validate()).toBe(true);
  expect(store.getState().errors).toEqual({});
});

it('gives a rule the other values', () => {
  const validate = vi.fn(() => 'Too short.' as const);
  store.mount('email', { element: field(1, 'a'), rules: {} });
  store.mount('password', { element: field(2, 'b'), rules: { validate } });
  expect(store.validate()).toBe(false);
  expect(validate).toHaveBeenCalledWith('b', { email: 'a', password: 'b' });
  expect(store.getState().errors).toEqual({ password: 'Too short.' });
});

it('updates an error while the person corrects the field', () => {
  const element = field(1);
  store.mount('email', { element, rules: REQUIRED });
  store.validate();
  store.change('email', 'a');
  expect(store.getState().errors).toEqual({});
  store.change('email', '');
  expect(store.getState().errors).toEqual({ email: 'Enter it.' });
});

it('removes an error of the server once its field changes', () => {
  store.setErrors({ email: 'Is taken.', password: 'Is too short.' });
  store.change('email', 'b@b.example');
  expect(store.getState().errors).toEqual({ password: 'Is too short.' });
});

it('ignores the rules of a field that left the page', () => {
  const unmount = store.mount('email', { element: field(1), rules: REQUIRED });
  unmount();
  expect(store.validate()).toBe(true);
});

it('keeps text that was typed before hydration', () => {
  store.mount('email', { element: field(1, 'typed@early.example'), rules: {} });
  expect(store.getState().values.email).toBe('typed@early.example');
});

it('reads a field again at submission, for password managers that send no event', () => {
  const element = field(1);
  store.mount('password', { element, rules: REQUIRED });
  element.value = 'filled in';
  expect(store.validate()).toBe(true);
  expect(store.getState().values.password).toBe('filled in');
});

it('takes no value from a radio button, since each has its own', () => {
  store.mount('email', { element: field(1, 'one of three', 'radio'), rules: {} });
  expect(store.getState().values.email).toBe('');
});

it('is dirty while a value differs from its default, and not after a reset to it', () => {
  store.change('email', 'a');
  expect(store.getState().isDirty).toBe(true);
  store.change('email', '');
  expect(store.getState().isDirty).toBe(false);
  store.change('email', 'b');
  store.reset({ email: 'b', password: '' });
  expect(store.getState()).toEqual({ values: { email: 'b', password: '' }, errors: {}, isDirty: false });
});

it('tells its listeners of each change until they leave', () => {
  const listener = vi.fn();
  const leave = store.subscribe(listener);
  store.change('email', 'a');
  leave();
  store.change('email', 'b');
  expect(listener).toHaveBeenCalledOnce();
});
