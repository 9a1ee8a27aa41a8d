-- expand
ALTER TABLE "messages" ADD COLUMN "copied_from" uuid;