import {addCreditsHref} from '#domain/add-credits-href.ts'
import {needQuery} from '#domain/credits.ts'
import {costOf} from '#domain/price-rules.ts'
import type {AnyForm} from '#features/media/any-tool.ts'
import type {ChatPorts} from '#features/chat/chat.context.tsx'
import type {MediaPorts} from '#features/media/media.context.ts'
import type {Notice} from '#machines/notices/notices.machine.ts'
import {loadPart} from '#ui/load-part.ts'
import {lazyView} from '#ui/use-lazy.ts'
import type {LoadedTool} from '../logic/media/forms.logic.ts'
import type {MediaTools} from './media-tools.types.ts'
import {toolHref} from './tool-href.ts'

const WhatHappened = lazyView(async () => (await import('../flow/what-happened.tsx')).TaskFlow)

type Wiring = {
  opened: LoadedTool
  tools: MediaTools
  chat: ChatPorts
  navigate: (href: string) => void
  notify: (notice: Notice) => void
  startSetUp: () => void
}

/** Fills the ports of the media views. */
export function createMediaPorts({opened, tools, chat, navigate, notify, startSetUp}: Wiring): MediaPortsOfTool {
  const {tool, defaults} = opened
  const {renewal} = tools
  const failed = (name: string) =>
    notify({id: tools.newKey(), kind: 'error', textId: 'common.mediaOpenFailed', values: {tool: name}})

  return {
    navigation: {
      toolHref,
      historyHref: (id) => `${toolHref(id)}/history`,
      go: navigate,
      addCredits: (applicationId, refusal) => {
        const href = addCreditsHref(applicationId, toolHref(opened.identity.id)) + needQuery(refusal)
        return {href, onFollow: () => navigate(href)}
      },
    },
    files: {
      prepare: tools.prepareUploads,
      hold: (file) => tools.files().hold(file),
      store: tools.storeFile,
      previewOf: (id) => tools.files().previewOf(id),
    },
    useIn: (target, {ratio}) => {
      const name =
        target.kind === 'chat'
          ? target.name
          : (opened.identities.find(({id}) => id === target.tool)?.name ?? target.tool)
      loadPart(() => import('./put-result.ts'))
        .then(({putResult}) => putResult({tools, chat, navigate}, target, ratio))
        .catch(() => failed(name))
    },
    player: {prepare: () => void tools.preparePlayer(), play: tools.play, storedVolume: tools.storedVolume},
    notify: (notice) => notify({id: tools.newKey(), ...notice, values: plainValues(notice.values)}),
    startSetUp,
    ownResults: async (medium) => {
      const {ownResults} = await loadPart(() => import('./own-results.ts'))
      return ownResults({tools, identities: opened.identities}, medium)
    },
    costOf,
    renewal: renewal && {
      isOwn: (address) => renewal.fileId(address) !== undefined,
      renew: async (address) => {
        const fileId = renewal.fileId(address)
        if (fileId !== undefined) await renewal.renew(fileId)
      },
    },
    WhatHappened,
    select: (event) => tools.tool(opened.identity.id)?.send({type: 'selection.send', event}),
    newKey: tools.newKey,
    now: tools.now,
    formOf: (request, taskType) => ({...defaults, ...(tool.reuse?.(request, taskType) ?? request)}),
  }
}

type MediaPortsOfTool = MediaPorts & {
  formOf: (request: Record<string, unknown>, taskType: string | undefined) => AnyForm
}

/** Values of a notice are texts and numbers. */
const plainValues = (values: Record<string, string | number | Date> = {}) =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, value instanceof Date ? value.toISOString() : value]),
  )
