-- expand
ALTER TABLE "messages" ADD COLUMN "hidden_at" timestamp with time zone;