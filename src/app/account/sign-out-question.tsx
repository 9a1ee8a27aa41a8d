import {useSelector} from '@xstate/react'
import {useState} from 'react'
import {Button} from '#ui/button.tsx'
import {Dialog} from '#ui/dialog.tsx'
import {useText} from '#ui/text.tsx'
import {actorOf, useRoot} from '../actors.context.tsx'
import styles from './sign-out-question.module.css'

/** Says what signing out drops, since no server has it, and asks whether to. */
export function SignOutQuestion() {
  const text = useText()
  const root = useRoot()
  const [question] = useState(() => actorOf(root, 'signOutQuestion'))
  const unsent = useSelector(question, (snapshot) => snapshot?.context)
  if (question === undefined || unsent === undefined) return null
  const {drafts, questions, tasks} = unsent
  const stay = () => question.send({type: 'signOut.stay'})
  return (
    <Dialog
      open
      title={text('index.commandSignOutTitle')}
      width={400}
      onClose={stay}
      actions={
        <>
          <Button variant="ghost" data-first-focus onClick={stay}>
            {text('index.commandSignOutStay')}
          </Button>
          <Button variant="danger" onClick={() => question.send({type: 'signOut.go'})}>
            {text('index.signOut')}
          </Button>
        </>
      }
    >
      <p>{text('index.commandSignOutText')}</p>
      <ul className={styles.lost}>
        {drafts > 0 && <li>{text('index.commandSignOutDrafts', {count: drafts})}</li>}
        {questions > 0 && <li>{text('index.commandSignOutQuestions', {count: questions})}</li>}
        {tasks > 0 && <li>{text('index.commandSignOutTasks', {count: tasks})}</li>}
      </ul>
    </Dialog>
  )
}
