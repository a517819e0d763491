import { CircleCheck, Clock } from 'lucide-react';
import type { ReactNode } from 'react';
import { Brand } from '@/components/shell/logo';

const ATTEMPTS = [
  { number: 1, status: '503', took: '1.2 s', result: 'retried after 5 s' },
  { number: 2, status: '200', took: '84 ms', result: 'succeeded' },
];

/**
 * The layout of the pages before sign-in: the form and, on wide screens, an illustration. The form starts at a fixed
 * height; if it were centered, it would move whenever a notice appears.
 */
export function AuthScreen({ children }: { children: ReactNode }) {
  return (
    <div data-fills-screen="" className="grid min-h-dvh grid-cols-1 lg:grid-cols-2">
      <main className="flex flex-col px-5 py-6 sm:px-10">
        <Brand />
        <div className="mx-auto w-full max-w-sm py-10 sm:py-[14vh]">{children}</div>
      </main>
      <aside aria-hidden="true" className="hidden items-center justify-center border-l bg-sunken p-10 lg:flex">
        <DeliveryIllustration />
      </aside>
    </div>
  );
}

/** A decorative picture of the product: one event, its delivery and its attempts. */
function DeliveryIllustration() {
  return (
    <div className="w-full max-w-md">
      <Pane>
        <div className="flex items-center justify-between border-b px-4 py-2.5">
          <span className="font-medium font-mono text-sm">order.paid</span>
          <span className="inline-flex items-center gap-1 rounded-full bg-success-subtle px-2 py-0.5 font-medium text-success-text text-xs">
            <CircleCheck className="size-3.5" /> Succeeded
          </span>
        </div>
        <pre className="px-4 py-3 font-mono text-muted text-xs leading-5">
          {'{\n  "orderId": "ord_1042",\n  "amount": 129.00,\n  "currency": "EUR"\n}'}
        </pre>
      </Pane>
      {/* It ends above the icons. */}
      <div className="mx-6 h-5 border-border-strong border-l border-dashed" />
      <Pane>
        <p className="border-b px-4 py-2.5 font-mono text-xs">
          <span className="text-muted">POST</span> https://shop.example/webhooks
        </p>
        <ul>
          {ATTEMPTS.map((attempt) => (
            <li key={attempt.number} className="flex items-center gap-3 border-b px-4 py-2.5 text-xs last:border-b-0">
              {attempt.status === '200' ? (
                <CircleCheck className="size-4 text-success-text" />
              ) : (
                <Clock className="size-4 text-warning-text" />
              )}
              <span className="tabular-nums">Attempt {attempt.number}</span>
              <span className="font-mono text-muted">
                {attempt.status} · {attempt.took}
              </span>
              <span className="ml-auto text-muted">{attempt.result}</span>
            </li>
          ))}
        </ul>
      </Pane>
      <p className="mt-8 text-balance text-center font-medium text-lg">Every event stored, signed and delivered.</p>
      <p className="mt-1 text-balance text-center text-muted text-sm">
        We retry when your receiver is down and log every attempt.
      </p>
    </div>
  );
}

function Pane({ children }: { children: ReactNode }) {
  return <div className="overflow-hidden rounded-lg border bg-surface shadow-raised">{children}</div>;
}
