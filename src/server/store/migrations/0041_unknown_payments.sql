-- expand
ALTER TABLE "payments" ADD COLUMN "unknown_reason" text;