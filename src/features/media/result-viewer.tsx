import {useSelector} from '@xstate/react'
import {lazy, Suspense} from 'react'
import {selectVolume} from '#machines/player/player.selectors.ts'
import type {Card} from './feed/card.ts'
import {useMedia} from './media.context.tsx'
import {requestSettings} from './settings-line.ts'
import type {MediaCommands} from './use-commands.ts'
import {useToolText} from './use-tool-text.ts'

const Viewer = lazy(async () => ({default: (await import('./viewer/viewer.tsx')).Viewer}))
const ResultDetails = lazy(async () => ({default: (await import('./viewer/result-details.tsx')).ResultDetails}))

type ResultViewerProps = {
  cards: readonly Card[]
  at: {key: string; index: number}
  commands: MediaCommands
  onMove: (card: Card, index: number) => void
  onClose: () => void
}

/** The viewer over the page with what can be done with each result; loaded when the first one opens. */
export function ResultViewer({cards, at, commands, onMove, onClose}: ResultViewerProps) {
  const media = useMedia()
  const toolText = useToolText(media.identity.id)
  const {player} = media.actors
  const volume = useSelector(player, selectVolume)
  return (
    <Suspense>
      <Viewer
        cards={cards}
        at={at}
        volume={volume}
        onMove={({card, index}) => onMove(card, index)}
        onClose={onClose}
        onPlay={() => player.send({type: 'player.pause'})}
        details={(item) => (
          <Suspense>
            <ResultDetails
              item={item}
              tool={media.identity.name}
              toolText={toolText}
              inputs={commands.inputs(item.card)}
              settings={requestSettings(media.screen, item.card.request, toolText)}
              groups={commands.groups(item.card, item.index)}
              targets={commands.targets(item.card, item.index)}
              targetName={commands.targetName}
              costOf={commands.costOf}
              onAction={(offered) => {
                commands.act(item.card, item.index, offered)
                if (offered.submission !== undefined) onClose()
              }}
              onUseIn={(target) => commands.goTo(item.card, target)}
              onDownload={() => commands.download(item.card, item.index)}
              onReuse={() => commands.reuse(item.card)}
            />
          </Suspense>
        )}
      />
    </Suspense>
  )
}
