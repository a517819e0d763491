-- A plain unique index makes its column part of the row's key. A change of the key waits for every transaction that has inserted a
-- reference to the row, so under constant traffic the URL of a source could neither be rotated nor deleted.
DROP INDEX "sources_token_hash_key";
CREATE UNIQUE INDEX "sources_token_hash_key" ON "sources"("token_hash") WHERE "token_hash" IS NOT NULL;
DROP INDEX "sources_previous_token_hash_key";
CREATE UNIQUE INDEX "sources_previous_token_hash_key" ON "sources"("previous_token_hash") WHERE "previous_token_hash" IS NOT NULL;
