import {useBlocker, useMatch} from '@tanstack/react-router'
import {useActor} from '@xstate/react'
import {useLayoutEffect, useRef, useState} from 'react'
import {waitFor, type ActorRefFrom} from 'xstate'
import {leaveQuestionMachine} from '#machines/leave-question/leave-question.machine.ts'
import {Button} from '#ui/button.tsx'
import {Dialog} from '#ui/dialog.tsx'
import {useText} from '#ui/text.tsx'
import {leaveGuard} from './leave-guard.ts'

/** Whether the page may be left. */
async function ask(question: ActorRefFrom<typeof leaveQuestionMachine>): Promise<boolean> {
  question.send({type: 'leave.ask'})
  const answer = await waitFor(question, (snapshot) => !snapshot.matches('asked'))
  return answer.matches('leaving')
}

type LeaveQuestionProps = {
  isChanged: boolean
  /** The user discards the input. */
  onLeave?: () => void
}

/** Asks before a page with unsaved changes is left: links, Back and signing out in a dialog, else the browser. */
export function LeaveQuestion({isChanged, onLeave}: LeaveQuestionProps) {
  const text = useText()
  const [snapshot, send, question] = useActor(leaveQuestionMachine)
  const [mayGo] = useState(() => () => ask(question))
  const isShown = useRef(false)
  const routeId = useMatch({strict: false, select: (match) => match.routeId})
  useBlocker({
    // left already: this page is still shown while the next one's code loads
    shouldBlockFn: async ({current}) => isChanged && isShown.current && current.routeId === routeId && !(await mayGo()),
    enableBeforeUnload: () => isChanged && isShown.current,
  })
  // this page stays hidden in the tree while the next one's code loads: nobody could answer. Layout effects end there
  useLayoutEffect(() => {
    isShown.current = true
    return () => {
      isShown.current = false
      question.send({type: 'leave.end'})
    }
  }, [question])
  useLayoutEffect(() => {
    if (!isChanged) return
    leaveGuard.set(mayGo)
    return () => leaveGuard.set(undefined)
  }, [isChanged, mayGo])
  return (
    <Dialog
      open={snapshot.matches('asked')}
      title={text('site.leaveTitle')}
      description={text('site.leaveText')}
      width={400}
      onClose={() => send({type: 'leave.stay'})}
      actions={
        <>
          <Button
            variant="ghost"
            onClick={() => {
              onLeave?.()
              send({type: 'leave.go'})
            }}
          >
            {text('site.leaveGo')}
          </Button>
          <Button variant="primary" onClick={() => send({type: 'leave.stay'})}>
            {text('site.leaveStay')}
          </Button>
        </>
      }
    />
  )
}
