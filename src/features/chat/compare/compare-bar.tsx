import {useSelector} from '@xstate/react'
import {createPortal} from 'react-dom'
import {offered} from '#browser/commands.ts'
import {selectCanStopAll, selectIsAsked, type CompareActor} from '#machines/compare/compare.machine.ts'
import type {ReadingActor} from '#machines/reading/reading.machine.ts'
import {Button} from '#ui/button.tsx'
import {buttonClass} from '#ui/button-class.ts'
import {IconButton} from '#ui/icon-button.tsx'
import {NewChatIcon, StopIcon} from '#ui/icons.tsx'
import {SearchIcon} from '#ui/later-icons.tsx'
import {useText} from '#ui/text.tsx'
import {useMediaQuery} from '#ui/use-media-query.ts'
import {AppLink} from '../app-links.tsx'
import styles from './compare.module.css'

/** A phone on its side: what is not a message makes room. As in compare.module.css. */
export const lowScreen = '(max-height: 480px)'

type CompareBarProps = {
  compare: CompareActor
  reading: ReadingActor
  lastHref: string | undefined
  head: Element | null
  onStop: () => void
}

/** The title of a comparison, and what can be done with all of it; on a low screen in the head of the page. */
export function CompareBar({compare, reading, lastHref, head, onStop}: CompareBarProps) {
  const text = useText()
  const isAsked = useSelector(compare, selectIsAsked)
  const canStop = useSelector(compare, selectCanStopAll)
  const isLow = useMediaQuery(lowScreen)
  const begin = () => {
    reading.send({type: 'panel.close'})
    compare.send({type: 'comparison.new'})
  }
  const bar = (
    <div className={styles.bar}>
      <h1 className={styles.title} tabIndex={-1}>
        {text('compare.title')}
      </h1>
      {isAsked && (
        <IconButton size="sm" label={text('chat.find')} icon={<SearchIcon />} onClick={() => offered('find')?.()} />
      )}
      {isAsked && canStop && (
        <Button size="sm" icon={<StopIcon size={14} />} onClick={onStop}>
          {text('compare.stopAll')}
        </Button>
      )}
      {isAsked && (
        <Button size="sm" icon={<NewChatIcon size={14} />} onClick={begin}>
          {text('compare.again')}
        </Button>
      )}
      {!isAsked && lastHref !== undefined && (
        <AppLink className={buttonClass('ghost', 'sm')} href={lastHref}>
          {text('compare.last')}
        </AppLink>
      )}
    </div>
  )
  return isLow && head !== null ? createPortal(bar, head) : bar
}
