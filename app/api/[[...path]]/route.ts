import { notFoundNext } from '@/lib/http/next-adapter';

// Unknown paths in requests that reach Next directly; the web entry answers them before Next.
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = notFoundNext();
