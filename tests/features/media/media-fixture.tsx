import {NEVER, Subject} from 'rxjs'
import type {PackedFile, PackFact} from '#domain/packed-file.ts'
import type {LeadershipFact} from '#domain/leadership.ts'
import {type ReactNode} from 'react'
import {vi} from 'vitest'
import {createActor, fromEventObservable, fromPromise} from 'xstate'
import {type MediaTool} from '#contract/media/media-tool.ts'
import {type Task} from '#contract/task.ts'
import {type Service} from '#contract/management.ts'
import {type Intent} from '#domain/intent.ts'
import {type FileFault, type FileRule} from '#domain/file-rules.ts'
import {costOf} from '#domain/price-rules.ts'
import {toTaskRecord} from '#app/logic/media/task-records.ts'
import {defaultsOf, type AnyScreen} from '#features/media/any-tool.ts'
import type {Media, MediaActors} from '#features/media/media.context.ts'
import {MediaProvider} from '#features/media/media-provider.tsx'
import {createGenerationMachine} from '#machines/generation/generation.machine.ts'
import {playerMachine} from '#machines/player/player.machine.ts'
import {type AudioFact, type MediaKey} from '#machines/player/player.types.ts'
import {provisioningMachine} from '#machines/provisioning/provisioning.machine.ts'
import {type ApplicationsInput, type ApplicationsOutput} from '#machines/provisioning/provisioning.types.ts'
import {removalMachine} from '#machines/lib/removal.machine.ts'
import {selectionMachine} from '#machines/selection/selection.machine.ts'
import {type ListedFact} from '#machines/selection/selection.types.ts'
import {submissionMachine} from '#machines/submission/submission.machine.ts'
import type {TaskAcceptance, PostInput, Preparation} from '#machines/submission/submission.types.ts'
import {taskDaysMachine} from '#machines/task-days/task-days.machine.ts'
import {listParts} from '#machines/task-list/list-parts.ts'
import {taskPagesMachine} from '#machines/task-pages/task-pages.machine.ts'
import {taskRequestsMachine} from '#machines/task-requests/task-requests.machine.ts'
import {taskListMachine} from '#machines/task-list/task-list.machine.ts'
import {taskPollMachine} from '#machines/task-poll/task-poll.machine.ts'
import {type LeadershipInput, type PeerReport} from '#machines/task-poll/task-poll.types.ts'
import type {CachedTasks, PageInput, TaskPage} from '#machines/task-list/task-list.types.ts'
import type {ToolRef} from '#domain/tool-ref.ts'
import {uploadMachine} from '#machines/upload/upload.machine.ts'
import {type ChosenFile} from '#machines/upload/upload.types.ts'
import {startEnvironment} from '../../machines/environment-fixture.ts'
import {startOwner} from '../../machines/media-fixtures.ts'
import {nobody} from '../../machines/nobody.ts'
import {stopAfterTest} from '#tests/stop-after-test.ts'
import {now} from './cards.ts'
import './loaded-parts.ts'

type Shown = {tool: MediaTool; screen: AnyScreen}
type Options = {
  tasks?: Task[]
  total?: number
  balance?: number
  fails?: boolean
  hasApplication?: boolean
  /** Whether a song was played: nobody made the player before. */
  hasPlayer?: boolean
  /** The metadata of the service beside its price. */
  metadata?: Service['metadata']
}

