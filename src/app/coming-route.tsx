import {useLocation} from '@tanstack/react-router'
import {ComingPage} from '#features/shell/coming-page.tsx'
import {toolOfPath} from '#features/shell/tools.ts'
import {useText} from '#ui/text.tsx'
import {useMediaQuery, wide} from '#ui/use-media-query.ts'
import {lineOf, titleOf} from './routes/static-data.ts'
import {MediaTools} from './shell/media-tools.tsx'
import {usePage} from './use-page.ts'

/** A route of the specification whose screen comes later. The tool switcher stands here where there is no panel. */
export function ComingRoute() {
  const text = useText()
  const page = usePage()
  const isWide = useMediaQuery(wide)
  const tool = useLocation({select: ({pathname}) => toolOfPath(pathname)})
  return (
    <ComingPage title={titleOf(text, page) ?? ''} line={lineOf(text, page) ?? ''}>
      {!isWide && <MediaTools tool={tool} />}
    </ComingPage>
  )
}
