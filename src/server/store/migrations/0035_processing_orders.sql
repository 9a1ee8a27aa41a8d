-- expand
ALTER TABLE "orders" ADD COLUMN "processing_at" timestamp with time zone;