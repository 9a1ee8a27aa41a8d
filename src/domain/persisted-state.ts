import {conversation as wireConversation, chatMessage} from '#contract/chat.ts'
import {application, credential, service, site, user} from '#contract/management.ts'
import {modelGroups} from '#contract/models.ts'
import {z} from '#contract/schema.ts'
import {task} from '#contract/task.ts'
import {leftFavourites} from './favourites-of-users.ts'
import {isRecord} from '#contract/is-record.ts'
import {locales} from './locale.ts'

/*
 * The state that the browser keeps under the key `vuex` (spec §4, contract/startup-auth §8). Root slices and one slice
 * for each service stand at the top level. Each is validated on its own, so a broken one costs only itself (security
 * R55).
 */

const token = z.object({
  access: z.string().check(z.minLength(1)),
  refresh: z.optional(z.string()),
  expiration: z.number(),
  receivedAt: z._default(z.number(), 0),
  refreshAt: z._default(z.number(), 0),
  userId: z.optional(z.string()),
})

/** A message as the client stores it (domain/conversation.ts). */
export const storedMessage = z.object({
  ...chatMessage.shape,
  seq: z.optional(z.number()),
  unsent: z.optional(z.boolean()),
  unconfirmed: z.optional(z.boolean()),
  removing: z.optional(z.boolean()),
  after: z.optional(z.string()),
  held: z.optional(z.boolean()),
})
export const storedMessages = z.array(storedMessage)

const storedConversation = z.object({
  ...wireConversation.shape,
  key: z.optional(z.string()),
  messages: storedMessages,
  /** Ours: a browser without a database has them here alone. */
  unsentVersions: z.optional(z.array(storedMessages)),
})

/** Characters of a short text. A longer one breaks its slice. */
export const longestStored = 1_000
const shortText = z.string().check(z.maxLength(longestStored))

const chat = z.object({
  application: z.optional(application),
  applications: z.optional(z.array(application)),
  service: z.optional(service),
  credential: z.optional(credential),
  conversations: z.optional(z.array(storedConversation)),
  /** Ours: ids of deleted conversations, until the server confirmed it. */
  removing: z.optional(z.array(z.string())),
  /** Ours: ids of conversations whose answer was not seen. */
  unread: z.optional(z.array(z.string())),
  /** Name of the model last chosen, and its group. */
  model: z.optional(z.string()),
  modelGroup: z.optional(z.enum(modelGroups)),
  /** Ours: the model last chosen in each group. */
  models: z.optional(z.partialRecord(z.enum(modelGroups), z.string())),
  /** Ours: the conversation last on screen in each group, by id or key; none where that was a new one. */
  lastConversations: z.optional(z.partialRecord(z.enum(modelGroups), shortText)),
  /** Ours: names of the compared conversations, where a comparison was on screen last. */
  lastComparison: z.optional(z.array(shortText)),
})

const audio = z.object({
  /** 0 to 100 (spec §3). */
  volume: z.number().check(z.minimum(0), z.maximum(100)),
})

const webAddress = z.string().check(z.maxLength(4096), z.regex(/^(?:https?:\/)?\/\S+$/i))
const track = z.object({
  id: shortText,
  url: webAddress,
  title: shortText,
  subtitle: z.optional(shortText),
  coverUrl: z.optional(webAddress),
  lyric: z.optional(z.string().check(z.maxLength(20_000))),
  duration: z.optional(z.number().check(z.minimum(0))),
  tool: z.optional(shortText),
  task: z.optional(shortText),
})

/** Ours: the songs in the player (screens.md §3). Not in `audio`: songs belong to a user, the volume to the browser. */
const player = z
  .object({
    queue: z.array(track).check(z.minLength(1), z.maxLength(20)),
    index: z.int().check(z.minimum(0)),
    position: z.number().check(z.minimum(0)),
  })
  .check(z.refine(({queue, index}) => index < queue.length, {path: ['index']}))

/**
 * Ours: ids of conversations that are being deleted. From `until` on, in unix milliseconds of this browser, any page may
 * delete them; before that one page offers to take it back. `ahead`: milliseconds by which this browser's clock differed
 * from the server's, which dates conversations. Not in `chat`, which every tab writes whole.
 */
const deletions = z.array(z.object({id: z.string(), until: z.number(), ahead: z.optional(z.number())}))

/** Ours: ids of deleted tasks, by tool, until the server confirms. Not in the tools, which every tab writes whole. */
const deletedTasks = z.record(z.string(), z.array(z.string()))

