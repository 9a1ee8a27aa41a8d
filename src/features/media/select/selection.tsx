import {Suspense} from 'react'
import {lazyView} from '#ui/use-lazy.ts'
import type {Card} from '#machines/task-list/task-list.selectors.ts'
import {useMedia} from '../media.context.ts'
import type {MediaCommands} from '../media-commands.ts'

const SelectionBar = lazyView(async () => (await import('./selection-bar.tsx')).SelectionBar)

type SelectionProps = {
  /** Ids of the chosen tasks; undefined while nothing is being chosen. */
  chosen: ReadonlySet<string> | undefined
  cards: readonly Card[]
  commands: MediaCommands
}

/** The commands for the chosen results of a list, while there is a choice. */
export function Selection({chosen, cards, commands}: SelectionProps) {
  const {selection} = useMedia().actors
  return (
    <Suspense>
      {chosen !== undefined && selection !== undefined && (
        <SelectionBar selection={selection} cards={cards} commands={commands} />
      )}
    </Suspense>
  )
}
