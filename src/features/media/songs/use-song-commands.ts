import {useMemo} from 'react'
import {selectTrack} from '#machines/player/player.selectors.ts'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import type {MenuEntry} from '#ui/menu-entry.ts'
import {useText} from '#ui/text.tsx'
import type {MediaCommands} from '../media-commands.ts'
import {useMedia} from '../media.context.ts'
import {useToolText} from '../use-tool-text.ts'
import type {SongCommands} from './song-commands.ts'
import {trackId, trackOf, tracksOf, videoOf} from './song-rows.ts'

type SongParts = {
  /** The list, in whose order songs play. */
  cards: readonly Card[]
  commands: MediaCommands
  choose: SongCommands['choose']
  onSelect: (song: {key: string; index: number}) => void
  /** Opens the detail of the selected song, if it has no column of its own. */
  onOpen: (isOpen: true) => void
  onWatch: (video: Card | undefined) => void
}

/** The commands for songs: also select, play and watch them. The callbacks must be stable. */
export function useSongCommands({cards, commands, choose, onSelect, onOpen, onWatch}: SongParts): SongCommands {
  const {actors, identity, player: page} = useMedia()
  const {player, list} = actors
  const text = useText()
  const toolText = useToolText(identity.id)
  return useMemo((): SongCommands => {
    const fallbackTitle = text('common.mediaUntitled')
    const select = (card: Card, index: number) => {
      onSelect({key: card.key, index})
      list.send({type: 'task.select', id: card.id})
    }
    const open = (card: Card, index: number) => {
      select(card, index)
      onOpen(true)
    }
    const videoGroup = (card: Card, index: number): MenuEntry[] => {
      const video = videoOf(card, index)
      if (video === undefined) return []
      return [
        {id: 'watch', label: text('common.mediaWatchVideo'), onSelect: () => onWatch(video)},
        {id: 'download-video', label: text('common.mediaDownloadVideo'), onSelect: () => commands.download(video, 0)},
        {kind: 'separator', id: 'videoEnd'},
      ]
    }
    return {
      ...commands,
      choose,
      open,
      select: open,
      play: (card, index) => {
        select(card, index)
        if (player !== undefined && selectTrack(player.getSnapshot())?.id === trackId(card, index))
          return player.send({type: 'player.toggle'})
        const artifact = card.reading.artifacts[index]
        const track = artifact && trackOf(card, artifact, index, fallbackTitle)
        if (track !== undefined) page.play({track, queue: tracksOf(cards, fallbackTitle)})
      },
      lead: (card, index) => {
        const lead = commands
          .groups(card, index)
          .flatMap(({actions}) => actions)
          .find(({submission}) => submission === undefined)
        return lead && {label: toolText(lead.action.label), run: () => commands.act(card, index, lead)}
      },
      songMenu: (card, index) => commands.menuOf(card, index, videoGroup(card, index)),
      watch: (card, index) => onWatch(videoOf(card, index)),
    }
  }, [commands, choose, cards, page, player, list, text, toolText, onSelect, onOpen, onWatch])
}
