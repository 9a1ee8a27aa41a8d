import {openPart} from '#app/logic/open-part.ts'
import {createValueStore} from '#browser/value-store.ts'
import {NEVER, Subject} from 'rxjs'
import {createActor, fromEventObservable, fromPromise} from 'xstate'
import type {Conversation} from '#contract/chat.ts'
import type {ServedModel, Service} from '#contract/management.ts'
import type {ConversationRecord} from '#domain/conversation.ts'
import type {LabelColour} from '#domain/persisted-state.ts'
import {
  ChatProvider,
  type Chat,
  type ChatActors,
  type ChatLocation,
  type ChatPorts,
} from '#features/chat/chat.context.tsx'
import type {Draft} from '#features/chat/draft.types.ts'
import {conversationMachine} from '#machines/conversation/conversation.machine.ts'
import type {AnswerInput} from '#domain/answer.ts'
import type {
  AnswerStreamEvent,
  StoppedAnswer,
  TruncatedConversation,
  TruncateInput,
} from '#machines/conversation/conversation.types.ts'
import {conversationListMachine} from '#machines/conversation-list/conversation-list.machine.ts'
import {
  conversationPagesMachine,
  type ConversationPage,
  type ConversationPageInput,
} from '#machines/conversation-pages/conversation-pages.machine.ts'
import {removalMachine} from '#machines/lib/removal.machine.ts'
import type {ApplicationsInput, ApplicationsOutput} from '#machines/provisioning/provisioning.types.ts'
import {provisioningMachine} from '#machines/provisioning/provisioning.machine.ts'
import {startEnvironment} from '../../machines/environment-fixture.ts'
import {nobody} from '../../machines/nobody.ts'
import {stopAfterTest} from '#tests/stop-after-test.ts'
import {useState, type ReactNode} from 'react'
import type {ModelChoiceProps} from '#features/chat/model-catalogue.ts'
import {ModelOverlay} from '#features/chat/model-overlay.tsx'
import './loaded-parts.ts'
import {loadedWords} from '../loaded-words.ts'
import {createFiles} from './chat-files-fixture.ts'
import {callsOf, createListChanges, type Call} from './list-changes-fixture.ts'

/** Unix seconds of all tests: 2026-03-11 12:00 local time, a Wednesday. */
export const now = new Date(2026, 2, 11, 12).getTime() / 1_000

export const record = (key: string, given: Partial<ConversationRecord> = {}): ConversationRecord => ({
  key,
  id: key,
  model: 'gpt-5-all',
  title: `title ${key}`,
  messages: [
    {role: 'user', content: 'foo?'},
    {role: 'assistant', content: 'bar', state: 'finished', model: 'gpt-5-all'},
  ],
  updatedAt: now,
  ...given,
})

type Options = {
  records?: ConversationRecord[]
  served?: ServedModel[]
  /** The capabilities of the service. */
  capabilities?: string[]
  fails?: boolean
  /** The answer to a load of the list, if it is not the records. */
  refusal?: () => object | undefined
  /** The device has the records, and no server answers. */
  isCutOff?: boolean
  /** The device has the records. */
  isKept?: boolean
  /** The records that the device has, if it is not all of them. */
  kept?: ConversationRecord[] | undefined
  /** A load of the list waits for this. */
  reading?: () => Promise<void>
  stopAnswer?: () => Promise<StoppedAnswer>
  /** A deletion of messages waits for this. */
  truncate?: () => Promise<void>
}

/** The real actors of a chat, over hand-driven ports. */
export function createChatActors({
  records = [],
  served = [],
  capabilities = [],
  fails = false,
  refusal = () => (fails ? {code: 'busy', detail: 'try later', status: 500} : undefined),
  isCutOff = false,
  isKept = isCutOff,
  kept = isKept ? records : undefined,
  reading = async () => undefined,
  stopAnswer = async () => ({state: 'failed'}),
  truncate = async () => undefined,
}: Options = {}) {
  const answers: {input: AnswerInput; stream: Subject<AnswerStreamEvent>}[] = []
  const calls: Call[] = []
  const conversation = conversationMachine.provide({
    actions: {logStopFailure: () => {}},
    actors: {
      answerStream: fromEventObservable<AnswerStreamEvent, AnswerInput>(({input}) => {
        const stream = new Subject<AnswerStreamEvent>()
        answers.push({input, stream})
        return stream
      }),
      followAnswer: fromEventObservable<AnswerStreamEvent, AnswerInput>(() => NEVER),
      stopAnswer: fromPromise<StoppedAnswer, {conversation: string}>(stopAnswer),
      retrieveConversation: fromPromise<Conversation, {conversation: string}>(async () => {
        throw new Error('not here')
      }),
      truncateConversation: fromPromise<TruncatedConversation, TruncateInput>(async ({input}) => {
        calls.push({type: 'truncate', conversation: input.conversation})
        await truncate()
        return undefined
      }),
    },
  })
  const environment = startEnvironment()
  const conversations = createActor(
    conversationListMachine.provide({
      actors: {
        conversation,
        pages: conversationPagesMachine.provide({
          actors: {
            getConversations: fromPromise<ConversationPage, ConversationPageInput>(async () => {
              await reading()
              // as: what a failed call rejects with is plain data here
              if (refusal() !== undefined) throw refusal() as unknown as Error
              if (isCutOff) throw new TypeError('Failed to fetch')
              return {records}
            }),
          },
        }),
        removal: removalMachine.provide({
          actors: {
            remove: fromPromise<void, {id: string}>(async ({input}) => {
              calls.push({type: 'remove', conversation: input.id})
            }),
          },
        }),
      },
    }),
    {input: {userId: 'user', environment, parentRef: nobody, ...(kept && {restored: kept})}},
  ).start()
  const provisioning = createActor(
    provisioningMachine.provide({
      actors: {
        getService: fromPromise<Service, {serviceId: string}>(async () => ({
          id: 'chat',
          metadata: {models: served, capabilities},
        })),
        getApplications: fromPromise<ApplicationsOutput, ApplicationsInput>(async () => ({
          applications: [
            {
              id: 'application',
              type: 'Usage',
              scope: 'Global',
              remaining_amount: 1,
              credentials: [{id: 'credential', host: 'https://hub.example', token: 'token'}],
            },
          ],
          now: now * 1_000,
        })),
      },
    }),
    {
      input: {
        parentRef: nobody,
        environment: startEnvironment(),
        serviceId: 'chat',
        userId: 'user',
        host: 'https://hub.example',
      },
    },
  ).start()
  for (const actor of [conversations, provisioning]) stopAfterTest(actor)
  callsOf.set(conversations, calls)
  conversations.send({type: 'credential.ready'})
  return {actors: {conversations, provisioning} satisfies ChatActors, answers, calls, environment}
}

