import { boolean, integer, nullable, text, timestamp, uuid } from '@/lib/platform/sql/column';
import { statement } from '@/lib/platform/sql/statement';

/**
 * Finds attempt $3 of delivery $2 of project $1, with the URL of its target; the URL is null if it has changed since. A forward
 * also has the header that its source checks. Partitions are
 * searched by delivery, which the primary key starts with.
 */
export const findAttempt = statement(
  `
  SELECT a.id, a.attempt_number, a.started_at, a.duration_ms, a.response_status, a.response_body, a.error, a.succeeded,
         a.request_parts, a.response_headers, a.remote_address, a.dns_us, a.connect_us, a.tls_us, a.first_byte_us,
         d.event_id, d.incoming_event_id, s.signature_header,
         CASE WHEN coalesce(ep.url_changed_at, ds.url_changed_at) > a.started_at THEN NULL
              ELSE coalesce(ep.url, ds.url) END AS url
  FROM deliveries d
  JOIN delivery_attempts a ON a.delivery_id = d.id
  LEFT JOIN endpoints ep ON ep.id = d.endpoint_id
  LEFT JOIN destinations ds ON ds.id = d.destination_id
  LEFT JOIN sources s ON s.id = ds.source_id
  WHERE d.project_id = $1 AND d.id = $2 AND a.id = $3`,
  {
    id: uuid,
    attempt_number: integer,
    started_at: timestamp,
    duration_ms: integer,
    response_status: nullable(integer),
    response_body: nullable(text),
    error: nullable(text),
    succeeded: boolean,
    request_parts: nullable(text),
    response_headers: nullable(text),
    remote_address: nullable(text),
    dns_us: nullable(integer),
    connect_us: nullable(integer),
    tls_us: nullable(integer),
    first_byte_us: nullable(integer),
    event_id: nullable(uuid),
    incoming_event_id: nullable(uuid),
    signature_header: nullable(text),
    url: nullable(text),
  },
);
