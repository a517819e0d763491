import { notFoundNext } from '@/lib/http/next-adapter';

// What no other route matches, when Next is asked directly; the web entry answers it before Next.
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = notFoundNext();
