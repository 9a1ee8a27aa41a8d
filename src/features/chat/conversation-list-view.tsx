import {useSyncExternalStore, type ReactNode} from 'react'
import {ErrorState} from '#ui/error-state.tsx'
import {NewChatIcon} from '#ui/icons.tsx'
import {keysOf} from '#browser/commands.ts'
import {keyBindings} from '#browser/remembered-value.ts'
import {Kbd, shownKeys} from '#ui/kbd.tsx'
import {useText} from '#ui/text.tsx'
import type {ChatLocation} from './chat.context.tsx'
import styles from './conversation-list.module.css'
import {LocationLink} from './app-links.tsx'
import {LoadingRows} from './list/loading-rows.tsx'

type ConversationListViewProps = {
  group: ChatLocation['group']
  status: 'loading' | 'ready' | 'failed'
  /** Code and detail of a failed load. */
  failure?: string | undefined
  /** Why a load failed, in a sentence. */
  help?: string | undefined
  onRetry?: () => void
  onGo: (() => void) | undefined
  /** The rows, if there are any and their code is loaded. */
  children?: ReactNode
}

/** A group's conversations: new chat first, then the rows or what stands for them. */
export function ConversationListView(props: ConversationListViewProps) {
  const {group, status, failure, help, onRetry, onGo, children} = props
  const text = useText()
  const keys = useSyncExternalStore(keyBindings.subscribe, () => keysOf('newChat'))
  return (
    <nav className={styles.list} aria-label={text('chat.conversations')}>
      <LocationLink
        className={styles.newChat}
        location={{group, conversation: undefined}}
        onGo={onGo ?? (() => undefined)}
      >
        <NewChatIcon />
        {text('index.newChat')}
        <Kbd keys={shownKeys(keys)} plain />
      </LocationLink>
      {children ?? (
        <div className={styles.scroller} aria-busy={status === 'loading'}>
          <Placeholder status={status} failure={failure} help={help} onRetry={onRetry} />
        </div>
      )}
    </nav>
  )
}

function Placeholder({
  status,
  failure,
  help,
  onRetry = () => undefined,
}: Pick<ConversationListViewProps, 'status' | 'failure' | 'help' | 'onRetry'>) {
  const text = useText()
  if (status === 'loading') return <LoadingRows widths={widths} className={styles.loading} />
  if (status === 'ready') return <p className={styles.empty}>{text('chat.listEmpty')}</p>
  return <ErrorState title={text('chat.listFailed')} onRetry={onRetry} help={help} detail={failure} />
}

/** A heading and rows. */
const widths = ['22%', '72%', '54%', '63%', '46%']
