import type {BulkStorage} from '#browser/bulk-storage.ts'
import {countDrafts, countQuestions, type Unsent} from '#domain/unsent.ts'
import type {AppActor} from '#machines/app/app.machine.ts'
import {selectUser} from '#machines/auth/auth.selectors.ts'
import {actorOf} from '../actors.context.tsx'

/**
 * Counts what no server has of the user, in all tabs: they keep their drafts in one place, and tell each other of the questions
 * that wait.
 */
export async function countUnsent(root: AppActor, bulk: Pick<BulkStorage, 'drafts'>): Promise<Unsent> {
  const auth = actorOf(root, 'auth')
  const user = auth && selectUser(auth.getSnapshot())
  const list = actorOf(root, 'conversations')?.getSnapshot().context
  const queued = Object.values(list?.queues ?? {}).flat()
  return {
    drafts: user === undefined ? 0 : countDrafts(await bulk.drafts(user.id)),
    questions: countQuestions(list?.items ?? []) + queued.length,
  }
}
