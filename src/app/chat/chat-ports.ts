import {createUuid} from '#api/random.ts'
import highlightWorker from '#features/chat/markdown/highlight.worker.ts?worker&url'
import {type ChatLocation, type ChatPorts} from '#features/chat/chat.context.tsx'
import {createFilesPort} from '#features/chat/draft-files-port.ts'
import {takeEarlyQuestion} from '#browser/early-question.ts'
import type {RemovalFact} from '#browser/tabs.ts'
import type {ForeignImages} from '#contract/page-config.ts'
import {loadPart} from '#ui/load-part.ts'
import {lazyView, partView} from '#ui/use-lazy.ts'
import {openPart} from '../logic/open-part.ts'
import {type Root} from '../logic/root.ts'
import type {RootDeps} from '../logic/root-deps.ts'
import {firstRun} from '../shell/first-run.ts'
import {openLayer} from '../shell/open-layer.ts'
import {wordsOf} from '../use-words.ts'
import {type Drafts} from './drafts.ts'
import {createLabelColours} from './label-colours.ts'
import {createListChangesPort} from './list-changes.ts'
import type {ChangesDeps} from './message-changes.ts'

const hrefOf = ({group, conversation, message}: ChatLocation) =>
  `/${group}/conversations` +
  (conversation === undefined ? '' : `/${encodeURIComponent(conversation)}${message ? `#${message}` : ''}`)

// one of each: what is there needs no network
const loadThreadParts = () => import('./thread-parts.ts')
const loadListParts = () => import('./list-parts.ts')
const threadParts = () => loadPart(loadThreadParts)
const listParts = () => loadPart(loadListParts)
const loadModelChoice = async () => (await import('./model-choice.tsx')).ModelChoice
const ModelChoice = lazyView(loadModelChoice)

const InstructionsDialog = partView(loadThreadParts, (parts) => parts.InstructionsDialog)
const AnswerDetails = partView(loadThreadParts, (parts) => parts.AnswerDetails)
const ShareDialog = lazyView(async () => (await threadParts()).loadShareDialog())
const WhatHappened = lazyView(async () => (await threadParts()).loadWhatHappened())

type ChatWiring = {
  root: Pick<Root, 'services' | 'chatSlice' | 'actor' | 'actors'>
  navigate: (href: string, options: {replace?: boolean; state?: {draftKey?: string}}) => void
  drafts: Drafts
  /** Base URL of the platform service, which serves uploaded files. */
  platform: string
  loadWords: Parameters<typeof wordsOf>[0]
  foreignImages: ForeignImages
  /** Extensions of the platform. */
  capabilities: readonly string[]
  /** Makes the address of a script of this build acceptable to `new Worker` (Trusted Types). */
  scriptUrl: (url: string) => string
  deps: Omit<ChangesDeps, 'chat' | 'early'> & Pick<RootDeps, 'state' | 'lock'>
}

type ChatSlice = ChatWiring['root']['chatSlice']

/** The model that a user chose last, for each group of models. */
const createLastModels = (slice: ChatSlice): ChatPorts['models'] => ({
  read: (group) => slice.read().models?.[group],
  write: (group, model) => slice.write({model, modelGroup: group, models: {[group]: model}}),
})

/** The conversation that was open last, for each group of models. */
const createLastConversations = (slice: ChatSlice): ChatPorts['lastConversation'] => ({
  read: (group) => slice.read().lastConversations?.[group],
  write: (group, conversation) => {
    const {lastConversations, lastComparison} = slice.read()
    if (lastConversations?.[group] === conversation && lastComparison === undefined) return
    slice.write({lastConversations: {...lastConversations, [group]: conversation}, lastComparison: undefined})
  },
  readCompared: () => slice.read().lastComparison,
  writeCompared: (names) => {
    if (names.join() === slice.read().lastComparison?.join()) return
    slice.write({lastComparison: names.length === 0 ? undefined : [...names]})
  },
  subscribe: slice.subscribe,
})

const createNavigation = (navigate: ChatWiring['navigate']): ChatPorts['navigation'] => ({
  href: hrefOf,
  go: (location, options) => navigate(hrefOf(location), {replace: options?.replace === true}),
  follow: (href, draftKey) => navigate(href, draftKey === undefined ? {} : {state: {draftKey}}),
  isComparing: () => location.pathname.includes('/compare'),
})

/** Creates the ports of the chat views. */
export function createChatPorts({
  root,
  navigate,
  drafts,
  platform,
  foreignImages,
  loadWords,
  capabilities,
  scriptUrl,
  deps,
}: ChatWiring): ChatPorts {
  const {chatSlice, services} = root
  // the tab that took a deletion back may be gone when what follows it is loaded
  const early: RemovalFact[] = []
  deps.tabs.facts$.subscribe((fact) => {
    if (fact.type === 'message.restored') early.push(fact)
  })
  const openChanges: ChatPorts['openChanges'] = async (target) =>
    (await threadParts()).openChanges({...deps, early, chat: services.chat}, target)
  const ownFiles = [new URL(`${platform}/api/v1/files/`, location.href).href]
  return {
    navigation: createNavigation(navigate),
    openSettings: openLayer.set,
    notify: (textId) => root.actors.notices()?.send({type: 'notice.show', notice: {id: textId, kind: 'info', textId}}),
    startSetUp: () => firstRun.setDismissed(false),
    files: createFilesPort(async (call, openedFiles) => {
      const {openDraftFiles} = await threadParts()
      return openDraftFiles({root, drafts, opened: openedFiles}, call)
    }),
    drafts,
    takeEarlyQuestion,
    models: createLastModels(chatSlice),
    lastConversation: createLastConversations(chatSlice),
    labelColours: createLabelColours(deps),
    threadWords: wordsOf(loadWords, 'thread'),
    ModelChoice,
    loadModelChoice: () => loadPart(loadModelChoice).catch(() => undefined),
    ShareDialog: capabilities.includes('shares') ? ShareDialog : undefined,
    InstructionsDialog,
    WhatHappened,
    AnswerDetails: capabilities.includes('answers') ? AnswerDetails : undefined,
    startVoice: async () => (await threadParts()).startVoice(root.actor.system),
    openChanges,
    openListChanges: createListChangesPort({chat: services.chat, tabs: deps.tabs}),
    openRemovals: openPart,
    startPrompts: async (conversations) =>
      capabilities.includes('prompts')
        ? (await threadParts()).startPrompts(services, drafts, conversations)
        : undefined,
    startSearch: async (conversations) => (await listParts()).startSearch(conversations, {...deps, scriptUrl, root}),
    startExport: async (records, words) =>
      (await listParts()).startExport({records, words, ownFiles, root, openChanges}),
    newKey: createUuid,
    now: () => Math.floor(services.clock.now()),
    media: {
      pageOrigin: location.origin,
      ownFiles,
      foreignImages,
    },
    startHighlighting: () => new Worker(scriptUrl(highlightWorker), {type: 'module'}),
  }
}
