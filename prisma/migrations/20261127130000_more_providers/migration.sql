ALTER TYPE "SourceProvider" ADD VALUE 'TOKEN';
ALTER TYPE "SourceProvider" ADD VALUE 'GITLAB';
ALTER TYPE "SourceProvider" ADD VALUE 'TELEGRAM';
ALTER TYPE "SourceProvider" ADD VALUE 'PADDLE';
ALTER TYPE "SourceProvider" ADD VALUE 'CALENDLY';
ALTER TYPE "SourceProvider" ADD VALUE 'ZENDESK';
ALTER TYPE "SourceProvider" ADD VALUE 'HUBSPOT';
ALTER TYPE "SourceProvider" ADD VALUE 'SQUARE';
ALTER TYPE "SourceProvider" ADD VALUE 'META';
ALTER TYPE "SourceProvider" ADD VALUE 'ZOOM';
ALTER TYPE "SourceProvider" ADD VALUE 'MICROSOFT_GRAPH';
ALTER TYPE "SourceProvider" ADD VALUE 'DISCORD';
-- How a generic HMAC is made. Null for what the provider fixes, and for sources from before, which have the defaults.
ALTER TABLE sources
  ADD COLUMN signature_algorithm text,
  ADD COLUMN signature_key text,
  ADD COLUMN signed_content text,
  ADD COLUMN timestamp_header text,
  ADD COLUMN timestamp_key text,
  ADD COLUMN id_header text,
  ADD COLUMN secret_encoding text;
