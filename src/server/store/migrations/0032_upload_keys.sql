-- expand
ALTER TABLE "idempotency_keys" ADD COLUMN "file_stored_as" text;
