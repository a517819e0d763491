-- Where a key was last used from: null for what was stored before, and where the address is unknown.
ALTER TABLE api_keys ADD COLUMN last_used_from text;
