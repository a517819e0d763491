-- A constant default: no row is rewritten, and older versions need not know the column.
ALTER TABLE "users" ADD COLUMN "times_in_utc" BOOLEAN NOT NULL DEFAULT false;
