-- expand
ALTER TABLE "workers" ADD COLUMN "version" text;
