import {useSelector} from '@xstate/react'
import {BrokenBar} from '#features/shell/bars.tsx'
import {type AppChild} from '#machines/app/app.types.ts'
import {selectIsDown} from '#machines/app/app.selectors.ts'
import {type SessionSnapshot} from '#machines/session/session.machine.ts'
import {type SessionChild} from '#machines/session/session.types.ts'
import {actorOf, useRoot} from '../actors.context.tsx'

const appParts: AppChild[] = ['startup', 'auth', 'site', 'preferences', 'notices', 'session']

const downOfSession = (snapshot: SessionSnapshot | undefined): SessionChild | undefined => {
  if (snapshot?.matches({active: {conversations: 'down'}}) === true) return 'conversations'
  return snapshot?.matches({active: {provisioning: 'down'}}) === true ? 'provisioning/chat' : undefined
}

/** An actor that crashed too often waits for the user (security R59): reports it and offers a restart. */
export function BrokenParts() {
  const root = useRoot()
  const session = useSelector(root, () => actorOf(root, 'session'))
  const part = useSelector(root, (snapshot) => appParts.find((child) => selectIsDown(snapshot, child)))
  const tool = useSelector(session, downOfSession)
  if (part !== undefined) return <BrokenBar onRestart={() => root.send({type: 'child.restart', child: part})} />
  if (tool !== undefined) return <BrokenBar onRestart={() => session?.send({type: 'child.restart', child: tool})} />
  return null
}
