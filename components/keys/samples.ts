import type { CodeSample } from '@/components/ui/code-tabs';

/** Replaces the plaintext where it is unknown. */
export const KEY_VARIABLE = '$EDS_API_KEY';

const DATA = '{"orderId": "ord_1042", "amount": 129.00}';

const TYPE = 'order.paid';

/**
 * Returns a curl command that creates something.
 * @param path below /api/v1
 * @param body JSON without single quotes
 */
export function createCurl(baseUrl: string, path: string, body: string, key = KEY_VARIABLE): string {
  return `curl ${baseUrl}/api/v1${path} \\
  -H "X-API-Key: ${key}" \\
  -H "Content-Type: application/json" \\
  -d '${body}'`;
}

/** Returns a curl command that sends one event. @param customer the uid of the customer whose event it is; empty for none */
export function curlSample(baseUrl: string, key: string, type = TYPE, customer = ''): string {
  const member = customer === '' ? '' : `"customer": "${customer}", `;
  return createCurl(baseUrl, '/events', `{"type": "${type}", ${member}"data": ${DATA}}`, key);
}

/** Returns a curl command that lists what is at a path below /api/v1. */
export function listCurl(baseUrl: string, path: string, key = KEY_VARIABLE): string {
  return `curl ${baseUrl}/api/v1${path} -H "X-API-Key: ${key}"`;
}

/** Returns the command that installs the command-line client, which each deployment serves in its own version. */
export function installCommand(baseUrl: string): string {
  return `npm install --global ${baseUrl}/downloads/eds.tgz`;
}

/** Returns samples that send one event with curl, Node, Python and the command-line client. @param customer as in `curlSample` */
export function sendSamples(baseUrl: string, key: string, type = TYPE, customer = ''): CodeSample[] {
  const quoted = (fromEnvironment: string) => (key === KEY_VARIABLE ? fromEnvironment : `'${key}'`);
  return [
    { name: 'curl', language: 'shell', code: curlSample(baseUrl, key, type, customer) },
    {
      name: 'Node',
      language: 'javascript',
      code: `const response = await fetch('${baseUrl}/api/v1/events', {
  method: 'POST',
  headers: {
    'X-API-Key': ${quoted('process.env.EDS_API_KEY')},
    'Content-Type': 'application/json',
    'Idempotency-Key': crypto.randomUUID(),
  },
  body: JSON.stringify({
    type: '${type}',${customer === '' ? '' : `\n    customer: '${customer}',`}
    data: { orderId: 'ord_1042', amount: 129.0 },
  }),
});
if (!response.ok) throw new Error(await response.text());`,
    },
    {
      name: 'Python',
      language: 'python',
      code: `import json, os, urllib.request

request = urllib.request.Request(
    '${baseUrl}/api/v1/events',
    headers={
        'X-API-Key': ${quoted("os.environ['EDS_API_KEY']")},
        'Content-Type': 'application/json',
    },
    data=json.dumps({
        'type': '${type}',${customer === '' ? '' : `\n        'customer': '${customer}',`}
        'data': {'orderId': 'ord_1042', 'amount': 129.0},
    }).encode(),
)
print(urllib.request.urlopen(request).read())`,
    },
    {
      name: 'eds',
      language: 'shell',
      code: `${installCommand(baseUrl)}
export EDS_API_URL=${baseUrl}${key === KEY_VARIABLE ? '' : ` EDS_API_KEY=${key}`}
eds send ${type} -d '${DATA}'${customer === '' ? '' : ` --customer ${customer}`}`,
    },
  ];
}
