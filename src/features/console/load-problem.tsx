import {accountErrorTextId} from '#domain/account-failure.ts'
import type {Failure} from '#domain/failure.ts'
import {ErrorState} from '#ui/error-state.tsx'
import {useText, type MessageId} from '#ui/text.tsx'

type LoadProblemProps = {
  failure: Failure
  /** Says that there is nothing under this address, or nothing of this user. */
  missing: MessageId
  onRetry: () => void
}

/** Instead of one order or application that could not be read. What is not there is not asked for again. */
export function LoadProblem({failure, missing, onRetry}: LoadProblemProps) {
  const text = useText()
  if (failure.status === 404) return <ErrorState title={text(missing)} />
  return <ErrorState title={text(accountErrorTextId(failure))} onRetry={onRetry} />
}