/** The real actors of a tool's screen, over hand-driven ports. */
export function createMediaWorld({tool, screen}: Shown, options: Options = {}) {
  const {tasks = [], total = tasks.length, balance = 100, fails = false, hasApplication = true, metadata} = options
  const {hasPlayer = true} = options
  const {identity} = tool
  const ref = {tool: identity.id, service: identity.service, serviceId: identity.serviceId}
  const pages: PageInput[] = []
  const uploads = new Subject<{type: 'upload.progressed'; percent: number} | {type: 'upload.finished'; url: string}>()
  const retrieveTasks = fromPromise<TaskPage, PageInput>(async ({input}) => {
    pages.push(input)
    // as: what a failed call rejects with is plain data here
    if (fails) throw {code: 'busy', detail: 'try later', status: 500} as unknown as Error
    return {records: tasks.map((task) => toTaskRecord(tool, task)), total}
  })
  const list = createActor(
    taskListMachine.provide({
      actors: {
        readDeletions: fromPromise<string[], {ref: ToolRef}>(async () => []),
        readCached: fromPromise<CachedTasks, {ref: ToolRef; userId: string}>(async () => ({
          records: [],
          total: 0,
          intents: [],
          now: 0,
        })),
        pages: taskPagesMachine.provide({actors: {retrieveTasks}}),
        days: taskDaysMachine.provide({actors: {retrieveTasks}}),
        peers: fromEventObservable<{type: 'peer.polled'} & PeerReport, {ref: ToolRef; userId: string}>(() => NEVER),
        taskPoll: taskPollMachine.provide({
          actors: {leadership: fromEventObservable<LeadershipFact, LeadershipInput>(() => NEVER)},
        }),
        requests: taskRequestsMachine.provide({
          actors: {
            submission: submissionMachine.provide({
              actors: {
                saveIntent: fromPromise<void, {userId: string; intent: Intent}>(async () => undefined),
                prepareRequest: fromPromise<Preparation, {ref: ToolRef; intent: Intent}>(async () => ({
                  repeats: true,
                  isHeld: false,
                  isOld: false,
                })),
                postRequest: fromPromise<TaskAcceptance, PostInput>(() => new Promise(() => undefined)),
              },
              actions: {keepIntent: () => undefined, forgetIntent: () => undefined},
            }),
          },
        }),
      },
    }),
    {input: {userId: 'user', ref, environment: startEnvironment(), parentRef: nobody, session: nobody}},
  ).start()
  list.send({type: hasApplication ? 'provision.ready' : 'provision.missing'})
  const parts = listParts(list)
  // as its tool does for a screen
  parts.pages.send({type: 'tasks.open'})
  const {owner, sent: submitted} = startOwner(hasApplication, {requests: parts.requests, tool: identity.id})
  const generation = createActor(
    createGenerationMachine(tool).provide({
      actors: {
        upload: uploadMachine.provide({
          actors: {
            checkContent: fromPromise<FileFault | undefined, {file: ChosenFile; rule: FileRule}>(async () => undefined),
            transfer: fromEventObservable(() => uploads),
          },
        }),
      },
      actions: {rememberForm: () => undefined},
    }),
    {input: {tool: identity.id, owner}},
  ).start()
  const provisioning = createActor(
    provisioningMachine.provide({
      actors: {
        getService: fromPromise<Service, {serviceId: string}>(async () => ({
          id: identity.serviceId,
          metadata: {price: tool.price, capabilities: ['delete'], ...metadata},
        })),
        getApplications: fromPromise<ApplicationsOutput, ApplicationsInput>(async () => ({
          applications: hasApplication
            ? [
                {
                  id: 'application',
                  type: 'Usage',
                  scope: 'Global',
                  remaining_amount: balance,
                  credentials: [{id: 'credential', host: 'https://hub.example', token: 'token'}],
                },
              ]
            : [],
          now: now * 1_000,
        })),
      },
    }),
    {
      input: {
        parentRef: nobody,
        environment: startEnvironment(),
        serviceId: identity.serviceId,
        userId: 'user',
        host: 'https://hub.example',
      },
    },
  ).start()
  const player = createActor(
    playerMachine.provide({
      actors: {audio: fromEventObservable<AudioFact | MediaKey, undefined>(() => NEVER)},
      actions: {
        loadTrack: () => undefined,
        playAudio: () => undefined,
        pauseAudio: () => undefined,
        seekAudio: () => undefined,
        setVolume: () => undefined,
        unloadAudio: () => undefined,
      },
    }),
    {input: {volume: undefined}},
  ).start()
  const work = {
    /** Answers of the server to deletions, by the id of the task. */
    deletions: new Map<string, {resolve: () => void; reject: (error: Error) => void}>(),
    packs: new Subject<PackFact>(),
    asked: [] as PackedFile[][],
  }
  const selection = createActor(
    selectionMachine.provide({
      actors: {
        listed: fromEventObservable<ListedFact, {ref: ToolRef}>(() => NEVER),
        noteDeletions: fromEventObservable(() => NEVER),
        removal: removalMachine.provide({
          actors: {
            remove: fromPromise<void, {id: string}>(
              ({input: {id}}) => new Promise((resolve, reject) => void work.deletions.set(id, {resolve, reject})),
            ),
          },
        }),
        packFiles: fromEventObservable(({input}: {input: {ref: ToolRef; files: PackedFile[]}}) => {
          work.asked.push(input.files)
          return work.packs
        }),
      },
      actions: {
        tellDeleted: () => undefined,
        forgetDeletions: () => undefined,
        tellKept: () => undefined,
        tellFailed: () => undefined,
        tellUnpacked: () => undefined,
      },
    }),
    {input: {ref}},
  ).start()
  for (const actor of [list, generation, provisioning, player, selection]) stopAfterTest(actor)
  const actors = {generation, list, ...parts, provisioning, player, selection} satisfies MediaActors
  let keys = 0
  const media = {
    identity,
    tool,
    screen,
    defaults: defaultsOf(tool),
    offered: [identity],
    chats: [{group: 'chatgpt', name: 'ChatGPT', takesImages: true}],
    actors: hasPlayer ? actors : {...actors, player: undefined},
    formOf: vi.fn<Media['formOf']>((request) => request),
    navigation: {
      toolHref: (id: string) => `/${id}`,
      historyHref: (id: string) => `/${id}/history`,
      go: vi.fn(),
      addCredits: (id: string | undefined) => ({
        href: `/console/applications/${id ?? ''}/extra`,
        onFollow: vi.fn(),
      }),
    },
    files: {
      hold: (file: File) => ({id: `file-${file.name}`, name: file.name, type: file.type, size: file.size}),
      prepare: () => Promise.resolve(),
      store: vi.fn<Media['files']['store']>(async () => 'https://own.test/frame.png'),
      previewOf: () => undefined,
    },
    player: {
      prepare: vi.fn(),
      play: vi.fn<Media['player']['play']>((song) => player.send({type: 'track.play', ...song})),
      storedVolume: () => 30,
    },
    select: vi.fn<Media['select']>((event) => selection.send(event)),
    useIn: vi.fn<Media['useIn']>(),
    WhatHappened: () => null,
    notify: vi.fn<Media['notify']>(),
    startSetUp: vi.fn(),
    ownResults: vi.fn<Media['ownResults']>(async () => []),
    renewal: {isOwn: (address: string) => address.startsWith('https://own.test/'), renew: vi.fn(async () => undefined)},
    costOf,
    newKey: () => `key-${(keys += 1)}`,
    now: () => now,
  } satisfies Media
  return {media, actors, work, pages, submitted, uploads, ref}
}

export function InMedia({media, children}: {media: Media; children: ReactNode}) {
  return <MediaProvider media={media}>{children}</MediaProvider>
}
