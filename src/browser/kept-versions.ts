import {z} from '#contract/schema.ts'
import type {HiddenMessage, VersionNames} from '#domain/hidden-versions.ts'
import {storedMessage} from '#domain/persisted-state.ts'
import {versionsPrefix, type BulkStorage} from './bulk-storage.ts'

/** `id`: the conversation's on the server. `name`: the path and revision beside which its hidden versions were read. */
export type VersionsKey = {id: string; name: string}

const hiddenMessages = z.array(
  z.object({...storedMessage.shape, parent: z.optional(z.string()), hidden_at: z.optional(z.number())}),
)

/**
 * Keeps the hidden versions of conversations for the search, one record of each conversation. They go with the
 * conversation and with the sign-out.
 */
export function createKeptVersions({versions, flush}: Pick<BulkStorage, 'versions' | 'flush'>, userId: string) {
  const prefix = versionsPrefix(userId)
  const keyOf = ({id, name}: VersionsKey) => `${versionsPrefix(userId, id)}${name}`
  /** Those that the database refused, as long as the page is there. */
  const refused = new Map<string, readonly HiddenMessage[]>()
  const keys = async () => {
    await flush()
    return [...(await versions.keysOf(prefix)), ...refused.keys()]
  }
  const remove = (key: string) => {
    refused.delete(key)
    versions.put(key, undefined)
  }
  return {
    /** The names of all that are kept, by the id of their conversation. */
    async names(): Promise<VersionNames> {
      return Object.fromEntries(
        (await keys()).map((key) => {
          const [id = '', ...name] = key.slice(prefix.length).split('/')
          return [decodeURIComponent(id), name.join('/')]
        }),
      )
    },
    async read(entries: readonly VersionsKey[]): Promise<Map<string, readonly HiddenMessage[]>> {
      const values = await versions.readAll(entries.map(keyOf))
      return new Map(
        entries.map((entry, index) => {
          const parsing = hiddenMessages.safeParse(values[index])
          return [entry.id, parsing.success ? parsing.data : (refused.get(keyOf(entry)) ?? [])]
        }),
      )
    },
    /** Instead of those of the same conversations. An aborted call writes nothing: the user may be signed out. */
    async keep(
      entries: readonly (VersionsKey & {messages: readonly HiddenMessage[]})[],
      signal: AbortSignal,
    ): Promise<void> {
      const ids = new Set(entries.map(({id}) => versionsPrefix(userId, id)))
      const before = await keys()
      if (signal.aborted) return
      const outdatedKeys = before.filter((key) => ids.has(`${key.split('/').slice(0, 4).join('/')}/`))
      for (const key of outdatedKeys) remove(key)
      for (const entry of entries) versions.put(keyOf(entry), entry.messages)
      await flush()
      const storedKeys = new Set(await versions.keysOf(prefix))
      for (const entry of entries) if (!storedKeys.has(keyOf(entry))) refused.set(keyOf(entry), entry.messages)
    },
    /** Removes those of these conversations. */
    forget(entries: readonly VersionsKey[]): void {
      for (const entry of entries) remove(keyOf(entry))
    },
  }
}

export type KeptVersions = ReturnType<typeof createKeptVersions>
