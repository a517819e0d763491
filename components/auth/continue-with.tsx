import { LogIn } from 'lucide-react';
import { Button } from '@/components/ui/button';
import type { SignInProvider } from '@/lib/idp/schema';
import { providerPath } from './provider-path';

/** Buttons for the identity providers. Renders nothing when none is configured. */
export function ContinueWith({ providers, returnTo }: { providers: readonly SignInProvider[]; returnTo: string }) {
  if (providers.length === 0) return null;
  return (
    <div className="mb-5 grid gap-2">
      {providers.map(({ id, name }) => (
        <Button key={id} asChild size="lg" className="w-full">
          <a href={providerPath(id, returnTo)}>
            <LogIn aria-hidden="true" />
            Continue with {name}
          </a>
        </Button>
      ))}
      <p className="mt-3 flex items-center gap-3 text-muted text-xs before:h-px before:flex-1 before:bg-border after:h-px after:flex-1 after:bg-border">
        or with a password
      </p>
    </div>
  );
}
