import {leaveLayerEntry} from '#browser/layer-entry.ts'
import {nameInAddress} from '#domain/name-in-address.ts'
import type {UseTarget} from '#domain/use-targets.ts'
import type {ChatPorts} from '#features/chat/chat.context.tsx'
import type {MediaTools} from './media-tools.types.ts'
import {toolHref} from './tool-href.ts'

type PutResultDeps = {tools: MediaTools; chat: ChatPorts; navigate: (href: string) => void}

function draftInChat({chat}: PutResultDeps, {group, as, value, more = []}: Extract<UseTarget, {kind: 'chat'}>) {
  const key = `new/${group}`
  const draft = chat.drafts.read(key) ?? {text: '', references: []}
  chat.drafts.write(
    key,
    as === 'question'
      ? {...draft, text: draft.text === '' ? value : `${draft.text.trimEnd()}\n${value}`}
      : {
          ...draft,
          references: [
            ...draft.references,
            ...[value, ...more].map((url) => ({url, name: nameInAddress(url), size: undefined})),
          ],
        },
  )
  chat.navigation.go({group, conversation: undefined})
}

/** Puts a result into another tool's form or the composer of a chat, and goes there; the viewer is left. */
export async function putResult(parts: PutResultDeps, target: UseTarget, ratio: number | undefined): Promise<void> {
  await leaveLayerEntry()
  if (target.kind === 'chat') return draftInChat(parts, target)
  parts.tools.open(target.tool, {target, ratio})
  parts.navigate(toolHref(target.tool))
}
