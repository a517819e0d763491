import { describe, expect, it } from 'vitest';
import { describeMark, type MarkFacts } from './live-mark';

const REST: MarkFacts = { stream: 'live', hasFailed: false, isPaused: false, hold: null, pollMs: 3000 };
const labelOf = (facts: Partial<MarkFacts>) => describeMark({ ...REST, ...facts }).label;

describe('the mark of a list', () => {
  it('says whether rows arrive by themselves', () => {
    expect(labelOf({})).toBe('Live');
    expect(labelOf({ stream: 'connecting' })).toBe('Live');
    expect(labelOf({ stream: 'polling' })).toBe('Every 3 s');
    expect(labelOf({ hold: 'touch' })).toBe('Live');
  });

  it('says that new rows wait, and why', () => {
    expect(labelOf({ isPaused: true })).toBe('Paused');
    for (const hold of ['pointer', 'focus', 'selection', 'scroll', 'pages'] as const) {
      const { label, explanation } = describeMark({ ...REST, hold });
      expect([label, explanation]).toEqual(['Paused', expect.stringContaining('New rows wait')]);
    }
  });

  it('says first that the list is not up to date', () => {
    expect(labelOf({ stream: 'offline', isPaused: true })).toBe('Offline');
    expect(labelOf({ stream: 'polling', hasFailed: true, hold: 'pointer' })).toBe('Offline');
    expect(labelOf({ stream: 'live', hasFailed: true })).toBe('Offline');
  });

  it('is announced when the person did something or must know, not when the pointer moves', () => {
    const announcementOf = (facts: Partial<MarkFacts>) => describeMark({ ...REST, ...facts }).announcement;
    expect(announcementOf({ hold: 'pointer' })).toBe('');
    expect(announcementOf({ isPaused: true })).toBe('Updates paused.');
    expect(announcementOf({ stream: 'offline' })).toContain('not up to date');
  });
});
