-- The link that an inviter copies has a token of its own: unlike the one in the email, it does not prove the address.
ALTER TABLE "invitations" ADD COLUMN "link_hash" BYTEA;

-- CreateIndex
CREATE UNIQUE INDEX "invitations_link_hash_key" ON "invitations"("link_hash");
