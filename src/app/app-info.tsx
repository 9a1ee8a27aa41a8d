import {createContext, useContext} from 'react'
import type {BulkStorage} from '#browser/bulk-storage.ts'
import type {StateStorage} from '#browser/storage.ts'
import type {Tabs} from '#browser/tabs.ts'
import type {Log} from '#domain/log.ts'
import type {PersistedState} from '#domain/persisted-state.ts'
import {type ChatPorts} from '#features/chat/chat.context.tsx'
import {type Drafts} from './chat/drafts.ts'
import type {OpenFlowLog} from './flow/open-flow-log.ts'
import {type Services} from './logic/services.ts'
import type {MediaTools} from './media/media-tools.types.ts'
import type {MessagePart} from './locale-messages.ts'

/** Facts of the page and its installation for views (docs/architecture.md §3). */
export type AppInfo = {
  /** The test services are in use: the badge is shown (spec §2). */
  isTest: boolean
  /** `{platform}/terms` */
  termsLink: string
  /** Base URL of the AI service. */
  apiBase: string
  /** Base URL of the sign-in service. */
  authBase: string
  /** The developer platform, where there is one beside this server (contract/screens §7). */
  platformLink?: string
  /** Extensions that the page's configuration offers, such as `account` and `usage-totals`. */
  capabilities: readonly string[]
  /** Address of the embedded login page; each call starts a new attempt. */
  loginFrame: () => string
  chat: ChatPorts
  /** The state that the browser keeps of the user. */
  state: Pick<StateStorage<PersistedState>, 'read' | 'save' | 'flush' | 'changes$'>
  /** The records that the browser keeps of the user and no server may have. */
  bulk: Pick<BulkStorage, 'conversations' | 'drafts' | 'intents'>
  tabs: Pick<Tabs, 'tell'>
  /** Clients for pages with a logic of their own. */
  services: Pick<Services, 'management' | 'files' | 'client' | 'chat' | 'clock'>
  media: MediaTools
  /** Loads the messages that only these screens use. Rejects where they do not come. */
  prepareWords: (part: MessagePart) => Promise<void>
  drafts: Pick<Drafts, 'subscribe' | 'isReady'>
  /** Makes the address of a script of this build acceptable to `new Worker` (Trusted Types). */
  scriptUrl: (url: string) => string
  /** The log of the actors, for "What happened". */
  flow: () => OpenFlowLog | undefined
  log: Log
}

export const AppInfoContext = createContext<AppInfo | undefined>(undefined)

export function useAppInfo(): AppInfo {
  const info = useContext(AppInfoContext)
  if (info === undefined) throw new Error('There is no AppInfoContext')
  return info
}
