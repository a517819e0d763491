import { describe, expect, it } from 'vitest';
import { ApiError } from '@/components/auth-session/api-error';
import { atFields, changedMembers, draftOf } from './portal-draft';

const DRAFT = draftOf({
  name: 'Acme',
  accentColor: '#3350d0',
  logoUrl: 'https://acme.example/logo.png',
  logoPath: '/api/v1/portal/logos/x',
  allowedOrigins: ['https://app.acme.example'],
});

describe('a draft of the settings of a portal', () => {
  it('sends what differs from what the form showed, and null for what was emptied', () => {
    expect(changedMembers(DRAFT, DRAFT)).toEqual({});
    expect(changedMembers({ ...DRAFT, name: ' ', accentColor: '#000000' }, DRAFT)).toEqual({
      name: null,
      accentColor: '#000000',
    });
    const allowedOrigins = ' https://app.acme.example \n\nhttp://localhost:3000\n';
    expect(changedMembers({ ...DRAFT, allowedOrigins }, DRAFT)).toEqual({
      allowedOrigins: ['https://app.acme.example', 'http://localhost:3000'],
    });
  });

  it('shows an error at its field, with the origin that is wrong', () => {
    const errors = [
      { path: 'portal.logoUrl', message: 'is larger than 64 KiB' },
      { path: 'portal.allowedOrigins.1', message: 'must start with https://' },
    ];
    const error = new ApiError({ status: 400, code: 'validation_failed', detail: 'x', errors });
    const shown = atFields(error, { ...DRAFT, allowedOrigins: 'https://a.example\nhttp://b.example' });
    expect((shown as ApiError).errors).toEqual([
      { path: 'logoUrl', message: 'is larger than 64 KiB' },
      { path: 'allowedOrigins', message: 'http://b.example must start with https://' },
    ]);
  });
});
