import type {AccountSession} from '#contract/account.ts'
import {formatDateTime} from '#domain/date-time.ts'
import {deviceName} from '#domain/device-name.ts'
import {selectRefusal, type CallHandle} from '#machines/call/call.machine.ts'
import {ComputerIcon, PhoneIcon} from '#ui/account-icons.tsx'
import {Button} from '#ui/button.tsx'
import {classNames} from '#ui/class-names.ts'
import {Problem} from '#ui/problem.tsx'
import surface from '#ui/surface.module.css'
import {StateChip} from '#ui/table/state-chip.tsx'
import {TimeText} from '#ui/time-text.tsx'
import {useText, type Text} from '#ui/text.tsx'
import {refusalText} from './refusal-text.ts'
import styles from './session-list.module.css'

type SessionListProps = {
  sessions: readonly AccountSession[]
  isStale: boolean
  /** Ends one of them; its subject is the session's id. */
  end: CallHandle
}

const deviceOf = (text: Text, {agent}: AccountSession) => {
  const device = deviceName(agent)
  return device === undefined ? text('index.profileSessionUnknown') : text('index.profileSessionDevice', device)
}

const handhelds: readonly string[] = ['iOS', 'iPadOS', 'Android']
const iconOf = ({agent}: AccountSession) =>
  handhelds.includes(deviceName(agent)?.system ?? '') ? <PhoneIcon size={20} /> : <ComputerIcon size={20} />

/** The sessions of the user; each but this one can be ended. */
export function SessionList({sessions, isStale, end}: SessionListProps) {
  const text = useText()
  const refusal = selectRefusal(end.snapshot)
  // this device first, the others as the server lists them
  const sortedSessions = [...sessions].sort((one, other) => Number(other.current) - Number(one.current))
  return (
    <>
      {refusal !== undefined && (
        <Problem>
          {text('index.profileSessionEndFailed')} <bdi>{refusalText(text, refusal)}</bdi>
        </Problem>
      )}
      <ul
        className={classNames(surface.surface, styles.list)}
        aria-label={text('index.profileSessions')}
        aria-busy={isStale}
      >
        {sortedSessions.map((session) => (
          <li key={session.id} className={styles.session}>
            <span className={styles.icon}>{iconOf(session)}</span>
            <div className={styles.what}>
              <p className={styles.name}>
                <bdi>{deviceOf(text, session)}</bdi>
                {session.current && <StateChip tone="success">{text('index.profileSessionHere')}</StateChip>}
              </p>
              <p className={styles.meta}>
                {text('index.profileSessionUsed')}{' '}
                <TimeText value={session.refreshed_at ?? session.created_at ?? ''} format={formatDateTime} />
              </p>
            </div>
            {!session.current && (
              <Button
                size="sm"
                aria-label={text('index.profileSessionEndOf', {device: deviceOf(text, session)})}
                loading={end.snapshot.matches('sending') && end.snapshot.context.subject === session.id}
                onClick={() => end.send({type: 'call.send', subject: session.id})}
              >
                {text('index.profileSessionEnd')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
