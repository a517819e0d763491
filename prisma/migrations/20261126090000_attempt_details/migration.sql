-- Columns without a default: no table is rewritten. Attempts of older versions leave them null.

-- AlterTable
ALTER TABLE "delivery_attempts" ADD COLUMN "request_parts" TEXT,
ADD COLUMN "response_headers" TEXT,
ADD COLUMN "remote_address" TEXT,
ADD COLUMN "dns_us" INTEGER,
ADD COLUMN "connect_us" INTEGER,
ADD COLUMN "tls_us" INTEGER,
ADD COLUMN "first_byte_us" INTEGER;

-- AlterTable
ALTER TABLE "endpoints" ADD COLUMN "url_changed_at" TIMESTAMPTZ(3),
ADD COLUMN "pause_reason" TEXT;

-- AlterTable
ALTER TABLE "destinations" ADD COLUMN "url_changed_at" TIMESTAMPTZ(3);