/**
 * Ours: the colour of each label of conversations, by its number. Not in `chat`, which a tab writes as it remembers it:
 * labels are read and written in one step, so that no tab drops a colour that another tab gave.
 */
const labels = z.array(z.object({label: shortText, colour: z.int().check(z.minimum(0))}))
export type LabelColour = z.output<typeof labels>[number]

/**
 * The slice of one media tool, under its id (contract/startup-auth §8): its newest tasks; all of them live in
 * IndexedDB. Tools are told by the shape of their slice, not by a list of names: a tool is its two files alone.
 */
const toolSlice = z.object({
  application: z.optional(application),
  applications: z.optional(z.array(application)),
  credential: z.optional(credential),
  tasks: z.optional(
    z.object({
      items: z.array(task),
      total: z.number(),
      active: z.optional(z.string()),
      /** Ours: ids of those that run, as the tool read them. */
      running: z.optional(z.array(z.string())),
      /** Ours: the last ends, for the tray (`readEnded`). */
      ended: z.optional(z.array(z.unknown())),
    }),
  ),
  /** As `deletedTasks`, from builds before it; read, and no more written. */
  removing: z.optional(z.array(z.string())),
  /** The specification's slice of midjourney has it; written for every tool whose form does, and read by nobody. */
  mode: z.optional(z.string()),
  /** Ours: marked results (`FavouriteMarks`); what is no mark costs only the marks. */
  favourites: z.optional(z.catch(z.record(z.string().check(z.maxLength(200)), z.number()), {})),
  /** Ours: the settings last used. */
  config: z.optional(z.record(z.string(), z.unknown())),
})
export type ToolSlice = z.output<typeof toolSlice>

const slices = {
  user,
  /** Ours: id of the user to whom all that is not of the browser belongs; `user` is missing during a sign-in. */
  owner: z.string(),
  token,
  setting: z.looseObject({}),
  locale: z.enum(locales),
  dark: z.boolean(),
  site,
  currency: z.string().check(z.regex(/^[a-z]{3}$/)),
  exchange: z.record(z.string(), z.number().check(z.positive())),
  fingerprint: z.string().check(z.maxLength(128)),
  chat,
  audio,
  player,
  deletions,
  deletedTasks,
  labels,
  favourites: leftFavourites,
} as const
type Slices = typeof slices

export type PersistedState = {[Name in keyof Slices]?: z.output<Slices[Name]>}

const isToolName = (name: string) => /^[a-z][a-z0-9]{1,31}$/.test(name) && !isSliceName(name)

/** The slice of a media tool, by the tool's id. */
export const readToolSlice = (state: PersistedState, tool: string): ToolSlice | undefined =>
  // as: the type knows no slice of a tool by its name; validation kept only slices of this shape
  isToolName(tool) ? (state as Record<string, ToolSlice | undefined>)[tool] : undefined

/** The change that writes it, for `StateStorage.save`; a name of another slice writes nothing. */
export const withToolSlice = (tool: string, slice: ToolSlice | undefined): Partial<PersistedState> =>
  isToolName(tool) ? {[tool]: slice} : {}

/** Ids of the tools that have a slice. */
export const storedTools = (state: PersistedState): string[] =>
  Object.entries(state).flatMap(([name, slice]) => (isToolName(name) && slice !== undefined ? [name] : []))
export type StoredConversation = z.output<typeof storedConversation>

const isSliceName = (name: string): name is keyof Slices => Object.hasOwn(slices, name)

/** Slices that belong to the browser, not to a user: they survive signing out (contract/startup-auth §6). */
export const ofBrowser: readonly string[] = [
  'setting',
  'locale',
  'dark',
  'site',
  'currency',
  'exchange',
  'fingerprint',
  'audio',
  'favourites',
] satisfies (keyof Slices)[]
export const isOfBrowser = (slice: string): boolean => ofBrowser.includes(slice)

/** Keeps every slice that is valid and names those that are not; slices nobody knows are left out. Never throws. */
export function validateState(storedValues: Record<string, unknown>): {state: PersistedState; broken: string[]} {
  const brokenNames: string[] = []
  const valid: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(storedValues)) {
    if (value === undefined || value === null) continue
    if (!isSliceName(name) && !(isToolName(name) && isRecord(value))) continue
    const parsing = z.safeParse(isSliceName(name) ? slices[name] : toolSlice, value)
    if (parsing.success && (isSliceName(name) || Object.keys(parsing.data).length > 0)) valid[name] = parsing.data
    if (!parsing.success) brokenNames.push(name)
  }
  return {state: valid, broken: brokenNames}
}

/**
 * The parts that a newer version stored and this one does not know, beside and within the slices of `state`, without
 * those of another user. A slice that this version knows and `state` lacks was removed.
 */
