import {useSelector} from '@xstate/react'
import {lazy, Suspense, useCallback, useMemo, useState} from 'react'
import {selectVolume} from '#machines/player/player.selectors.ts'
import {Feed, type FeedProps} from './feed/feed.tsx'
import {TaskCard, type CardCommands} from './feed/task-card.tsx'
import {useMedia} from './media.context.tsx'
import {requestSettings} from './settings-line.ts'
import {useCommands} from './use-commands.ts'
import {useLayout} from './use-feed-view.ts'
import {useSelectForm} from './use-select-form.ts'
import {useToolText} from './use-tool-text.ts'
import {useText} from '#ui/text.tsx'

const Viewer = lazy(async () => ({default: (await import('./viewer/viewer.tsx')).Viewer}))
const ResultDetails = lazy(async () => ({default: (await import('./viewer/result-details.tsx')).ResultDetails}))

type GridResultsProps = Pick<FeedProps, 'cards' | 'scroller' | 'older' | 'onOlder'> & {
  usualRatio: number
  /** A history has no form beside it: an action that fills one goes to the tool. */
  onFormShown?: () => void
}

/** Results to look at: cards, and the viewer over the page. */
export function GridResults({cards, usualRatio, onFormShown, ...feed}: GridResultsProps) {
  const media = useMedia()
  const text = useText()
  const toolText = useToolText(media.identity.id)
  const [layout] = useLayout()
  const [at, setAt] = useState<{key: string; index: number}>()
  const volume = useSelector(media.actors.player, selectVolume)
  const selectForm = useSelectForm()
  const shown = onFormShown ?? selectForm
  const showForm = useCallback(() => {
    setAt(undefined)
    shown()
  }, [shown])
  const commands = useCommands(showForm)
  const cardCommands = useMemo(
    (): CardCommands => ({...commands, open: ({key}, index) => setAt({key, index})}),
    [commands],
  )
  const close = useCallback(() => setAt(undefined), [])
  return (
    <>
      <Feed
        {...feed}
        label={text('common.mediaResults')}
        cards={cards}
        columns={layout === 'list' ? 1 : 'fit'}
        now={media.now}
        item={(place) => <TaskCard {...place} layout={layout} usualRatio={usualRatio} commands={cardCommands} />}
      />
      {at !== undefined && (
        <Suspense>
          <Viewer
            cards={cards}
            at={at}
            volume={volume}
            onMove={({card, index}) => setAt({key: card.key, index})}
            onClose={close}
            details={(item) => (
              <Suspense>
                <ResultDetails
                  item={item}
                  tool={media.identity.name}
                  toolText={toolText}
                  settings={requestSettings(media.screen, item.card.request, toolText)}
                  groups={commands.groups(item.card, item.index)}
                  targets={commands.targets(item.card, item.index)}
                  targetName={commands.targetName}
                  costOf={commands.costOf}
                  onAction={(offered) => {
                    commands.act(item.card, item.index, offered)
                    if (offered.submission !== undefined) close()
                  }}
                  onUseIn={(target) => commands.goTo(item.card, target)}
                  onDownload={() => commands.download(item.card, item.index)}
                  onReuse={() => commands.reuse(item.card)}
                />
              </Suspense>
            )}
          />
        </Suspense>
      )}
    </>
  )
}
