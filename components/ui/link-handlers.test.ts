import { beforeEach, expect, it, vi } from 'vitest';
import { type LinkProps, linkHandlers } from './link-handlers';

const router = { push: vi.fn(), prefetch: vi.fn() };

beforeEach(() => vi.clearAllMocks());

const anchorOf = (props: LinkProps) => linkHandlers(props, router);

/** Clicks a link, and returns whether the product or the browser opens its page. */
function click(props: LinkProps, { download = false, ...fields }: { download?: boolean; [key: string]: unknown } = {}) {
  const event = {
    button: 0,
    defaultPrevented: false,
    preventDefault: vi.fn(),
    currentTarget: { target: props.target ?? '', hasAttribute: () => download },
    ...fields,
  };
  anchorOf(props).onClick(event as never);
  expect(event.preventDefault).toHaveBeenCalledTimes(router.push.mock.calls.length);
  return router.push.mock.calls.length === 1 ? 'product' : 'browser';
}

it.each(['/', '/events?type=a', '?status=FAILED', '#top'])('opens %s without a reload', (href) => {
  expect(click({ href })).toBe('product');
  expect(router.push).toHaveBeenCalledWith(href);
});

it.each(['https://example.com', '//example.com', '/\\example.com', 'mailto:a@example.com', 'javascript:alert(1)'])(
  'leaves %s to the browser, and never prefetches it',
  (href) => {
    expect(click({ href })).toBe('browser');
    anchorOf({ href }).onFocus?.({} as never);
    expect(router.prefetch).not.toHaveBeenCalled();
  },
);

it.each([
  { metaKey: true },
  { ctrlKey: true },
  { shiftKey: true },
  { altKey: true },
  { button: 1 },
  { download: true },
])('leaves a click with %j to the browser', (fields) => expect(click({ href: '/events' }, fields)).toBe('browser'));

it('leaves a link to another tab, and a click that something else has handled, alone', () => {
  expect(click({ href: '/events', target: '_blank' })).toBe('browser');
  expect(click({ href: '/events' }, { defaultPrevented: true })).toBe('browser');
});

it('runs its own handler first', () => {
  const onClick = vi.fn(() => expect(router.push).not.toHaveBeenCalled());
  expect(click({ href: '/events', onClick })).toBe('product');
  expect(onClick).toHaveBeenCalledTimes(1);
});

it('prefetches when the person points at it, touches it or focuses it, and not without', () => {
  const { onPointerEnter, onTouchStart, onFocus } = anchorOf({ href: '/events' });
  expect(router.prefetch).not.toHaveBeenCalled();
  onPointerEnter?.({} as never);
  onTouchStart?.({} as never);
  onFocus?.({} as never);
  expect(router.prefetch.mock.calls).toEqual([['/events'], ['/events'], ['/events']]);
  anchorOf({ href: '/events', prefetch: false }).onPointerEnter?.({} as never);
  expect(router.prefetch).toHaveBeenCalledTimes(3);
});
