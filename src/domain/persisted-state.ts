import {conversation as wireConversation, chatMessage} from '#contract/chat.ts'
import {application, credential, service, site, user} from '#contract/management.ts'
import {modelGroups} from '#contract/models.ts'
import {z} from '#contract/schema.ts'
import {locales} from './locale.ts'

/*
 * What the browser keeps under the key `vuex` (spec §4, contract/startup-auth §8). Root slices and one slice a service
 * stand at the top level; each is validated on its own, so a broken one costs only itself (security R55).
 */

const token = z.object({
  access: z.string().check(z.minLength(1)),
  refresh: z.optional(z.string()),
  expiration: z.number(),
  receivedAt: z._default(z.number(), 0),
  refreshAt: z._default(z.number(), 0),
})

const storedConversation = z.object({
  ...wireConversation.shape,
  key: z.optional(z.string()),
  messages: z.array(z.object({...chatMessage.shape, seq: z.optional(z.number()), unsent: z.optional(z.boolean())})),
})

const chat = z.object({
  application: z.optional(application),
  applications: z.optional(z.array(application)),
  service: z.optional(service),
  credential: z.optional(credential),
  conversations: z.optional(z.array(storedConversation)),
  /** Name of the model last chosen, and its group. */
  model: z.optional(z.string()),
  modelGroup: z.optional(z.enum(modelGroups)),
  /** Ours: the model last chosen in each group. */
  models: z.optional(z.partialRecord(z.enum(modelGroups), z.string())),
})

const slices = {
  user,
  token,
  setting: z.looseObject({}),
  locale: z.enum(locales),
  dark: z.boolean(),
  site,
  currency: z.string().check(z.regex(/^[a-z]{3}$/)),
  exchange: z.record(z.string(), z.number().check(z.positive())),
  fingerprint: z.string().check(z.maxLength(128)),
  chat,
} as const
type Slices = typeof slices

export type PersistedState = {[Name in keyof Slices]?: z.output<Slices[Name]>}
export type StoredConversation = z.output<typeof storedConversation>

const isSliceName = (name: string): name is keyof Slices => Object.hasOwn(slices, name)

/** Slices that belong to the browser, not to a person: they survive signing out (contract/startup-auth §6). */
const ofBrowser: readonly string[] = [
  'setting',
  'locale',
  'dark',
  'site',
  'currency',
  'exchange',
  'fingerprint',
] satisfies (keyof Slices)[]
export const isOfBrowser = (slice: string): boolean => ofBrowser.includes(slice)

/** Keeps every slice that is valid and names those that are not; slices nobody knows are left out. Never throws. */
export function validateState(stored: Record<string, unknown>): {state: PersistedState; broken: string[]} {
  const broken: string[] = []
  const valid: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(stored)) {
    if (!isSliceName(name) || value === undefined || value === null) continue
    const parsed = z.safeParse(slices[name], value)
    if (parsed.success) valid[name] = parsed.data
    else broken.push(name)
  }
  return {state: valid, broken}
}

/** Bounds of what is stored (security R56). Bulk data lives in IndexedDB. */
export const storageBounds = {bytes: 2_000_000, conversations: 50, messageBytes: 65_536} as const

const textSize = (value: unknown) => JSON.stringify(value)?.length ?? 0

const boundConversations = (all: readonly StoredConversation[], most: number) =>
  [...all]
    .sort((a, b) => (b.updated_at ?? 0) - (a.updated_at ?? 0))
    .slice(0, most)
    .filter((item) => textSize(item) <= storageBounds.messageBytes)

const withConversations = (state: PersistedState, conversations: StoredConversation[]): PersistedState => ({
  ...state,
  chat: {...state.chat, conversations},
})

/** The newest 50 conversations, none over 64 KB, all together within 2 MB. */
export function boundState(state: PersistedState): PersistedState {
  const all = state.chat?.conversations
  if (all === undefined) return state
  let bounded = withConversations(state, boundConversations(all, storageBounds.conversations))
  while (textSize(bounded) > storageBounds.bytes) {
    const smaller = shrinkState(bounded)
    if (smaller === undefined) break
    bounded = smaller
  }
  return bounded
}

/**
 * The state without its oldest part, for a store that is full: half of the conversations, then all that can be read
 * again from the server; token and user go last and are never dropped here. Undefined when nothing can go.
 */
export function shrinkState(state: PersistedState): PersistedState | undefined {
  const conversations = state.chat?.conversations ?? []
  if (conversations.length > 0) {
    return withConversations(state, boundConversations(conversations, Math.floor(conversations.length / 2)))
  }
  if (state.chat !== undefined && Object.keys(state.chat).some((name) => name !== 'conversations')) {
    return {...state, chat: undefined}
  }
  return undefined
}
