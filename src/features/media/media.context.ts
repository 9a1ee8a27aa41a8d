import {createContext, useContext, type ComponentType} from 'react'
import type {MediaTool, ToolIdentity} from '#contract/media/media-tool.ts'
import type {Failure} from '#domain/failure.ts'
import type {ChatOffer, UseTarget} from '#domain/use-targets.ts'
import type {GenerationActor} from '#machines/generation/generation.machine.ts'
import type {PlayerActor} from '#machines/player/player.machine.ts'
import type {Song} from '#machines/player/player.types.ts'
import type {ProvisioningActor} from '#machines/provisioning/provisioning.machine.ts'
import type {SelectionActor} from '#machines/selection/selection.machine.ts'
import type {SelectionEvent} from '#machines/selection/selection.types.ts'
import type {ListParts} from '#machines/task-list/list-parts.ts'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import type {TaskListActor} from '#machines/task-list/task-list.machine.ts'
import type {ChosenFile} from '#machines/upload/upload.types.ts'
import type {MessageId, MessageValues} from '#ui/text.tsx'
import type {AnyForm, AnyScreen} from './any-tool.ts'
import type {AddCredits} from './add-credits-link.tsx'

/** The actors of a tool's screen; they exist while a user is signed in. */
export type MediaActors = {
  generation: GenerationActor
  list: TaskListActor
} & ListParts & {
    provisioning: ProvisioningActor
    /** Undefined until the first song. */
    player: PlayerActor | undefined
    /** Undefined until several results were chosen. */
    selection: SelectionActor | undefined
  }

export type OwnResult = {url: string; previewUrl: string | undefined; title: string}

export type MediaPorts = {
  navigation: {
    toolHref: (tool: string) => string
    historyHref: (tool: string) => string
    go: (href: string) => void
    /** The page where credits are bought for an application, enough for what was refused. */
    addCredits: (applicationId: string | undefined, refusal: Failure | undefined) => AddCredits
  }
  files: {
    /** Before the first is added; rejects when what an upload needs cannot be loaded. */
    prepare: () => Promise<void>
    /** Keeps the bytes of a chosen file for its upload. */
    hold: (file: File) => ChosenFile
    /** Keeps a file of the user on the server; resolves with its address. */
    store: (file: File) => Promise<string>
    /** A local image of a held file; only ever the source of an `img` or `video`. */
    previewOf: (id: string) => string | undefined
  }
  player: {
    /** Before a song is played: then it sounds at once. */
    prepare: () => void
    /** Plays a song; the first one starts the player. */
    play: (song: Song) => void
    /** 0 to 100, as it was remembered; undefined when it was never changed. */
    storedVolume: () => number | undefined
  }
  /** Puts a result into the form of another tool or the composer of a chat, and goes there. */
  useIn: (target: UseTarget, from: {ratio: number | undefined}) => void
  /** To the choice of several results, which the first event loads and begins. */
  select: (event: SelectionEvent) => void
  /** Tells what a request and its task went through. */
  WhatHappened: ComponentType<{card: Card; service: string; onClose: () => void}>
  /** A short message that stands over any page. */
  notify: (notice: {kind: 'info' | 'success' | 'error'; textId: MessageId; values?: MessageValues}) => void
  /** Opens the dialog that makes the general application. */
  startSetUp: () => void
  /** The user's own results of a kind, of all tools that were ever used here, newest first. Never rejects. */
  ownResults: (medium: 'image' | 'video' | 'audio') => Promise<OwnResult[]>
  /** New addresses of own files; undefined where the server gives none. */
  renewal:
    | {
        isOwn: (address: string) => boolean
        /** The old address opens nothing from then on. */
        renew: (address: string) => Promise<void>
      }
    | undefined
  /** Credits of a request by the price rules of the service. */
  costOf: (rules: unknown, payload: Record<string, unknown>) => number | undefined
  /** A new UUID: the key of one click (security R45). */
  newKey: () => string
  /** Unix seconds of the server's clock. */
  now: () => number
}

/** A tool, its screen, and everything they need. */
export type Media = MediaPorts & {
  identity: ToolIdentity
  tool: MediaTool
  screen: AnyScreen
  defaults: AnyForm
  /** Tools that the site offers, this one among them. */
  offered: readonly ToolIdentity[]
  /** Chats that the site offers. */
  chats: readonly ChatOffer[]
  actors: MediaActors
  /** The settings that would ask for this again. */
  formOf: (request: Record<string, unknown>, taskType: string | undefined) => AnyForm
}

export const MediaContext = createContext<Media | undefined>(undefined)

/** A result of a task whose file is to get a new address. */
export type Renewing = {task: string; address: string}
export const RenewContext = createContext<(result: Renewing) => void>(() => undefined)

export const FlowContext = createContext<(card: Card) => void>(() => undefined)

/** Opens what a request and its task went through. */
export const useFlowDialog = (): ((card: Card) => void) => useContext(FlowContext)

/** Asks the user whether the file of a result shall get a new address. */
export const useRenewDialog = (): ((result: Renewing) => void) => useContext(RenewContext)

export function useMedia(): Media {
  const media = useContext(MediaContext)
  if (media === undefined) throw new Error('The screen of a tool stands outside of its MediaProvider')
  return media
}
