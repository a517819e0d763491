import { api } from '@/lib/api/table';
import { toNext } from '@/lib/http/next-adapter';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toNext(
  '/api/v1/projects/{projectId}/customers/{customer}/portal-links',
  api['/api/v1/projects/{projectId}/customers/{customer}/portal-links'],
);
