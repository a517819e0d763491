import { createElement, isValidElement, type ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it, vi } from 'vitest';
import { Slot } from './slot';

it('gives its attributes to its child, which keeps its own', () => {
  const child = createElement('a', { href: '/x', className: 'b', id: 'own' });
  const html = renderToStaticMarkup(createElement(Slot, { className: 'a', id: 'given', title: 'T' }, child));
  expect(html).toBe('<a href="/x" class="a b" id="own" title="T"></a>');
});

it('runs both handlers of an event, the child’s first', () => {
  const order: string[] = [];
  const child = createElement('a', { onClick: () => order.push('child') });
  const own = vi.fn(() => order.push('slot'));
  const merged = Slot({ onClick: own, children: child }) as ReactElement<{ onClick: (event: unknown) => void }>;
  expect(isValidElement(merged)).toBe(true);
  merged.props.onClick('event');
  expect(order).toEqual(['child', 'slot']);
  expect(own).toHaveBeenCalledWith('event');
});
