import {messageId} from '#contract/media/media-screen.ts'
import {targetsOf, type UseTarget} from '#domain/use-targets.ts'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import {loadPart} from '#ui/load-part.ts'
import type {MessageId, Text} from '#ui/text.tsx'
import {contentShape} from './feed/ratio.ts'
import type {Media} from './media.context.ts'
import {resultAt} from './result-actions.ts'
import type {TargetName} from './use-targets.tsx'

/** Creates the commands that find the targets for a result, its prompt or the frame of a video, and go there. */
export function createTargetCommands(media: Media, text: Text) {
  const {identity, offered, chats} = media
  const targets = (card: Card, index: number) => {
    const result = resultAt(card, index)
    return result === undefined ? [] : targetsOf(offered, chats, result.artifact)
  }
  const targetName = ({tool, input}: Extract<UseTarget, {kind: 'tool'}>): TargetName => ({
    name: offered.find(({id}) => id === tool)?.name ?? tool,
    group: offered.find(({id}) => id === tool)?.group ?? identity.group,
    // as: a tool's files name messages as plain text
    role: text(messageId(tool, input.label) as MessageId),
  })
  const goTo = (card: Card, target: UseTarget) => {
    const ratio = card.reading.artifacts.length === 0 ? undefined : contentShape(media.tool, card, Number.NaN).ratio
    media.useIn(target, {ratio: Number.isNaN(ratio) ? undefined : ratio})
  }
  const useFrame = (card: Card, target: UseTarget, video: () => HTMLVideoElement | null) => {
    const source = {tool: identity.id, prompt: card.prompt, target, video: video()}
    loadPart(() => import('./send-frame.ts')).then(
      ({sendFrame}) => sendFrame(media, source),
      () => media.notify({kind: 'error', textId: 'common.mediaFrameFailed'}),
    )
  }
  return {
    targets,
    targetName,
    goTo,
    useFrame,
    promptTargets: ({prompt}: Card) => targetsOf(offered, chats, {medium: 'text', text: prompt}),
    frameTargets: () => targetsOf(offered, chats, {medium: 'image', url: 'atrium:frame'}),
  }
}
