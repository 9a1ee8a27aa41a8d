import {HistoryScreen} from '#features/media/history/history-screen.tsx'
import {useText} from '#ui/text.tsx'
import {titleOf} from '../routes/static-data.ts'
import {usePage} from '../use-page.ts'
import {OpenedTool} from './media-route.tsx'
import {useSlots} from './slots.tsx'
import {ToolSwitcher} from './tool-switcher.tsx'

/** `/{tool}/history` */
export function MediaHistoryRoute() {
  const text = useText()
  const page = usePage()
  const slots = useSlots()
  return (
    <OpenedTool>
      {(tool) => (
        <HistoryScreen
          slots={slots}
          switcher={(isSmall) => <ToolSwitcher tool={tool} isSmall={isSmall} />}
          title={titleOf(text, page) ?? tool.name}
        />
      )}
    </OpenedTool>
  )
}
