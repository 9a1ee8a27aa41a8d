import {useSelector} from '@xstate/react'
import {isMarked} from '#domain/favourites.ts'
import type {PlayerSnapshot} from '#machines/player/player.machine.ts'
import {selectVolume} from '#machines/player/player.selectors.ts'
import {selectMarks} from '#machines/task-favourites/task-favourites.machine.ts'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import {useMedia} from './media.context.ts'
import {requestSettings} from './request-settings.ts'
import {formFromRequest} from './settings-values.ts'
import type {MediaCommands} from './media-commands.ts'
import {useToolText} from './use-tool-text.ts'
import {ResultDetails} from './viewer/result-details.tsx'
import {Viewer} from './viewer/viewer.tsx'
import type {ViewerPosition} from './viewer/viewer-items.ts'

const volumeOf = (snapshot: PlayerSnapshot | undefined) => snapshot && selectVolume(snapshot)

type ResultViewerProps = {
  cards: readonly Card[]
  at: ViewerPosition
  commands: MediaCommands
  onMove: (card: Card, index: number) => void
  onClose: () => void
  /** The shown results are those of the list, which can be marked; the video of a song is no result of its own. */
  hasFavourites?: boolean
}

/** The viewer over the page with what can be done with each result. */
export function ResultViewer({cards, at, commands, onMove, onClose, hasFavourites = false}: ResultViewerProps) {
  const media = useMedia()
  const toolText = useToolText(media.identity.id)
  const {player} = media.actors
  const marks = useSelector(media.actors.favourites, selectMarks)
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
      onFavourite={hasFavourites ? ({card}) => commands.setFavourite(card, !isMarked(marks, card.id)) : undefined}
      isFavourite={({card}) => isMarked(marks, card.id)}
      details={(item, video) => (
        <ResultDetails
          item={item}
          title={commands.title(item.card)}
          tool={media.identity.name}
          toolText={toolText}
          inputs={commands.inputs(item.card)}
          settings={requestSettings(
            media.screen,
            formFromRequest(media.tool, item.card),
            toolText,
            item.card.reading.artifacts[item.index],
          )}
          groups={commands.groups(item.card, item.index)}
          targets={commands.targets(item.card, item.index)}
          targetName={commands.targetName}
          costOf={commands.costOf}
          isUsed={commands.isUsed}
          onAction={(action) => {
            commands.act(item.card, item.index, action)
            if (action.submission !== undefined) onClose()
          }}
          onUseIn={(target) => commands.goTo(item.card, target)}
          onDownload={() => commands.download(item.card, item.index)}
          isRenewable={commands.renew(item.card, item.index) !== undefined}
          onReuse={() => commands.reuse(item.card)}
          frameEntries={item.artifact.medium === 'video' ? () => commands.frameMenu(item.card, video) : undefined}
          promptEntries={() => commands.promptMenu(item.card)}
        />
      )}
    />
  )
}