export function foreignParts(storedValues: Record<string, unknown>, state: PersistedState): Record<string, unknown> {
  const isSameOwner = storedValues.owner === undefined || storedValues.owner === state.owner
  const validState = validateState(storedValues).state
  // as: read by name; both have the names of slices
  const [valid, next] = [validState as Record<string, unknown>, state as Record<string, unknown>]
  return Object.fromEntries(
    Object.entries(storedValues).flatMap(([name, before]): [string, unknown][] => {
      if (!isSameOwner && !isOfBrowser(name)) return []
      const [value, nextValue] = [valid[name], next[name]]
      if (value === undefined) return name in next || isSliceName(name) ? [] : [[name, before]]
      if (!isRecord(before) || !isRecord(value) || !isRecord(nextValue)) return []
      const unread = Object.entries(before).filter(([field]) => !(field in value))
      return unread.length === 0 ? [] : [[name, {...Object.fromEntries(unread), ...nextValue}]]
    }),
  )
}

/** Bounds of what is stored (security R56). Bulk data lives in IndexedDB. */
export const storageBounds = {bytes: 2_000_000, conversations: 50, tasks: 50, messageBytes: 65_536} as const

const textSize = (value: unknown) => JSON.stringify(value)?.length ?? 0

/**
 * A conversation within the bound. Of a longer one the versions that no server has stay, with as many of the last
 * messages as have room: the others are read again.
 */
function bounded(item: StoredConversation): StoredConversation[] {
  const {messages, unsentVersions} = item
  if (textSize(item) <= storageBounds.messageBytes) return [item]
  if (unsentVersions === undefined || messages.length === 0) return []
  return bounded({...item, messages: messages.slice(Math.ceil(messages.length / 2))})
}

const boundConversations = (all: readonly StoredConversation[], most: number) =>
  [...all]
    .sort((a, b) => (b.updated_at ?? 0) - (a.updated_at ?? 0))
    .slice(0, most)
    .flatMap(bounded)

const withConversations = (state: PersistedState, conversations: StoredConversation[]): PersistedState => ({
  ...state,
  chat: {...state.chat, conversations},
})

/** Every tool with its newest tasks alone; lists ascend by time. */
const withTasks = (state: PersistedState, most: (count: number) => number): PersistedState =>
  storedTools(state).reduce((rest, tool) => {
    const slice = readToolSlice(rest, tool)
    if (slice?.tasks === undefined) return rest
    const {items} = slice.tasks
    const newest = items.slice(Math.max(0, items.length - most(items.length)))
    const small = newest.filter((item) => textSize(item) <= storageBounds.messageBytes)
    return {...rest, ...withToolSlice(tool, {...slice, tasks: {...slice.tasks, items: small}})}
  }, state)

const hasTasks = (state: PersistedState) =>
  storedTools(state).some((tool) => (readToolSlice(state, tool)?.tasks?.items.length ?? 0) > 0)

/** The newest 50 conversations and tasks of each tool, none over 64 KB, all together within 2 MB. */
export function boundState(state: PersistedState): PersistedState {
  const all = state.chat?.conversations
  let result = withTasks(
    all === undefined ? state : withConversations(state, boundConversations(all, storageBounds.conversations)),
    () => storageBounds.tasks,
  )
  while (textSize(result) > storageBounds.bytes) {
    const smaller = shrinkState(result)
    if (smaller === undefined) break
    result = smaller
  }
  return result
}

/**
 * The state without its oldest part, for a store that is full: first half of the conversations and tasks goes, then all
 * that can be read again from the server. Token and user always stay. Undefined when nothing can go.
 */
export function shrinkState(state: PersistedState): PersistedState | undefined {
  const conversations = state.chat?.conversations ?? []
  if (conversations.length > 0 || hasTasks(state)) {
    const halfTasks = withTasks(state, (count) => Math.floor(count / 2))
    return conversations.length === 0
      ? halfTasks
      : withConversations(halfTasks, boundConversations(conversations, Math.floor(conversations.length / 2)))
  }
  const tools = storedTools(state)
  const isChatLarge = state.chat !== undefined && Object.keys(state.chat).some((name) => name !== 'conversations')
  if (!isChatLarge && tools.length === 0)
    return state.favourites === undefined ? undefined : {...state, favourites: undefined}
  // as: only the values go, the names stay those of the state
  const emptyTools = Object.fromEntries(tools.map((tool) => [tool, undefined])) as Partial<PersistedState>
  return {...state, ...emptyTools, ...(isChatLarge ? {chat: undefined} : {})}
}
