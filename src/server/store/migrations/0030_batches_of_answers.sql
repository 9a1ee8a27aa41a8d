-- expand
-- safe: only a check is dropped, and the lock lasts as long as that; the user of a delta is that of its answer, with which it goes
ALTER TABLE "answer_chunks" DROP CONSTRAINT "answer_chunks_user_id_users_id_fk";
