-- What viewers must not see of the requests that came in before the header of a source was changed.
ALTER TABLE sources ADD COLUMN earlier_signature_headers text[] DEFAULT ARRAY[]::text[];
