import {useNavigate} from '@tanstack/react-router'
import {useSelector} from '@xstate/react'
import {useEffect} from 'react'
import {offerCommands} from '#browser/commands.ts'
import {type Notice} from '#machines/notices/notices.machine.ts'
import {selectNotices} from '#machines/notices/notices.selectors.ts'
import {Toasts, type Toast} from '#ui/toasts.tsx'
import {useText, type MessageId, type Text} from '#ui/text.tsx'
import {useAppActor} from '../actors.context.tsx'

const tones = {info: 'info', success: 'success', warning: 'error', error: 'error'} as const

type Acts = {act: (id: string) => void; go: (id: string, href: string) => void}

/** A notice in the user's language. */
function toToast(text: Text, {id, kind, textId, values, undo, again, href, reloads}: Notice, acts: Acts): Toast {
  return {
    id,
    tone: tones[kind],
    // as: machines do not know the message files; the message provider reports an unknown id and renders it unchanged
    message: text(textId as MessageId, values),
    ...(undo !== undefined || again !== undefined
      ? {action: {label: text(undo ? 'common.undo' : 'common.retry'), run: () => acts.act(id)}}
      : href !== undefined
        ? {action: {label: text('index.taskView'), run: () => acts.go(id, href), isLink: true}}
        : reloads === true
          ? {action: {label: text('index.loginReload'), run: () => location.reload()}}
          : {}),
  }
}

/** The stack of notices; deadlines begin anew when the pointer and the focus have left it. */
export function Notices() {
  const text = useText()
  const notices = useAppActor('notices')
  const navigate = useNavigate()
  const shownNotices = useSelector(notices, selectNotices)
  const isAwaited = useSelector(notices, (snapshot) => snapshot.matches('waiting'))
  useEffect(() => {
    if (isAwaited) notices.send({type: 'view.shown'})
  }, [notices, isAwaited])
  const acts: Acts = {
    act: (id) => notices.send({type: 'notice.act', id}),
    go: (id, href) => {
      notices.send({type: 'notice.dismiss', id})
      void navigate({href})
    },
  }
  const undoable = shownNotices.findLast(({undo}) => undo !== undefined)?.id
  useEffect(() => {
    if (undoable === undefined) return
    return offerCommands({undo: () => notices.send({type: 'notice.act', id: undoable})})
  }, [notices, undoable])
  return (
    <Toasts
      toasts={shownNotices.map((notice) => toToast(text, notice, acts))}
      onDismiss={(id) => notices.send({type: 'notice.dismiss', id})}
      onRest={notices.send}
    />
  )
}
