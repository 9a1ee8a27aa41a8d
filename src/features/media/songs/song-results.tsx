import {shallowEqual, useSelector} from '@xstate/react'
import {Suspense, useCallback, useMemo, useState, type ReactNode} from 'react'
import {selectIsPlaying, selectTrack} from '#machines/player/player.selectors.ts'
import type {PlayerSnapshot} from '#machines/player/player.machine.ts'
import {selectMarks} from '#machines/task-favourites/task-favourites.machine.ts'
import {Drawer} from '#ui/drawer.tsx'
import {lazyView} from '#ui/use-lazy.ts'
import {useText} from '#ui/text.tsx'
import {useMediaQuery} from '#ui/use-media-query.ts'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import {Feed, type FeedProps} from '../feed/feed.tsx'
import {useMedia} from '../media.context.ts'
import {Selection} from '../select/selection.tsx'
import {useChoice} from '../select/use-selection.ts'
import {useCommands} from '../use-commands.ts'
import {useCards} from '../use-cards.ts'
import {useSelectForm} from '../use-select-form.ts'
import {useToolText} from '../use-tool-text.ts'
import {useSongCommands} from './use-song-commands.ts'
import {useSongVideos} from './use-song-videos.ts'
import {SongDetail} from './song-detail.tsx'
import {SongGroup, type NowPlaying} from './song-group.tsx'
import {trackId} from './song-rows.ts'
import {SongColumn} from './song-column.tsx'

const ResultViewer = lazyView(async () => (await import('../result-viewer.tsx')).ResultViewer)

/** Room for the column with the song beside the list (screens.md §3). */
const roomy = '(min-width: 1280px)'

const nowPlaying = (snapshot: PlayerSnapshot | undefined): NowPlaying | undefined => {
  if (snapshot === undefined) return undefined
  const track = selectTrack(snapshot)
  return track === undefined ? undefined : {id: track.id, isPlaying: selectIsPlaying(snapshot)}
}

/** The song in detail: the selected one, else the newest. */
function useShownSong(cards: readonly Card[]) {
  const [choice, select] = useState<{key: string; index: number}>()
  const shownSong = useMemo(() => {
    const card = cards.find(({key}) => key === choice?.key) ?? cards.find(({reading}) => reading.artifacts.length > 0)
    const index = card?.key === choice?.key ? (choice?.index ?? 0) : 0
    const artifact = card?.reading.artifacts[index]
    return card === undefined || artifact === undefined ? undefined : {card, index, artifact}
  }, [cards, choice])
  return {shown: shownSong, select}
}

type ShownSongProps = {
  shown: NonNullable<ReturnType<typeof useShownSong>['shown']>
  commands: ReturnType<typeof useCommands>
}

function ShownSong({shown: {card, index, artifact}, commands}: ShownSongProps) {
  const {identity} = useMedia()
  return (
    <SongDetail
      card={card}
      artifact={artifact}
      title={artifact.title ?? commands.title(card)}
      toolText={useToolText(identity.id)}
      groups={commands.groups(card, index)}
      targets={commands.targets(card, index)}
      targetName={commands.targetName}
      costOf={commands.costOf}
      isUsed={commands.isUsed}
      onAction={(action) => commands.act(card, index, action)}
      onUseIn={(target) => commands.goTo(card, target)}
    />
  )
}

type SongResultsProps = Pick<FeedProps, 'cards' | 'scroller' | 'older' | 'onOlder' | 'jump'> & {
  onFormShown?: () => void
}

/** Songs as a list, with one of them in detail beside it; they play in the player of the page. */
export function SongResults({cards: allCards, onFormShown, jump, ...feed}: SongResultsProps) {
  const all = useCards()
  const joins = useSongVideos(all)
  const cards = useMemo(() => joins?.joinVideos(allCards, all) ?? allCards, [joins, allCards, all])
  const media = useMedia()
  const text = useText()
  const isRoomy = useMediaQuery(roomy)
  const {player, list, favourites} = media.actors
  const marks = useSelector(favourites, selectMarks)
  const now = useSelector(player, nowPlaying, shallowEqual)
  const {shown: shownSong, select} = useShownSong(cards)
  const [isOpen, setOpen] = useState(false)
  const [video, setVideo] = useState<Card>()
  const closeVideo = useCallback(() => setVideo(undefined), [])
  const selectForm = useSelectForm()
  const showsForm = onFormShown ?? selectForm
  const showForm = useCallback(() => {
    setOpen(false)
    setVideo(undefined)
    showsForm()
  }, [showsForm])
  const commands = useCommands(showForm)
  const {chosen: chosenTasks, choose} = useChoice(cards)
  const songCommands = useSongCommands({
    cards,
    commands,
    choose,
    onSelect: select,
    onOpen: setOpen,
    onWatch: setVideo,
  })
  return (
    <>
      <Feed
        label={text('common.mediaSongs')}
        {...feed}
        jump={jump && joins ? {...jump, task: joins.lineOf(jump.task, all)} : jump}
        cards={cards}
        columns={1}
        isDense
        now={media.now}
        onArrive={(card) => list.send({type: 'task.select', id: card.id})}
        item={(position) => (
          <SongGroup
            {...position}
            isChosen={chosenTasks && position.card.id !== undefined && chosenTasks.has(position.card.id)}
            now={now}
            marks={marks}
            selected={isRoomy && shownSong !== undefined ? trackId(shownSong.card, shownSong.index) : undefined}
            commands={songCommands}
          />
        )}
      />
      <Selection chosen={chosenTasks} cards={cards} commands={commands} />
      <Suspense>
        {video !== undefined && (
          <ResultViewer
            cards={[video]}
            at={{key: video.key, index: 0}}
            commands={commands}
            onMove={setVideo}
            onClose={closeVideo}
          />
        )}
      </Suspense>
      <SongDetailFrame isRoomy={isRoomy} isOpen={isOpen} onClose={() => setOpen(false)}>
        {shownSong && <ShownSong shown={shownSong} commands={commands} />}
      </SongDetailFrame>
    </>
  )
}

type SongDetailFrameProps = {isRoomy: boolean; isOpen: boolean; onClose: () => void; children: ReactNode}

/** A song in detail: beside the list where there is room, else over it on request. */
function SongDetailFrame({isRoomy, isOpen, onClose, children}: SongDetailFrameProps) {
  const text = useText()
  if (isRoomy) return <SongColumn>{children}</SongColumn>
  return (
    <Drawer
      open={isOpen && children !== undefined}
      side="bottom"
      title={text('common.details')}
      hiddenTitle
      onClose={onClose}
    >
      {children}
    </Drawer>
  )
}
