-- AlterTable
ALTER TABLE "tunnels" ADD COLUMN     "allowed_cidrs" TEXT[] DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "basic_auth_hash" BYTEA,
ADD COLUMN     "basic_auth_username" TEXT,
ADD COLUMN     "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- AlterTable
ALTER TABLE "tunnel_request_log" ADD COLUMN     "replay_of" UUID,
ADD COLUMN     "request_body" BYTEA,
ADD COLUMN     "request_body_truncated" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "request_headers" TEXT,
ADD COLUMN     "response_body" BYTEA,
ADD COLUMN     "response_body_truncated" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "response_headers" TEXT;

-- What Prisma has no word for.

-- A name without a password would let anybody in, or nobody.
ALTER TABLE "tunnels" ADD CONSTRAINT "tunnels_basic_auth_check"
  CHECK (("basic_auth_username" IS NULL) = ("basic_auth_hash" IS NULL));
