-- Who copied the link last. A column without a default: no table is rewritten, and an older version leaves it null.

-- AlterTable
ALTER TABLE "invitations" ADD COLUMN "link_created_by_id" UUID;
