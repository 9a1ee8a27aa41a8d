-- expand
ALTER TABLE "messages" ADD COLUMN "thought_ms" integer;