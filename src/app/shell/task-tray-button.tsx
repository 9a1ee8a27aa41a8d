import {useSelector} from '@xstate/react'
import {lazy, Suspense} from 'react'
import {TasksButton} from '#features/shell/tasks-button.tsx'
import {selectAnswering} from '#machines/conversation-list/conversation-list.selectors.ts'
import type {TasksSnapshot} from '#machines/tasks/tasks.machine.ts'
import {Popover} from '#ui/popover.tsx'
import {useText} from '#ui/text.tsx'
import {useAppInfo} from '../app-info.tsx'
import {useSessionActor} from '../actors.context.tsx'

// its words come with those of the tools
const load = () => import('../media/tray-zone.tsx')
const TrayZone = lazy(async () => ({default: (await load()).TrayZone}))

const waiting = new Set(['rejected', 'usedUp', 'unsure', 'gone'])
/** What makes itself, without the person. */
const countRunning = (snapshot: TasksSnapshot | undefined) =>
  Object.values(snapshot?.context.tray ?? {})
    .flat()
    .filter(({state}) => !waiting.has(state)).length

type TaskTrayButtonProps = {isSmall: boolean; hidesEmpty?: boolean}

/** The button of the list of tasks, over all tools and chats (design.md §10). Its content is loaded when it opens. */
export function TaskTrayButton({isSmall, hidesEmpty = false}: TaskTrayButtonProps) {
  const text = useText()
  const {prepareMedia} = useAppInfo()
  const tasks = useSelector(useSessionActor('tasks'), countRunning)
  const answers = useSelector(useSessionActor('conversations'), (snapshot) =>
    snapshot === undefined ? 0 : selectAnswering(snapshot).length,
  )
  const count = tasks + answers
  if (hidesEmpty && count === 0) return null
  return (
    <Popover
      label={text('index.tasks')}
      align={isSmall ? 'end' : 'start'}
      trigger={({onPointerEnter, onFocus, onClick, ...trigger}) => (
        <TasksButton
          count={count}
          isSmall={isSmall}
          trigger={{
            ...trigger,
            onPointerEnter: () => {
              void prepareMedia()
              onPointerEnter()
            },
            onFocus: () => {
              void prepareMedia()
              onFocus()
            },
            onClick: () => {
              void prepareMedia()
              onClick()
            },
          }}
        />
      )}
    >
      {(close) => (
        <Suspense>
          <TrayZone onClose={close} />
        </Suspense>
      )}
    </Popover>
  )
}
