import { expect, it } from 'vitest';
import { layOutMail } from './layout';

const content = {
  subject: 'Confirm <it>',
  paragraphs: ['First & foremost.'],
  action: { label: 'Confirm', url: 'https://events.example.com/verify-email?token=a&b="c"' },
  closing: ['Good for 24 hours.'],
};

it('contains the same in text and in HTML', () => {
  const { subject, text, html } = layOutMail(content);
  expect(subject).toBe('Confirm <it>');
  for (const part of ['First & foremost.', content.action.url, 'Good for 24 hours.']) expect(text).toContain(part);
  expect(html).toContain('First &#38; foremost.');
  expect(html).toContain('Good for 24 hours.');
});

it('escapes every text in HTML', () => {
  const { html } = layOutMail({ ...content, paragraphs: ['<img src=x onerror=alert(1)>'] });
  expect(html).not.toContain('<img');
  expect(html).not.toContain('Confirm <it>');
  expect(html).toContain('token=a&#38;b=&#34;c&#34;"');
});

it('loads no external resource', () => {
  expect(layOutMail(content).html).not.toMatch(/<(img|link|script|style|iframe)|url\(|src=/i);
});
