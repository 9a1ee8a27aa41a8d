import {ComingPage} from '#features/shell/coming-page.tsx'
import {useText} from '#ui/text.tsx'
import {lineOf, titleOf} from './routes/static-data.ts'
import {usePage} from './use-page.ts'

/** A route of the specification whose screen comes later. */
export function ComingRoute() {
  const text = useText()
  const page = usePage()
  return <ComingPage title={titleOf(text, page) ?? ''} line={lineOf(text, page) ?? ''} />
}
