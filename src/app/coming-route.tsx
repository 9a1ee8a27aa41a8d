import {useMatches} from '@tanstack/react-router'
import {ComingPage} from '#features/shell/coming-page.tsx'
import {useText} from '#ui/text.tsx'
import {lineOf, titleOf} from './routes/static-data.ts'

/** A route of the specification whose screen comes later. */
export function ComingRoute() {
  const text = useText()
  const staticData = useMatches({select: (matches) => matches.at(-1)?.staticData})
  return <ComingPage title={titleOf(text, staticData ?? {}) ?? ''} line={lineOf(text, staticData ?? {}) ?? ''} />
}
