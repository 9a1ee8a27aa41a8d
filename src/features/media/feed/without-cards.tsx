import type {ReactNode} from 'react'
import {Button} from '#ui/button.tsx'
import {EmptyState} from '#ui/empty-state.tsx'
import {ErrorState} from '#ui/error-state.tsx'
import {useText} from '#ui/text.tsx'
import {shownFields} from '../any-tool.ts'
import {useMedia} from '../media.context.ts'
import {prepareRequest} from '../prepare-request.ts'
import {SetUpStep} from '../set-up-step.tsx'
import {useListState} from '../use-cards.ts'
import {useToolText} from '../use-tool-text.ts'
import {EmptyFeed} from './empty-feed.tsx'

type WithoutCardsProps = {isFiltered: boolean; onClear: () => void; older: ReactNode; onFormShown: () => void}

/** Stands where there is no card, and not because cards are on their way. */
export function WithoutCards({isFiltered, onClear, older, onFormShown}: WithoutCardsProps) {
  const media = useMedia()
  const text = useText()
  const toolText = useToolText(media.identity.id)
  const {status, needsSetUp} = useListState()
  const {pages, generation} = media.actors
  if (isFiltered) {
    return (
      <>
        <NothingMatches onClear={onClear} />
        {older}
      </>
    )
  }
  if (needsSetUp) return <SetUpStep />
  if (status === 'error') {
    return <ErrorState title={text('common.mediaLoadFailed')} onRetry={() => pages.send({type: 'tasks.refresh'})} />
  }
  const examples = media.screen.examples.map(({label}) => toolText(label))
  const fillExample = (index: number) => {
    const example = media.screen.examples[index]
    if (example === undefined) return
    const form = {...media.defaults, ...example.set}
    const prompt = shownFields(media.screen, form, 'main').find(({kind}) => kind === 'prompt' || kind === 'lyrics')
    const words = prompt === undefined ? {} : {[prompt.key]: toolText(example.label)}
    prepareRequest(media.screen)
    generation.send({type: 'form.fill', values: {...example.set, ...words}})
    onFormShown()
  }
  return <EmptyFeed group={media.identity.group} examples={examples} onExample={fillExample} />
}

/** The filters leave nothing over; they stay in sight. */
export function NothingMatches({onClear}: {onClear: () => void}) {
  const text = useText()
  return (
    <EmptyState
      title={text('common.mediaNothingMatches')}
      action={<Button onClick={onClear}>{text('common.mediaClearFilters')}</Button>}
    />
  )
}
