-- Columns without a default: no table is rewritten, and an older version stores events without a trace context.

-- AlterTable
ALTER TABLE "events" ADD COLUMN "traceparent" TEXT;

-- AlterTable
ALTER TABLE "incoming_events" ADD COLUMN "traceparent" TEXT;

-- CreateTable
CREATE TABLE "process_figures" (
    "id" UUID NOT NULL,
    "part" TEXT NOT NULL,
    "pool_max" INTEGER NOT NULL,
    "general_in_use" INTEGER NOT NULL,
    "general_waiting" INTEGER NOT NULL,
    "hot_in_use" INTEGER NOT NULL,
    "hot_waiting" INTEGER NOT NULL,
    "event_loop_delay_ms" DOUBLE PRECISION NOT NULL,
    "seen_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "process_figures_pkey" PRIMARY KEY ("id")
);
