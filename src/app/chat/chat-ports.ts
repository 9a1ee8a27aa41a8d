import {createUuid} from '#api/random.ts'
import highlightWorker from '#features/chat/markdown/highlight.worker.ts?worker&url'
import {createHighlighter} from '#features/chat/markdown/highlighter.ts'
import {type ChatPlace, type ChatPorts} from '#features/chat/chat.context.tsx'
import {loadPart} from '#ui/load-part.ts'
import {type Root} from '../logic/root.ts'
import {firstRun} from '../shell/first-run.ts'
import {type Drafts} from './drafts.ts'
import {uploadFile} from './upload-file.ts'

const hrefOf = ({group, conversation}: ChatPlace) =>
  conversation === undefined ? `/${group}/conversations` : `/${group}/conversations/${encodeURIComponent(conversation)}`

type ChatWiring = {
  root: Pick<Root, 'services' | 'chatSlice'>
  navigate: (href: string, replace: boolean) => void
  drafts: Drafts
  /** Base URL of the platform service, which serves uploaded files. */
  platform: string
  loadWords: (part: 'thread') => Promise<void>
  /** The page may load images of other hosts. */
  loadsForeign: boolean
  /** Makes the address of a script of this build acceptable to `new Worker` (Trusted Types). */
  scriptUrl: (url: string) => string
}

/** Loads once; concurrent callers wait for the same promise. */
function createThreadWords(load: ChatWiring['loadWords']): ChatPorts['threadWords'] {
  let words: Promise<void> | 'there' | undefined
  return () => {
    words ??= load('thread').then(() => {
      words = 'there'
    })
    return words === 'there' ? undefined : words
  }
}

/** Creates the ports of the chat views. */
export function createChatPorts({
  root,
  navigate,
  drafts,
  platform,
  loadsForeign,
  loadWords,
  scriptUrl,
}: ChatWiring): ChatPorts {
  const {chatSlice, services} = root
  const ownFiles = [new URL(`${platform}/api/v1/files/`, location.href).href]
  return {
    navigation: {
      href: hrefOf,
      go: (place, options) => navigate(hrefOf(place), options?.replace === true),
      follow: (href) => navigate(href, false),
      addCreditsHref: (applicationId, back) =>
        applicationId === undefined
          ? '/console/applications'
          : `/console/applications/${encodeURIComponent(applicationId)}/extra?redirect=${encodeURIComponent(back)}`,
    },
    startSetUp: () => firstRun.setDismissed(false),
    upload: uploadFile(services.files),
    drafts: {read: drafts.read, write: drafts.write},
    models: {
      read: (group) => chatSlice.read().models?.[group],
      write: (group, model) =>
        chatSlice.write({model, modelGroup: group, models: {...chatSlice.read().models, [group]: model}}),
    },
    lastConversation: {
      read: (group) => chatSlice.read().lastConversations?.[group],
      write: (group, conversation) => {
        const {lastConversations} = chatSlice.read()
        if (lastConversations?.[group] === conversation) return
        chatSlice.write({lastConversations: {...lastConversations, [group]: conversation}})
      },
      subscribe: chatSlice.subscribe,
    },
    threadWords: createThreadWords(loadWords),
    startVoice: async () => (await loadPart(() => import('./voice.ts'))).startVoice(),
    startSearch: async (conversations) =>
      (await loadPart(() => import('./search.ts'))).startSearch(conversations, scriptUrl),
    startExport: async (records, words) =>
      (await loadPart(() => import('./export.ts'))).startExport({records, words, ownFiles, fetch}),
    newKey: createUuid,
    now: () => Math.floor(Date.now() / 1000),
    media: {
      pageOrigin: location.origin,
      ownFiles,
      loadsForeign,
    },
    highlighter: createHighlighter(() => new Worker(scriptUrl(highlightWorker), {type: 'module'})),
  }
}
