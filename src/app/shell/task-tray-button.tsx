import {lazy, Suspense, type ReactNode} from 'react'
import {TasksButton} from '#features/shell/tasks-button.tsx'
import {loadPart} from '#ui/load-part.ts'
import {Popover} from '#ui/popover.tsx'
import {Skeleton} from '#ui/skeleton.tsx'
import {useText} from '#ui/text.tsx'
import {useAppInfo} from '../app-info.tsx'
import {useWords, wordsOf} from '../use-words.ts'
import {useRunningCount} from './use-running-count.ts'

// its messages load with those of the tools
const load = () => loadPart(() => import('../media/tray-zone.tsx'))
const TrayZone = lazy(async () => ({default: (await load()).TrayZone}))

type TaskTrayButtonProps = {isSmall: boolean; hidesEmpty?: boolean}

/** Button of the task list of all tools and chats (design.md §10). Its content loads when opened. */
export function TaskTrayButton({isSmall, hidesEmpty = false}: TaskTrayButtonProps) {
  const text = useText()
  const {prepareWords} = useAppInfo()
  const prepared = (then: () => void) => () => {
    wordsOf(prepareWords, 'media')
      .loadAhead()
      .catch(() => undefined)
    then()
  }
  const count = useRunningCount()
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
            onPointerEnter: prepared(onPointerEnter),
            onFocus: prepared(onFocus),
            onClick: prepared(onClick),
          }}
        />
      )}
    >
      {(close) => (
        <Suspense fallback={<Skeleton inlineSize="min(352px, 80vw)" blockSize={120} />}>
          <AfterWords>
            <TrayZone onClose={close} />
          </AfterWords>
        </Suspense>
      )}
    </Popover>
  )
}

/** Renders its children once their messages are loaded. */
function AfterWords({children}: {children: ReactNode}) {
  useWords('media')
  return children
}
