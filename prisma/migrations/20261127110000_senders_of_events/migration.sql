-- Who sent what: null for what was stored before, and where the address is unknown.
ALTER TABLE events ADD COLUMN api_key_id uuid, ADD COLUMN client_address text;
ALTER TABLE incoming_events ADD COLUMN client_address text;
