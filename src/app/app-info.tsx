import {createContext, useContext} from 'react'
import {type ChatPorts} from '#features/chat/chat.context.tsx'
import {type Drafts} from './chat/drafts.ts'
import {type Services} from './logic/services.ts'
import type {MediaTools} from './media/open-media.ts'
import type {MessagePart} from './messages.ts'

/** What views need of the page and its installation besides the actors (docs/architecture.md §3). */
export type AppInfo = {
  /** The test form of the services is in use: the badge shows (spec §2). */
  isTest: boolean
  /** `{platform}/terms` */
  termsLink: string
  /** Address of the embedded login page; a new attempt each time it is asked for. */
  loginFrame: () => string
  chat: ChatPorts
  /** Clients for pages that have a logic of their own. */
  services: Pick<Services, 'management' | 'files'>
  media: MediaTools
  /** Loads what of the language only these screens show. */
  prepareWords: (part: MessagePart) => Promise<void>
  drafts: Pick<Drafts, 'subscribe' | 'isReady'>
}

export const AppInfoContext = createContext<AppInfo | undefined>(undefined)

export function useAppInfo(): AppInfo {
  const info = useContext(AppInfoContext)
  if (info === undefined) throw new Error('Put the view below AppInfoContext')
  return info
}