function ChoiceWithFavourites(props: ModelChoiceProps) {
  const [favourites, setFavourites] = useState<readonly string[]>([])
  const mark = (name: string, isOn: boolean) =>
    setFavourites((known) => (isOn ? [...known, name] : known.filter((other) => other !== name)))
  const groups = ['chatgpt', 'grok'] as const
  return <ModelOverlay {...props} {...{groups, favourites}} onFavourite={mark} searchWords={() => undefined} />
}

/** Ports of a chat that remember what was asked of them. */
export function createChat(actors: ChatActors | undefined, {storedModel}: {storedModel?: string | undefined} = {}) {
  const visited: ChatLocation[] = []
  const followed: string[] = []
  const drafts = new Map<string, Draft>()
  const kept: ChatPorts['drafts'] = {
    read: (key) => drafts.get(key),
    write: (key, draft) => {
      if (draft === undefined || (draft.text === '' && draft.references.length === 0)) drafts.delete(key)
      else drafts.set(key, draft)
    },
    close: (key) => void drafts.delete(key),
    look: () => undefined,
    subscribe: () => () => undefined,
    heard: createValueStore(undefined),
  }
  const chosen: string[] = []
  const models = new Map(storedModel === undefined ? [] : [['chatgpt', storedModel]])
  const left = new Map<string, string | undefined>()
  let labels: readonly LabelColour[] = []
  let keys = 0
  let setUps = 0
  const notices: string[] = []
  const chat: Chat = {
    actors,
    isOpening: false,
    navigation: {
      href: ({group, conversation, message}) =>
        `/${group}/conversations${conversation === undefined ? '' : `/${conversation}`}${message ? `#${message}` : ''}`,
      go: (location) => visited.push(location),
      follow: (href) => followed.push(href),
      isComparing: () => false,
    },
    AnswerDetails: undefined,
    openSettings: () => undefined,
    notify: (textId) => void notices.push(textId),
    startSetUp: () => (setUps += 1),
    files: createFiles(async (file) => ({url: `https://hub.example/files/${file.name}`}), kept).files,
    drafts: kept,
    takeEarlyQuestion: () => undefined,
    models: {
      read: (group) => models.get(group),
      write: (group, model) => {
        models.set(group, model)
        chosen.push(model)
      },
    },
    lastConversation: {
      read: (group) => left.get(group),
      write: (group, conversation) => void left.set(group, conversation),
      readCompared: () => undefined,
      writeCompared: () => undefined,
      subscribe: () => () => undefined,
    },
    labelColours: {
      read: () => labels,
      write: (next) => void (labels = next),
    },
    threadWords: loadedWords,
    ModelChoice: ChoiceWithFavourites,
    loadModelChoice: async () => undefined,
    ShareDialog: undefined,
    InstructionsDialog: () => null,
    WhatHappened: () => null,
    openChanges: () => Promise.reject(new Error('This test changes no messages.')),
    openListChanges: createListChanges(),
    openRemovals: openPart,
    startVoice: () => Promise.reject(new Error('This test has no voice.')),
    startPrompts: async () => undefined,
    startSearch: () => Promise.reject(new Error('This test has no search.')),
    startExport: () => Promise.reject(new Error('This test has no export.')),
    newKey: () => `key-${(keys += 1)}`,
    now: () => now,
    media: {pageOrigin: 'https://hub.example', ownFiles: ['https://hub.example/files/'], foreignImages: true},
    startHighlighting: () => {
      throw new Error('There is no worker here')
    },
  }
  return {chat, left, visited, followed, drafts, chosen, notices, setUps: () => setUps}
}

export function InChat({chat, children}: {chat: Chat; children: ReactNode}) {
  return <ChatProvider chat={chat}>{children}</ChatProvider>
}
