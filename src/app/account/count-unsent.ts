import type {BulkStorage} from '#browser/bulk-storage.ts'
import {countDrafts, countQuestions, type Unsent} from '#domain/unsent.ts'
import type {AppActor} from '#machines/app/app.machine.ts'
import {selectUser} from '#machines/auth/auth.selectors.ts'
import {actorOf} from '../actors.context.tsx'

/** The records of a user that no server may have. */
export type UnsentRecords = Pick<BulkStorage, 'conversations' | 'drafts' | 'intents'>

/**
 * Counts what no server has of the user, in all tabs: they keep their drafts and requests in one place, tell each other
 * of the questions that wait, and store conversations that no server has named.
 */
export async function countUnsent(root: AppActor, bulk: UnsentRecords): Promise<Unsent> {
  const auth = actorOf(root, 'auth')
  const user = auth && selectUser(auth.getSnapshot())
  if (user === undefined) return {drafts: 0, questions: 0, tasks: 0}
  const list = actorOf(root, 'conversations')?.getSnapshot().context
  const queued = Object.values(list?.queues ?? {}).flat()
  const items = list?.items ?? []
  const names = new Set(items.flatMap(({id, key}) => [id, key]))
  const [drafts, unlistedRecords, intents] = await Promise.all([
    bulk.drafts(user.id),
    // the list may have thousands
    bulk.conversations(user.id, (name) => !names.has(name)),
    bulk.intents(user.id),
  ])
  return {
    drafts: countDrafts(drafts),
    questions: countQuestions([...items, ...unlistedRecords]) + queued.length,
    tasks: intents.length,
  }
}
