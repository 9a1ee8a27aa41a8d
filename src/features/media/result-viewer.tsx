import {useSelector} from '@xstate/react'
import type {PlayerSnapshot} from '#machines/player/player.machine.ts'
import {selectVolume} from '#machines/player/player.selectors.ts'
import type {Card} from './feed/card.ts'
import {useMedia} from './media.context.tsx'
import {requestSettings} from './request-settings.ts'
import {toldBy} from './settings-values.ts'
import type {MediaCommands} from './use-commands.ts'
import {useToolText} from './use-tool-text.ts'
import {ResultDetails} from './viewer/result-details.tsx'
import {Viewer} from './viewer/viewer.tsx'

const volumeOf = (snapshot: PlayerSnapshot | undefined) => snapshot && selectVolume(snapshot)

type ResultViewerProps = {
  cards: readonly Card[]
  at: {key: string; index: number}
  commands: MediaCommands
  onMove: (card: Card, index: number) => void
  onClose: () => void
}

/** The viewer over the page with what can be done with each result. */
export function ResultViewer({cards, at, commands, onMove, onClose}: ResultViewerProps) {
  const media = useMedia()
  const toolText = useToolText(media.identity.id)
  const {player} = media.actors
  const volume = useSelector(player, volumeOf) ?? media.player.storedVolume() ?? 100
  return (
    <Viewer
      cards={cards}
      at={at}
      volume={volume}
      titleOf={commands.title}
      onMove={({card, index}) => onMove(card, index)}
      onClose={onClose}
      onPlay={() => player?.send({type: 'player.pause'})}
      details={(item) => (
        <ResultDetails
          item={item}
          title={commands.title(item.card)}
          tool={media.identity.name}
          toolText={toolText}
          inputs={commands.inputs(item.card)}
          settings={requestSettings(media.screen, toldBy(media.tool, item.card), toolText)}
          groups={commands.groups(item.card, item.index)}
          targets={commands.targets(item.card, item.index)}
          targetName={commands.targetName}
          costOf={commands.costOf}
          isUsed={commands.isUsed}
          onAction={(offered) => {
            commands.act(item.card, item.index, offered)
            if (offered.submission !== undefined) onClose()
          }}
          onUseIn={(target) => commands.goTo(item.card, target)}
          onDownload={() => commands.download(item.card, item.index)}
          onReuse={() => commands.reuse(item.card)}
          promptEntries={() => commands.promptMenu(item.card)}
        />
      )}
    />
  )
}
